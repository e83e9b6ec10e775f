/** Code as data: what a slim contract's file is printed of. */

/** A value in code. */
export type Code = string | Reference | Call | List | Entries;

/** A name that the file imports. */
export interface Reference {
  readonly from: "library" | "codecs";
  readonly name: string;
}

/** A call of an imported function. */
export interface Call {
  readonly called: Reference;
  readonly values: readonly Code[];
}

/** An array. */
export interface List {
  readonly items: readonly Code[];
}

/** An object. */
export interface Entries {
  readonly entries: readonly (readonly [key: string, value: Code])[];
  /** Whether each entry has a line of its own, even if all of them fit into one. */
  readonly isTall: boolean;
}

/** The name that the file has for an imported one. */
export type ToLocalName = (reference: Reference) => string;

/** The names that code needs imported, in their order, some several times. */
export function referencesIn(code: Code): readonly Reference[] {
  if (typeof code === "string") return [];
  if ("from" in code) return [code];
  if ("called" in code) return [code.called, ...code.values.flatMap(referencesIn)];
  return "items" in code ? code.items.flatMap(referencesIn) : code.entries.flatMap(([, value]) => referencesIn(value));
}

const lineWidth = 120;

/** Code as `deno fmt` writes it, in lines of 120 characters; `before` is what stands in its first line. */
export function printCode(code: Code, toLocal: ToLocalName, before: string): string {
  const line = isTall(code) ? undefined : printInline(code, toLocal);
  if (line !== undefined && before.length + line.length < lineWidth) return before + line; // less than, for the comma
  if (typeof code === "string" || "from" in code || "called" in code) return before + line;
  const indent = `${/^ */.exec(before)![0]}  `;
  const items = "items" in code
    ? code.items.map((item) => printCode(item, toLocal, indent))
    : code.entries.map(([key, value]) => printCode(value, toLocal, `${indent}${printKey(key)}: `));
  const [open, close] = "items" in code ? "[]" : "{}";
  return [`${before}${open}`, ...items.map((item) => `${item},`), `${indent.slice(2)}${close}`].join("\n");
}

function isTall(code: Code): boolean {
  return typeof code === "object" && "isTall" in code && code.isTall && code.entries.length > 0;
}

function printInline(code: Code, toLocal: ToLocalName): string {
  const print = (value: Code): string => printInline(value, toLocal);
  if (typeof code === "string") return code;
  if ("from" in code) return toLocal(code);
  if ("called" in code) return `${toLocal(code.called)}(${code.values.map(print).join(", ")})`;
  if ("items" in code) return `[${code.items.map(print).join(", ")}]`;
  if (code.entries.length === 0) return "{}";
  return `{ ${code.entries.map(([key, value]) => `${printKey(key)}: ${print(value)}`).join(", ")} }`;
}

function printKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]'; // else it would set the prototype
  return /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d{0,8})$/.test(key) ? key : JSON.stringify(key);
}
