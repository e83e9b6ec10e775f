/** MessagePack, CBOR, Protobuf and CSV, each by a library that is well kept. */
import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as FieldType,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import * as messagePack from "@msgpack/msgpack";
import { type CustomRepresentation, representation } from "@scope/api";
import * as cborg from "cborg";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";

/** The most items of one array of MessagePack: the library allocates an array before its items have arrived. */
export const maxArrayLength = 1000;

export const msgpack: CustomRepresentation = representation<unknown>({
  contentType: "application/vnd.msgpack",
  encode: (value) => messagePack.encode(value),
  decode: (bytes) => messagePack.decode(bytes, { maxArrayLength }),
  structure: "json",
});

export const cbor: CustomRepresentation = representation<unknown>({
  contentType: "application/cbor",
  encode: (value) => cborg.encode(value),
  decode: (bytes) => cborg.decode(bytes),
  structure: "json",
});

export const csv: CustomRepresentation<readonly Readonly<Record<string, string>>[]> = representation<
  readonly Readonly<Record<string, string>>[]
>({
  contentType: "text/csv;charset=utf-8",
  encode: (rows) => stringify([...rows], { header: true }),
  decode: (bytes) => parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), { columns: true }),
});

/** The messages of one type. */
export function protobuf<Type extends DescMessage>(type: Type): CustomRepresentation<MessageShape<Type>> {
  return representation<MessageShape<Type>>({
    contentType: "application/protobuf",
    encode: (message) => toBinary(type, message),
    decode: (bytes) => fromBinary(type, bytes),
  });
}

/** The output of `protoc` for `message Point { double x = 1; string label = 2; repeated Point near = 3; }`. */
export type Point = Message<"Point"> & { x: number; label: string; near: Point[] };

const field = { label: Label.OPTIONAL };
const file = create(FileDescriptorProtoSchema, {
  name: "point.proto",
  syntax: "proto3",
  messageType: [{
    name: "Point",
    field: [
      { ...field, name: "x", jsonName: "x", number: 1, type: FieldType.DOUBLE },
      { ...field, name: "label", jsonName: "label", number: 2, type: FieldType.STRING },
      { name: "near", jsonName: "near", number: 3, type: FieldType.MESSAGE, typeName: ".Point", label: Label.REPEATED },
    ],
  }],
});

export const pointType: DescMessage = createFileRegistry(file, () => undefined).getMessage("Point")!;

export const point: CustomRepresentation<Point> = protobuf(pointType) as CustomRepresentation<never>;
