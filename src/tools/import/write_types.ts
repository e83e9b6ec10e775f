/** Writes types of TypeScript. */
import {
  type Code,
  commentLines,
  escapeTags,
  type Group,
  listCode,
  objectCode,
  propertyName,
  quote,
} from "../slim/code.ts";
import { type Model, referencesOf } from "./model.ts";

/** How references are written. */
export interface TypeOptions {
  /** The name of the type of a schema. */
  readonly nameOf: (key: string) => string;
  /** Whether it is the type in JSON, where a `Date` is text. */
  readonly isJson?: boolean;
  /** Whether numbers and booleans in text are text, as headers arrive. */
  readonly isReceived?: boolean;
}

/** Returns the type of a value. */
export function typeCode(model: Model, options: TypeOptions): Code {
  switch (model.kind) {
    case "unknown":
      return "unknown";
    case "never":
    case "null":
    case "boolean":
    case "number":
      return model.kind;
    case "string":
      return model.isDate && !options.isJson ? "Date" : "string";
    case "file":
      return "Blob";
    case "literal":
      return unionCode(model.values.map((value) => typeof value === "string" ? quote(value) : String(value)));
    case "array":
      return arrayCode(typeCode(model.items, options));
    case "tuple":
      return listCode([
        ...model.items.map((item) => typeCode(item, options)),
        ...(model.rest ? [["...", arrayCode(typeCode(model.rest, options))]] : []),
      ]);
    case "object":
      return objectType(model, options);
    case "union":
      return unionCode(model.members.map((member) => typeCode(member, options)));
    case "intersection":
      return model.members.map((member) => typeCode(member, options))
        .flatMap((code, index) => [...(index > 0 ? [" & "] : []), isUnion(code) ? ["(", code, ")"] : code]);
    case "reference":
      return options.nameOf(model.key);
    case "text":
      return options.isReceived ? "string" : typeCode(model.of, options);
    case "template":
      return "`" + model.parts.map((part) => part === undefined ? "${string}" : escapeTemplate(part)).join("") + "`";
  }
}

function objectType({ properties, others }: Model & { kind: "object" }, options: TypeOptions): Code {
  if (properties.length === 0) {
    if (others === "closed") return "Record<string, never>";
    const value = typeof others === "object" ? typeCode(others, options) : "unknown";
    const mayBeCircular = typeof others === "object" && referencesOf(others).length > 0; // a Record must not be
    return mayBeCircular ? ["{ [name: string]: ", value, " }"] : ["Record<string, ", value, ">"];
  }
  const items = properties.map(({ name, model, isRequired }) => ({
    comment: describe(model),
    code: [
      `${propertyName(name)}${isRequired ? "" : "?"}: `,
      typeCode(model, options),
      ...(isRequired ? [] : [" | undefined"]),
    ] as Code,
  }));
  const open = others === "open" || typeof others === "object" ? [{ code: "[name: string]: unknown" }] : [];
  return { ...objectCode([...items, ...open]), separator: ";" };
}

/** Returns the doc comment of a property. */
export function describe({ description, deprecated }: Model): string[] | undefined {
  const text = [
    ...(description === undefined ? [] : [escapeTags(description)]),
    ...(deprecated ? ["@deprecated"] : []),
  ];
  return text.length === 0 ? undefined : [text.join("\n\n")];
}

/** Returns the lines of the doc comment of a schema. */
export function docLines(model: Model): string[] {
  return describe(model)?.flatMap((text) => commentLines(text)) ?? [];
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
