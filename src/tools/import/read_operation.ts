/** Reads the parts of operations, with their references followed. */
import { toOneLine } from "../../messages.ts";
import {
  listMembers,
  listParameters,
  type Located,
  type LocatedPart,
  memberOf,
  type Operation,
  resolvePart,
} from "../openapi/operations.ts";
import { toPart } from "../openapi/part.ts";
import { chooseMediaType } from "./media_types.ts";
import type { Source } from "./source.ts";

/** The content of a part in one media type. */
export interface MediaContent extends LocatedPart {
  readonly type: string;
}

/** A parameter, or a header of a response. */
export interface Field extends LocatedPart {
  readonly name: string;
  /** Its content, if that has a media type of its own. */
  readonly content: MediaContent | undefined;
}

/** A request body or a response. */
export interface DocumentMessage extends LocatedPart {
  readonly contents: readonly MediaContent[];
  /** The content that is declared. */
  readonly media: MediaContent | undefined;
  /** Why its other media types are not declared. */
  readonly changes: readonly string[];
}

/** A response. */
export interface Reply extends DocumentMessage {
  /** The status as the document has it. */
  readonly name: string;
  /** The status, or a range in capital letters. */
  readonly status: string;
  /** The reference to it, if it is one. */
  readonly reference: string | undefined;
  readonly headers: readonly Field[];
}

/** The parts of an operation. */
export interface OperationParts {
  readonly operation: Operation;
  /** Its parameters and those of its path. */
  readonly parameters: readonly Field[];
  /** The names of two headers that are one. */
  readonly alike: readonly string[];
  /** Its body; one without content if it has none. */
  readonly body: DocumentMessage;
  readonly responses: readonly Reply[];
}

/** What operations are read with. */
interface PartReader {
  readonly source: Source;
  /** The media types that are chosen where there are several. */
  readonly options: { readonly prefer?: readonly string[] };
}

/**
 * Reads the parts of an operation.
 *
 * @throws {TypeError} If a reference leads nowhere.
 */
export function readOperation(operation: Operation, reader: PartReader): OperationParts {
  const { source } = reader;
  const alike: string[] = [];
  const parameters = listParameters(source, operation, (one, other) => {
    alike.push(`the header ${toOneLine(one)} is also declared as ${toOneLine(other)}; it is one`);
  });
  return {
    operation,
    parameters: parameters.map((each) => toField(String(each.part.name), each, reader)),
    alike,
    body: readMessage(memberOf(operation, "requestBody"), "request", reader),
    responses: listMembers(source, memberOf(operation, "responses")).filter(([name]) => !name.startsWith("x-"))
      .map(([name, located]) => readReply(name, located, reader)),
  };
}

function readReply(name: string, located: Located, reader: PartReader): Reply {
  const { source } = reader;
  const { $ref } = toPart(located.value);
  const status = /^[1-5]xx$/i.test(name) ? name.toUpperCase() : name;
  const message = readMessage(located, `response ${status}`, reader);
  const headers = listMembers(source, memberOf(message, "headers")).map(([header, each]) =>
    toField(header, resolvePart(source, each), reader)
  );
  return { ...message, name, status, reference: typeof $ref === "string" ? $ref : undefined, headers };
}

function readMessage(located: Located, what: string, { source, options }: PartReader): DocumentMessage {
  const message = resolvePart(source, located);
  const contents = contentsOf(source, message);
  const { planned, changes } = chooseMediaType(contents.map(({ type }) => type), what, options.prefer);
  return { ...message, contents, media: contents.find(({ type }) => type === planned), changes };
}

function toField(name: string, located: LocatedPart, { source }: PartReader): Field {
  return { ...located, name, content: contentsOf(source, located)[0] };
}

/** Returns the content of a part by media type. The part, its content and each media type may be references. */
export function contentsOf(source: Source, located: LocatedPart): MediaContent[] {
  return listMembers(source, memberOf(located, "content")).map(([type, each]) => ({
    type,
    ...resolvePart(source, each),
  }));
}

/** Returns the schema of a field. */
export function schemaOf({ content, ...field }: Field): Located {
  return memberOf(content ?? field, "schema");
}

/** Returns the schema of a content, or of its items. */
export function itemSchemaOf(media: MediaContent): Located {
  return memberOf(media, media.part.itemSchema === undefined ? "schema" : "itemSchema");
}
