/** Code as data, from which the file of a slim contract is printed. */

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

export interface List {
  readonly items: readonly Code[];
}

export interface Entries {
  /** The values by key. The key `...` spreads an object. */
  readonly entries: readonly (readonly [key: string, value: Code])[];
  /** Whether each entry is on its own line, even if all entries fit on one. */
  readonly isTall: boolean;
}

/** Returns the file's local name of an import. */
export type ToLocalName = (reference: Reference) => string;

/** Returns the names that code imports, in order and with duplicates. */
export function referencesIn(code: Code): readonly Reference[] {
  if (typeof code === "string") return [];
  if ("from" in code) return [code];
  if ("called" in code) return [code.called, ...code.values.flatMap(referencesIn)];
  return "items" in code ? code.items.flatMap(referencesIn) : code.entries.flatMap(([, value]) => referencesIn(value));
}

const lineWidth = 120;

/** Prints code in the format of `deno fmt`, in lines of 120 characters. `before` is the beginning of its first line. */
export function printCode(code: Code, toLocal: ToLocalName, before: string): string {
  const line = isTall(code) ? undefined : printInline(code, toLocal);
  if (line !== undefined && before.length + line.length < lineWidth) return before + line; // not equal, which leaves room for the comma
  if (typeof code === "string" || "from" in code || "called" in code) return before + line;
  const indent = `${before.slice(0, before.search(/[^ ]|$/))}  `;
  const items = "items" in code
    ? code.items.map((item) => printCode(item, toLocal, indent))
    : code.entries.map(([key, value]) => printCode(value, toLocal, `${indent}${printKey(key)}`));
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
  return `{ ${code.entries.map(([key, value]) => `${printKey(key)}${print(value)}`).join(", ")} }`;
}

/** Prints what precedes a value: its key, or the dots of a spread. */
function printKey(key: string): string {
  if (key === "...") return key;
  if (key === "__proto__") return '["__proto__"]: '; // quoted alone, it would set the prototype
  return `${/^(?:[A-Za-z_$][\w$]*|0|[1-9]\d{0,8})$/.test(key) ? key : JSON.stringify(key)}: `;
}
