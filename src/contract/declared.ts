/** Checks that all declarations share, and the error that they throw. */
import { isMarked, isObject } from "../mark.ts";
import { checkOptionNames, describeValue } from "../messages.ts";
import { trimSlashes } from "../path.ts";
import type { Representation } from "../representation/representation.ts";
import { isSchema, type Schema } from "../schema.ts";

/** Throws the `TypeError` of an invalid declaration: what was declared, what is wrong and the fix. */
export function cannotDeclare(where: string, state: string): never {
  throw new TypeError(`${where}: ${state}`);
}

/** The place of a schema: an input of a request, the fields of a form, any other body, or a part of a response. */
export type SchemaPlace = "params" | "query" | "headers" | "form" | "body" | "response";

/** Throws a `TypeError` unless the value is a schema. `what` names it, and `place` is where its values are. */
export function checkSchema(
  value: unknown,
  what: string,
  where: string,
  place?: SchemaPlace,
): asserts value is Schema {
  if (!isSchema(value)) {
    cannotDeclare(where, `${what} must be a Standard Schema (Zod, Valibot, ArkType, …), got ${describeValue(value)}`);
  }
  // every "styled" schema has the member
  if (place && isMarked(value, "styled")) (value as unknown as PlacedSchema).checkPlace(place, what, where);
}

/** A styled schema, which can be only in some places. */
interface PlacedSchema {
  /** Throws a `TypeError` if it cannot be in a place. `what` names the schema. */
  readonly checkPlace: (place: SchemaPlace, what: string, where: string) => void;
}

/** Returns the value if it is a plain object. Throws a `TypeError` otherwise. */
export function checkObject(
  value: unknown,
  where: string,
  what = "the options",
): Readonly<Record<string, unknown>> {
  const misfit = isObject(value) ? findMisfit(value) : describeDeclared(value);
  if (isObject(value) && misfit === undefined) return value;
  cannotDeclare(where, `${what} must be a plain object like { key: … }, got ${misfit}`);
}

/** Describes an object that is not plain; `undefined` for one that is. */
function findMisfit(value: object): string | undefined {
  if (isSchema(value) || Array.isArray(value)) return describeDeclared(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return 'an instance of a class; write a key __proto__ as ["__proto__"]';
  }
}

/** Describes a value like {@linkcode describeValue}, where a schema may have been passed. */
export function describeDeclared(value: unknown): string {
  return isSchema(value) ? "a schema" : describeValue(value);
}

/** Throws a `TypeError` unless `options` is an object whose keys are all in `allowed`. */
export function checkOptions(options: unknown, allowed: readonly string[], where: string, what?: string): void {
  checkOptionNames(checkObject(options, where, what), allowed, (state) => cannotDeclare(where, state), what);
}

/** Returns an object with the same keys and mapped values. Keys such as `__proto__` remain ordinary keys. */
export function mapObject<Value, Mapped>(
  object: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/**
 * What a path must not contain, and the fix for each, in which `$1` is the first group. Slashes at the ends of a path do
 * not matter.
 */
const refusedText: readonly (readonly [RegExp, string])[] = [
  [/%/, ", a percent sign; write the decoded character instead"],
  [/[?#]/, ', which ends a path; remove it, or declare "query"'],
  [/\\/, ", a backslash; separate segments with / instead"],
  [/\p{Cc}/u, ", a control character; remove it"],
  [/\p{Surrogate}/u, ", a lone surrogate; remove it"],
  [/\/\/+/, ", an empty segment; write one slash between segments"],
  [/(?<=^|\/)\.\.?(?=\/|$)/, ", a dot segment; write the path that it resolves to"],
  [
    /(?<=^|\/):(?![A-Za-z_]\w*(?:\/|$))[^/]*/,
    ", an invalid parameter; its name must have letters, digits and _ only, and not start with a digit",
  ],
  [
    /\{[^\w{}/]?([A-Za-z_]\w*)(?:[^\w{}/][^{}/]*)?\}/,
    ", which is not a parameter; write :$1",
  ],
];

/** Throws a `TypeError` if a path is invalid, declared or joined. `where` names it in the message. */
export function checkPath(path: unknown, where: string, what = "the path"): asserts path is string {
  if (typeof path !== "string") {
    cannotDeclare(where, `${what} must be a string like "/users/:id", got ${describeValue(path)}`);
  }
  const trimmed = trimSlashes(path);
  const refuse = (text: string, fix: string): never =>
    cannotDeclare(where, `${what} ${JSON.stringify(path)} contains ${JSON.stringify(text)}${fix}`);
  for (const [pattern, state] of refusedText) {
    const found = pattern.exec(trimmed);
    if (found) refuse(found[0], state.replace("$1", `${found[1]}`));
  }
  const segments = trimmed.split("/").sort(); // a regular expression would take quadratic time
  const repeated = segments.find((each, index) => each[0] === ":" && each === segments[index + 1]);
  if (repeated) refuse(repeated, " twice; rename one of the parameters");
}

/**
 * `type/subtype` in the characters of registered names (RFC 6838, section 4.2), then parameters that a header can
 * carry.
 */
const contentTypePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\t -~]*)?$/;

/**
 * Returns the content type of a declaration: one media type as written, or a frozen list of media types and ranges in
 * lowercase if the representation accepts ranges.
 */
export function toContentType(
  contentType: unknown,
  { ranges }: Representation,
  where: string,
): string | readonly string[] {
  const list = ranges ? [contentType].flat() : [contentType];
  const several = ranges?.toRanges(list, (state) => cannotDeclare(where, state));
  if (several) return several;
  const [only] = list;
  checkContentType(only, where);
  return only;
}

/** Throws a `TypeError` if the content type is not a media type. */
export function checkContentType(contentType: unknown, where: string): asserts contentType is string {
  if (typeof contentType === "string" && contentTypePattern.test(contentType)) return;
  cannotDeclare(
    where,
    `"contentType" must be a media type like "application/json", got ${describeValue(contentType)}`,
  );
}
