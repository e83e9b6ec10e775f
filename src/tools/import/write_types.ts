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
} from "../code/print.ts";
import { keysIn, type Model, type ModelOf, type ObjectModel, type Property } from "./model.ts";
import type { RoutePlan } from "./plan.ts";

/** How references are written. */
export interface TypeOptions {
  /** The name of the type of a schema. */
  readonly nameOf: (key: string) => string;
  /** Whether it is the type in JSON, where a `Date` is text. */
  readonly isJson?: boolean;
  /** Whether it is what a schema accepts, and not what it returns. */
  readonly isInput?: boolean;
  /** Whether the properties of the type itself may have defaults. */
  readonly isSlot?: boolean;
  /** Whether files are possible with a schema library: in a form. */
  readonly hasFiles?: boolean;
  /** How the types of a schema library differ. Default: those of values that no library has seen. */
  readonly rules?: TypeRules & { readonly modelOf: ModelOf };
  /** Whether numbers and booleans in text are text, as headers arrive. */
  readonly isReceived?: boolean;
}

/** How the types that a schema library infers differ from those of others. */
export interface TypeRules {
  /** What an optional property may be besides its type: ` | undefined`, or nothing. */
  readonly absent: string;
  /** An object without properties that has no others, and one that does not mention any. */
  readonly empty: Readonly<Record<"closed" | "ignored", string>>;
  /** Whether a text of several parts has a type of its own. */
  readonly hasTemplates: boolean;
  /** Returns a property that the library can check. `undefined` if it has none. */
  readonly toCheckable: (property: Property) => Property | undefined;
  /** Whether the type of an object's further properties is known, and not any. */
  readonly hasOthers: (object: ObjectModel) => boolean;
  /** Whether the library knows that a type has no value. */
  readonly isNever: (model: Model, modelOf: ModelOf) => boolean;
}

export function typeCode(model: Model, own: TypeOptions): Code {
  const options = own.isSlot ? { ...own, isSlot: false } : own; // only a slot's own properties have defaults
  if (options.rules?.isNever(model, options.rules.modelOf)) return "never";
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
      if (!options.rules) return "Blob";
      return options.hasFiles ? "File" : "string";
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
      return objectType(model, own);
    case "union":
      return unionCode(model.members.map((member) => typeCode(member, options)));
    case "intersection":
      return model.members.map((member) => typeCode(member, options))
        .flatMap((code, index) => [...(index > 0 ? [" & "] : []), isUnion(code) ? ["(", code, ")"] : code]);
    case "reference":
      return options.nameOf(model.key);
    case "text": {
      if (options.isReceived) return "string";
      const type = typeCode(model.of, options);
      return options.isInput ? unionCode(["string", type]) : type;
    }
    case "template":
      if (options.rules?.hasTemplates === false) return "string";
      return "`" + model.parts.map((part) => part === undefined ? "${string}" : escapeTemplate(part)).join("") + "`";
  }
}

function objectType(object: ObjectModel, { isSlot = false, ...options }: TypeOptions): Code {
  const { rules, isInput = false } = options;
  const { others } = object;
  if (object.properties.length === 0) {
    if (rules && (others === "closed" || others === "ignored")) return rules.empty[others];
    if (others === "closed") return "Record<string, never>";
    const value = typeof others === "object" ? typeCode(others, options) : "unknown";
    const mayBeCircular = typeof others === "object" && keysIn(others).length > 0; // a Record must not be
    return mayBeCircular ? ["{ [name: string]: ", value, " }"] : ["Record<string, ", value, ">"];
  }
  const properties = rules ? object.properties.flatMap((each) => rules.toCheckable(each) ?? []) : object.properties;
  const items = properties.map(({ name, model, isRequired }) => {
    const hasDefault = isSlot && model.default !== undefined;
    const isCertain = isRequired ? !(hasDefault && isInput) : hasDefault && !isInput;
    return {
      comment: describe(model),
      code: [
        `${propertyName(name)}${isCertain ? "" : "?"}: `,
        typeCode(model, options),
        ...(isCertain ? [] : [rules?.absent ?? " | undefined"]),
      ] as Code,
    };
  });
  const isTyped = rules !== undefined && typeof others === "object" && rules.hasOthers(object);
  const open = isTyped
    ? [{ code: ["[name: string]: ", typeCode(others, options)] as Code }]
    : others === "open" || typeof others === "object"
    ? [{ code: "[name: string]: unknown" }]
    : [];
  return { ...objectCode([...items, ...open]), separator: ";" };
}

export function describe({ description, deprecated }: Model): string[] | undefined {
  const text = [
    ...(description === undefined ? [] : [escapeTags(description)]),
    ...(deprecated ? ["@deprecated"] : []),
  ];
  return text.length === 0 ? undefined : [text.join("\n\n")];
}

export function commentOf({ summary, description, deprecated }: RoutePlan): string[] {
  const lines = [summary, description === summary ? undefined : description].filter((part) => part !== undefined);
  const text = [...lines.map(escapeTags), ...(deprecated ? ["@deprecated"] : [])].join("\n\n");
  return text === "" ? [] : commentLines(text);
}

export function docLines(model: Model): string[] {
  return describe(model)?.flatMap((text) => commentLines(text)) ?? [];
}

export function unionCode(members: readonly Code[]): Code {
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
