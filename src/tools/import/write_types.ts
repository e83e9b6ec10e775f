/** Writes types of TypeScript. */
import { type Code, commentLines, escapeTags, type Group, listCode, objectCode, propertyName, quote } from "./code.ts";
import { referencesOf, type Shape } from "./shape.ts";

/** How references are written. */
export interface TypeOptions {
  /** The name of the type of a schema. */
  readonly nameOf: (key: string) => string;
  /** Whether it is the type in JSON, where a `Date` is text. */
  readonly isJson?: boolean;
}

/** Returns the type of a value. */
export function typeCode(shape: Shape, options: TypeOptions): Code {
  switch (shape.kind) {
    case "unknown":
      return "unknown";
    case "never":
    case "null":
    case "boolean":
    case "number":
      return shape.kind;
    case "string":
      return shape.isDate && !options.isJson ? "Date" : "string";
    case "file":
      return "Blob";
    case "literal":
      return unionCode(shape.values.map((value) => typeof value === "string" ? quote(value) : String(value)));
    case "array":
      return arrayCode(typeCode(shape.items, options));
    case "tuple":
      return listCode([
        ...shape.items.map((item) => typeCode(item, options)),
        ...(shape.rest ? [["...", arrayCode(typeCode(shape.rest, options))]] : []),
      ]);
    case "object":
      return objectType(shape, options);
    case "union":
      return unionCode(shape.members.map((member) => typeCode(member, options)));
    case "intersection":
      return shape.members.map((member) => typeCode(member, options))
        .flatMap((code, index) => [...(index > 0 ? [" & "] : []), isUnion(code) ? ["(", code, ")"] : code]);
    case "reference":
      return options.nameOf(shape.key);
    case "text":
      return typeCode(shape.of, options);
    case "template":
      return "`" + shape.parts.map((part) => part === undefined ? "${string}" : escapeTemplate(part)).join("") + "`";
  }
}

function objectType({ properties, others }: Shape & { kind: "object" }, options: TypeOptions): Code {
  if (properties.length === 0) {
    if (others === "closed") return "Record<string, never>";
    const value = typeof others === "object" ? typeCode(others, options) : "unknown";
    const mayBeCircular = typeof others === "object" && referencesOf(others).length > 0; // a Record must not be
    return mayBeCircular ? ["{ [name: string]: ", value, " }"] : ["Record<string, ", value, ">"];
  }
  const items = properties.map(({ name, shape, isRequired }) => ({
    comment: describe(shape),
    code: [
      `${propertyName(name)}${isRequired ? "" : "?"}: `,
      typeCode(shape, options),
      ...(isRequired ? [] : [" | undefined"]),
    ] as Code,
  }));
  const open = others === "open" || typeof others === "object" ? [{ code: "[name: string]: unknown" }] : [];
  return { ...objectCode([...items, ...open]), separator: ";" };
}

/** Returns the doc comment of a property. */
export function describe({ description, deprecated }: Shape): string[] | undefined {
  const text = [
    ...(description === undefined ? [] : [escapeTags(description)]),
    ...(deprecated ? ["@deprecated"] : []),
  ];
  return text.length === 0 ? undefined : [text.join("\n\n")];
}

/** Returns the lines of the doc comment of a schema. */
export function docLines(shape: Shape): string[] {
  return describe(shape)?.flatMap((text) => commentLines(text)) ?? [];
}

function unionCode(members: readonly Code[]): Code {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  const flat = members.flatMap((code) => isUnion(code) ? code.items.map((item) => item.code) : [code]);
  return { open: "", items: flat.map((code) => ({ code })), close: "", separator: " |" };
}

function arrayCode(items: Code): Code {
  return ["Array<", items, ">"];
}

function isUnion(code: Code): code is Group {
  return typeof code === "object" && "separator" in code && code.separator === " |";
}

/** Returns a part of a template literal. */
function escapeTemplate(text: string): string {
  return quote(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(/[`$]/g, "\\$&");
}
