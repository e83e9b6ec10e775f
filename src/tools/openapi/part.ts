/** Reading of values whose types are not known, such as the parts of a document that someone else wrote. */
import { isSchemaObject } from "../json_schema/json.ts";

export type Part = Readonly<Record<string, unknown>>;

export function isPart(value: unknown): value is Part {
  return isSchemaObject(value);
}

/** Returns the value if it is an object, otherwise an empty one. */
export function toPart(value: unknown): Part {
  return isPart(value) ? value : {};
}

/** Returns the value if it is a list, otherwise an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a text that is not blank. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Returns the own member of an object, which a name such as `constructor` does not inherit. */
export function ownMember(part: unknown, name: string): unknown {
  return typeof part === "object" && part !== null && Object.hasOwn(part, name)
    ? (part as Record<string, unknown>)[name]
    : undefined;
}

/** Adds a property under any name, `__proto__` included. */
export function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns an object of entries with any names, `__proto__` included. */
export function toObject<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const object: Record<string, Value> = {};
  for (const [name, value] of entries) define(object, name, value);
  return object;
}

/** An object without the members that are undefined. */
export type Present<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns an object without the members that are undefined. */
export function present<Members extends object>(members: Members): Present<Members> {
  const entries = Reflect.ownKeys(members).map((key) => [key, members[key as keyof Members]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Present<Members>; // only absent ones are gone
}

/** The sentence that a description of a limited body ends with, for people. */
export function describeLimit(maxBytes: number): string {
  return `At most ${maxBytes} bytes.`;
}

/** Returns the most bytes of a body in a document: its extension `x-max-bytes`, or what its description ends with. */
export function readLimit(
  { description, "x-max-bytes": limit }: Readonly<Record<string, unknown>>,
): number | undefined {
  if (typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 0) return limit;
  const [, told] = typeof description === "string" ? /(?:^| )At most (\d{1,15}) bytes\.$/.exec(description) ?? [] : [];
  return told === undefined ? undefined : Number(told);
}

/** Tests whether a property has a flag, itself, in the schema that it refers to, or in a member of `allOf`. */
export function hasFlag(
  value: unknown,
  flag: "readOnly" | "writeOnly",
  find: (reference: string) => { readonly value: unknown } | undefined,
  seen: Set<string> = new Set(),
): boolean {
  const { $ref, allOf, ...schema } = toPart(value);
  if (schema[flag] === true) return true;
  const isNew = typeof $ref === "string" && !seen.has($ref);
  if (isNew && hasFlag(find($ref)?.value, flag, find, seen.add($ref))) return true;
  return toList(allOf).some((each) => hasFlag(each, flag, find, seen));
}
