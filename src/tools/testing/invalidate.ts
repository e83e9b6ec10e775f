/** Makes valid requests invalid: changes one part of a value, or the method, the path, the content type or the bytes. */
import { type Choices, choose, chooseFrom } from "../json_schema/choices.ts";
import { isJsonList, isJsonObject, type Json, withMember, without } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { itemSchemas, memberSchemas, type Shape } from "../json_schema/shapes.ts";
import { isFileShape } from "./form_parts.ts";
import type { RouteNode } from "../../contract/node.ts";
import { pathOf, type WireRequest } from "./wire_request.ts";

interface ChangedPart {
  readonly path: readonly (string | number)[];
  readonly value: Json;
  readonly schemas: readonly LocatedSchema[];
}

/** The new value of a part; `undefined` removes the part. */
type NewValue = Json | undefined;

/** Changes one part of a value. The schema may still accept the result. */
export function mutate(value: Json, schema: LocatedSchema | undefined, choices: Choices): NewValue {
  const part = chooseFrom(choices, listParts({ path: [], value, schemas: schema ? [schema] : [] }));
  const change = chooseFrom(choices, choose(choices, 2) === 0 ? ownChanges(part) : otherValues);
  return replace(value, part.path, typeof change === "function" ? change() : change);
}

const maxParts = 64;

function listParts(root: ChangedPart): ChangedPart[] {
  const parts = [root];
  for (const part of parts) { // grows on the way
    if (parts.length >= maxParts) break;
    parts.push(...partsBelow(part));
  }
  return parts;
}

function partsBelow({ path, value, schemas }: ChangedPart): ChangedPart[] {
  if (typeof value !== "object" || value === null) return [];
  const shapes = schemas.length > 0 ? normalize(schemas) : [];
  return Object.entries(value).map(([name, member]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return {
      path: [...path, key],
      value: member,
      schemas: shapes.flatMap((shape) => schemasBelow(shape, key)).slice(0, 1),
    };
  });
}

function schemasBelow(shape: Shape, key: string | number): readonly LocatedSchema[] {
  if (shape.type === "array") return typeof key === "number" ? itemSchemas(shape, key) : [];
  return shape.type === "object" && typeof key === "string" ? memberSchemas(shape, key) : [];
}

const otherValues: readonly Json[] = [null, "", 0, false, [], {}, "x", -1, 1.5, true, 1e21, [null], "\u0000", "𝒳", {
  a: 0,
}];

/** A new value, or a function that makes it, because a large object has many of them. */
type Change = NewValue | (() => NewValue);

function ownChanges({ value, schemas }: ChangedPart): Change[] {
  const shapes = schemas.length > 0 ? normalize(schemas) : [];
  const others = shapes.some(isFileShape) ? [otherFile as unknown as Json] : []; // the encoder of forms takes files
  return [...shapes.flatMap(outside), ...ofValue(value), ...others, [value], undefined];
}

const otherFile: File = /* @__PURE__ */ new File(["a"], "file.bin", { type: "application/x-undeclared" });

function outside(shape: Shape): NewValue[] {
  if (shape.type === "number") {
    const bounds = [shape.minimum - 1, shape.maximum + 1, shape.minimum, shape.maximum].filter(Number.isFinite);
    return shape.isInteger ? [...bounds, 0.5] : bounds;
  }
  if (shape.type === "string") {
    const { minLength, maxLength } = shape;
    return [
      ...(minLength > 0 ? ["a".repeat(minLength - 1)] : []),
      ...(maxLength < maxText ? ["a".repeat(maxLength + 1)] : []),
    ];
  }
  return [];
}

const maxText = 20_000;

function ofValue(value: Json): Change[] {
  if (typeof value === "string") {
    return ["", value.slice(0, -1), `${value} `, ` ${value}`, `${value}\u0000`, value.toUpperCase()];
  }
  if (typeof value === "number") return [value + 1, value - 1, -value, value + 0.5, String(value)];
  if (typeof value === "boolean") return [String(value), Number(value)];
  if (Array.isArray(value)) {
    return [[], value.slice(1), [...value, ...value.slice(-1)], [...value, null], ...value.slice(0, 1)];
  }
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    return [
      ...names.map((name) => () => without(value, name)),
      ...surplus.map((name) => () => withMember(value, name, { a: 0 })),
    ];
  }
  return [];
}

const surplus: readonly string[] = ["zzz", "__proto__", "constructor"];

function replace(value: Json, [key, ...rest]: readonly (string | number)[], change: NewValue): NewValue {
  if (key === undefined) return change;
  if (isJsonList(value)) {
    return value.flatMap((item, index) => index === key ? listed(replace(item, rest, change)) : [item]);
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]) =>
    name === key
      ? listed(replace(member, rest, change)).map((each) => [name, each] as const)
      : [[name, member] as const]
  );
  return Object.fromEntries(entries);
}

function listed(change: NewValue): Json[] {
  return change === undefined ? [] : [change];
}

/** Makes a valid request malformed. The path keeps the base path of the contract. */
type Corruption = (request: WireRequest, basePath: string) => WireRequest;

export function listCorruptions({ method, body }: RouteNode): readonly Corruption[] {
  const { maxBytes } = body ?? {};
  const tooLarge = maxBytes !== undefined && maxBytes <= maxContent
    ? [withBody(() => new Uint8Array(maxBytes + 1))]
    : [];
  const others = allMethods.filter((each) => each !== method && !(method === "GET" && each === "HEAD"));
  const methods = others.map((each): Corruption => (request) => ({
    ...request,
    method: each,
    ...(bodiless.includes(each) && { body: undefined }),
  }));
  return [...pathCorruptions, ...methods, ...(body ? [...bodyCorruptions, ...tooLarge] : [])];
}

const maxContent = 2 ** 25;

const allMethods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PURGE"];
const bodiless: readonly string[] = ["GET", "HEAD"];

/** The last segment of a path that is not empty. Only its start is searched for, which keeps the time linear. */
const lastSegment = /(?<=^|\/)[^/]+(?=\/?$)/;

/** The first character of the last segment that is not a percent sign, and what comes before it. */
const lastPlain = /(?<=^|\/)(%*)([^/%])(?=[^/]*\/?$)/;

const pathCorruptions: readonly Corruption[] = [
  (request) => onPath((path) => path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : `${path}/`)(request, ""),
  onPath((path) => `${path}/nothing-here`),
  onPath((path) => path.replace(lastSegment, "%zz")),
  onPath((path) => path.replace(lastSegment, "%C3%28")),
  onPath((path) => path.replace(lastSegment, "a%2Fb")),
  onPath((path) => path.replace(lastSegment, "..%2F..%2Fetc")),
  onPath((path) => path.replace(lastSegment, "%00")),
  onPath((path) => path.replace(lastSegment, "long".repeat(100))),
  onPath((path) => path.replace(/\/([^/]+)(?=\/?$)/, "//$1")),
  onPath((path) => `${path}x`),
  onPath((path) => path.replace(/\/([^/]+)/, "/$1x")),
  onPath((path) => path.toUpperCase()),
  onPath((path) =>
    path.replace(lastPlain, (_, before: string, plain: string) => `${before}%${plain.charCodeAt(0).toString(16)}`)
  ),
  (request) => ({ ...request, method: request.method.toLowerCase() }),
  (request) => ({ ...request, path: request.path.replace(/\?(.+)$/s, "?$1&$1") }),
  (request) => ({ ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}%zz=%&=&a` }),
];

const bodyCorruptions: readonly Corruption[] = [
  withBody((body) => body.subarray(0, Math.max(0, body.length - 1))),
  withBody(() => new Uint8Array()),
  withBody((body) => join(Uint8Array.of(0xef, 0xbb, 0xbf), body)),
  withBody((body) => join(body, new TextEncoder().encode("}"))),
  withBody(() => new TextEncoder().encode("[".repeat(5_000))),
  withBody(() => Uint8Array.of(0xff, 0xfe, 0x00)),
  withBody(() => new TextEncoder().encode("null")),
  withBody(() => undefined),
  withType(() => undefined),
  withType(() => "text/x-unknown"),
  withType(() => "application/json, text/plain"),
  withType(() => ""),
  withType((type) => type.replace("/", "/vnd.test+")),
  withType((type) => type.toUpperCase()),
  withType((type) => `${type}; charset=utf-8`),
  withType((type) => `${type.split(";", 1)[0]}x`),
  withType(() => "multipart/form-data"),
];

function onPath(change: (path: string) => string): Corruption {
  return (request, basePath) => {
    const path = pathOf(request.path);
    const own = basePath.replace(/\/$/, "").length;
    return { ...request, path: `${path.slice(0, own)}${change(path.slice(own))}${request.path.slice(path.length)}` };
  };
}

function withBody(change: (body: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | undefined): Corruption {
  return (request) => ({ ...request, body: change(request.body ?? new Uint8Array()) });
}

function withType(change: (type: string) => string | undefined): Corruption {
  return (request) => {
    const { "content-type": type = "", ...headers } = request.headers;
    const changed = change(type);
    return { ...request, headers: changed === undefined ? headers : { ...headers, "content-type": changed } };
  };
}

function join(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(start.length + end.length);
  joined.set(start);
  joined.set(end, start.length);
  return joined;
}
