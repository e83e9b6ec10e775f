/** JSON text that says what its value is: where JSON has no word for a part, `JSON.stringify` writes `null` or `{}` instead. */
import { formatStep } from "../pointer.ts";

/**
 * The JSON text of a value. Throws a `TypeError` where `JSON.stringify` would write `null` or `{}` for something else: a number that is
 * not finite, an invalid `Date`, `undefined`, a function or a symbol in an array, and objects such as a `Map` that are not plain.
 *
 * @param isPlainData Tells at once that a value has nothing but parts that JSON has a word for. Clients do without, for the bytes.
 */
export function encodeStrictJson(value: unknown, isPlainData?: (value: unknown) => boolean): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON cannot carry a value of type ${typeof value}`);
  const isSuspect = text.includes("null") || text.includes("{}"); // found in 50 KiB within 15 µs
  return isSuspect && !isPlainData?.(value) ? encodeStrictly(value) : text;
}

/** The JSON text of a value, each part of which is checked when it is written. */
function encodeStrictly(root: unknown): string {
  const holders: unknown[] = []; // of the part that is written, from the outermost on
  const keys: string[] = [];
  return JSON.stringify(root, function (this: Record<string, unknown>, key, value: unknown): unknown {
    while (holders.length > 0 && holders.at(-1) !== this) {
      holders.pop();
      keys.pop();
    }
    const loss = findLoss(this, key, value);
    if (loss) {
      const [part, written] = loss;
      throw new TypeError(`JSON cannot carry ${part}${formatPlace([...keys, key])}: it would be written as ${written}`);
    }
    holders.push(value);
    keys.push(key);
    return value;
  });
}

/** Where a part is, as a JSON Pointer; the first key is that of the whole. */
function formatPlace([, ...path]: readonly string[]): string {
  return path.length > 0 ? ` at ${path.map(formatStep).join("")}` : "";
}

/** What a part is that JSON would write as something else, and what that is. */
function findLoss(
  holder: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): readonly [part: string, written: "null" | "{}"] | undefined {
  if (typeof value === "number" || value instanceof Number) {
    return Number.isFinite(Number(value)) ? undefined : [String(value), "null"];
  }
  if (value === null) return holder[key] instanceof Date ? ["an invalid Date", "null"] : undefined;
  if (typeof value === "object") return isLost(value) ? [`a ${kindOf(value)}`, "{}"] : undefined;
  const isLeftOut = value === undefined || typeof value === "function" || typeof value === "symbol";
  return isLeftOut && Array.isArray(holder) ? [`${typeof value} in a list`, "null"] : undefined;
}

/** Whether an object is written as `{}` though it may well have content. */
function isLost(value: object): boolean {
  return Object.keys(value).length === 0 && !safeKinds.has(kindOf(value));
}

/** The kinds of objects that are written as what they are, though they have no fields. */
const safeKinds: ReadonlySet<string> = new Set(["Object", "Array", "String", "Boolean"]);

/** What kind of object a value is: `Object` for a plain one and for an instance of most classes, `Map`, `Promise`. */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
