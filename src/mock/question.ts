/** Formats the input of a request as text. Equal inputs have equal texts on every runtime. */
import { hashText } from "../json_schema/choices.ts";

/** The maximum depth of values. */
const deepest = 16;

/**
 * Formats a decoded value, including the outputs of codecs and schemas. Streams are not read; files count by name, size
 * and type.
 */
export function formatQuestion(value: unknown, depth = deepest): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "function";
  if (typeof value !== "object" || value === null) return String(value);
  if (depth === 0) return "…";
  return formatObject(value, depth - 1);
}

function formatObject(value: object, depth: number): string {
  if (ArrayBuffer.isView(value)) return `bytes ${value.byteLength} ${hashBytes(value)}`;
  if (value instanceof Blob) return `file ${"name" in value ? value.name : ""} ${value.size} ${value.type}`;
  if (value instanceof Promise || value instanceof ReadableStream || Symbol.asyncIterator in value) return "stream";
  if ("toJSON" in value && typeof value.toJSON === "function") return formatQuestion(value.toJSON(), depth);
  if (Symbol.iterator in value) {
    return `[${Array.from(value as Iterable<unknown>, (item) => formatQuestion(item, depth)).join()}]`;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined).sort(byName)
    .map(([name, member]) => `${JSON.stringify(name)}:${formatQuestion(member, depth)}`);
  return `{${members.join()}}`;
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function hashBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): number {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = "";
  for (let index = 0; index < bytes.length && index < 10_000; index++) text += String.fromCharCode(bytes[index]!);
  return hashText(text);
}
