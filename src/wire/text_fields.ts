/** What stands for fields of text before a schema sees them: a string, or a list where a name occurs several times. */
export type TextFields = Record<string, string | string[]>;

/** Sets an own property whatever its name: `__proto__` is a key like any other. */
export function setOwn(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else record[key] = value;
}

/** Adds a field in its order: alone it is a string, with others of its name a list. */
export function addField(fields: TextFields, name: string, value: string): void {
  if (!Object.hasOwn(fields, name)) return setOwn(fields, name, value);
  const present = fields[name]!;
  if (typeof present === "string") setOwn(fields, name, [present, value]);
  else present.push(value);
}

/** The texts that a caller's value stands for, or `undefined` where it is not text: several for a list, none for `undefined`. */
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
