/** JSON text: parsed and encoded without silent loss. Values that JSON cannot represent are errors. */
import { isObject } from "../mark.ts";
import { formatStep } from "../schema.ts";

/** The maximum number of levels that a client reads. A deeper text overflows the stack of whatever recurses into it. */
const maxLevels = 1000;

/**
 * Parses a JSON text without the byte order marks before it, which RFC 8259, section 8.1, allows to ignore. Some runtimes
 * remove one when they read a text. Throws a `SyntaxError` if the text is malformed.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text.startsWith("\ufeff") ? text.replace(/^\ufeff+/, "") : text);
}

/** Parses a JSON text for clients. Throws a `SyntaxError` if the text is malformed or nested too deeply. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > maxLevels && isDeeperThan(maxLevels, value)) {
    throw new SyntaxError(`The JSON has more than ${maxLevels} levels of nesting`);
  }
  return value;
}

/**
 * Returns whether a JSON value has more levels of arrays and objects than the maximum. A string has none, and `[]` has
 * one.
 */
export function isDeeperThan(maxDepth: number, value: unknown): boolean {
  if (Object(value) !== value) return false;
  if (maxDepth === 0) return true;
  if (Array.isArray(value)) {
    for (const part of value) if (typeof part === "object" && isDeeperThan(maxDepth - 1, part)) return true;
    return false;
  }
  // deno-lint-ignore guard-for-in -- `Object.values` takes half as long again; an inherited field is a part like any other
  for (const key in value as JsonParts) {
    const part = (value as JsonParts)[key];
    if (typeof part === "object" && isDeeperThan(maxDepth - 1, part)) return true;
  }
  return false;
}

/**
 * Returns the JSON text of a value. Throws a `TypeError` where `JSON.stringify` would write `null` or `{}` for
 * something else: a number that is not finite, an invalid `Date`, `undefined`, a function or a symbol in an array, and
 * objects such as a `Map` that are not plain.
 *
 * @param isPlainData Decides quickly whether JSON can represent every part of a value. Clients omit it to save bytes.
 */
export function encodeStrictJson(value: unknown, isPlainData?: (value: unknown) => boolean): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON cannot encode ${typeof value}`);
  const isSuspect = text.includes("ull") || text.includes("{}"); // most texts have more `n` than `u`, at which a search for `null` would stop
  return isSuspect && !isPlainData?.(value) ? encodeStrictly(value) : text;
}

function encodeStrictly(root: unknown): string {
  const holders: unknown[] = []; // the ancestors of the part that is written, outermost first
  const keys: string[] = [];
  return JSON.stringify(root, function (this: Record<string, unknown>, key, value: unknown): unknown {
    while (holders.length > 0 && holders.at(-1) !== this) {
      holders.pop();
      keys.pop();
    }
    const loss = findLoss(this, key, value);
    if (loss) {
      const [part, written] = loss;
      throw new TypeError(`JSON cannot encode ${part}${formatPlace([...keys, key])}: it would become ${written}`);
    }
    holders.push(value);
    keys.push(key);
    return value;
  });
}

/** Returns the place of a part as a JSON Pointer. The first key is that of the whole. */
function formatPlace([, ...path]: readonly string[]): string {
  return path.length > 0 ? ` at ${path.map(formatStep).join("")}` : "";
}

/** Returns the kind of a part that JSON would replace, and the replacement. */
function findLoss(
  holder: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): readonly [part: string, written: "null" | "{}"] | undefined {
  if (typeof value === "number" || value instanceof Number) {
    return Number.isFinite(Number(value)) ? undefined : [String(value), "null"];
  }
  if (value === null) return holder[key] instanceof Date ? ["an invalid Date", "null"] : undefined;
  if (typeof value === "object") {
    const isLost = Object.keys(value).length === 0 && !safeKinds.has(kindOf(value));
    return isLost ? [`a ${kindOf(value)}`, "{}"] : undefined;
  }
  const isLeftOut = value === undefined || typeof value === "function" || typeof value === "symbol";
  return isLeftOut && Array.isArray(holder) ? [`${typeof value} in an array`, "null"] : undefined;
}

/** The kinds of objects that are written correctly even if they have no properties. */
const safeKinds: ReadonlySet<string> = new Set(["Object", "Array", "String", "Boolean"]);

/** Returns the kind of an object: `Object` for a plain one and for an instance of most classes, `Map`, `Promise`. */
function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Returns the JSON text of a value, the same as from {@linkcode encodeStrictJson}. */
export function encodeJson(value: unknown): string {
  return encodeStrictJson(value, isPlainData);
}

/** An object or a list, whose parts are read by key. */
type JsonParts = Readonly<Record<PropertyKey, unknown>>;

/**
 * Returns whether JSON can represent every part of a value. It takes a seventh of the time of `JSON.stringify`. Like
 * that it is not recursive, so no depth is too much.
 */
function isPlainData(root: unknown): boolean {
  const left: JsonParts[] = [];
  if (!takePart(root, left)) return false;
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (!takeParts(value, left)) return false;
  }
  return true;
}

/**
 * Adds the parts of an object to the list. `false` if JSON cannot represent one, or the object may be written
 * differently.
 */
function takeParts(value: JsonParts, left: JsonParts[]): boolean {
  if (typeof value.toJSON === "function") return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!takePart(value[index], left)) return false; // a hole is `undefined`
    return true;
  }
  let isEmpty = true;
  // deno-lint-ignore guard-for-in -- `Object.keys` takes twice as long; inherited fields only lead to the strict check
  for (const key in value) {
    isEmpty = false;
    const field = value[key];
    if (field !== undefined && !takePart(field, left)) return false;
  }
  return !isEmpty || kindOf(value) === "Object";
}

/** Checks a part, or adds it to the list if it is an object. */
function takePart(value: unknown, left: JsonParts[]): boolean {
  if (typeof value === "object") {
    if (isObject(value)) left.push(value);
    return true;
  }
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
