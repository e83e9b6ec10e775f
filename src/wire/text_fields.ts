/** Fields before validation: a value, or a list if a name occurs several times. */
export type Fields<Value> = Record<string, Value | Value[]>;

/** Fields of text. */
export type TextFields = Fields<string>;

/** Sets an own property. `__proto__` is a key like any other. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else record[key] = value;
}

/** Adds a field: a single value, or a list with others of the same name. */
export function addField<Value>(fields: Fields<Value>, name: string, value: Value): void {
  if (!Object.hasOwn(fields, name)) return setOwn(fields, name, value);
  const present = fields[name]!;
  if (Array.isArray(present)) present.push(value);
  else setOwn(fields, name, [present, value]);
}

/**
 * The fields that a caller passed, by name. Throws a `TypeError` unless they are a plain object, because a `Map` would
 * be sent as nothing.
 */
export function toFields(fields: unknown, slot: string): Readonly<Record<string, unknown>> {
  const prototype = typeof fields === "object" && fields !== null ? Object.getPrototypeOf(fields) : undefined;
  const isPlain = prototype === null || (prototype && Object.getPrototypeOf(prototype) === null);
  if (isPlain) return fields as Record<string, unknown>;
  throw new TypeError(`${slot} must be a plain object`);
}

/** The texts that a caller passed, with their names, in order. Throws a `TypeError` if a value is not text. */
export function toTextPairs(fields: unknown, slot: string): (readonly [name: string, text: string])[] {
  const pairs = Object.entries(toFields(fields, slot)).flatMap(([name, value]) => {
    const texts = toTexts(value);
    if (texts === undefined) {
      throw new TypeError(`${JSON.stringify(name)} of ${slot} must be a string or an array of strings`);
    }
    return texts.map((text) => [name, text] as const);
  });
  if (pairs.every(([name, text]) => name.isWellFormed() && text.isWellFormed())) return pairs;
  throw new TypeError(`${slot} must not have lone surrogates`);
}

/** The texts of a caller's value: several for a list, none for `undefined`. `undefined` if the value is not text. */
export function toTexts(value: unknown): string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return isTextValue(value) ? [String(value)] : undefined;
  return value.every(isTextValue) ? value.map(String) : undefined;
}

/** Whether a value has one obvious text. */
export function isTextValue(value: unknown): value is string | number | boolean | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ||
    typeof value === "bigint";
}
