/** What a schema library has to say to be written. */
import { type Code, quote } from "../code/print.ts";
import { areExclusive } from "./overlap.ts";
import {
  behind,
  type Model,
  type ModelOf,
  type ObjectModel,
  type Property,
  type TupleModel,
  type UnionModel,
} from "./model.ts";
import type { NotesRules } from "./plan.ts";
import type { TypeRules } from "./write_types.ts";

/** The schema libraries that can be written. */
export type SchemaLibrary = "zod" | "valibot" | "arktype";

/** Writes the schemas of a library. */
export interface SchemaWriter {
  readonly name: SchemaLibrary;
  /** The import that every module with schemas has. */
  readonly imports: string;
  /** The module with the functions that written schemas use. */
  readonly helper: HelperModule;
  /** The module that converts dates, if they are converted. */
  readonly dates?: HelperModule;
  /** What is declared as the schema of a body, a response or parameters; by default the schema itself. */
  readonly declare?: (schema: Code) => Code;
  /** The type of the values of a schema. */
  readonly typeOf: (identifier: string) => string;
  /** The type of a schema whose values have a type, and another in JSON if they contain dates. */
  readonly annotate: (type: string, json?: string) => string;
  /** How the types that it infers differ from those of others. */
  readonly types: TypeRules;
  /** Where its schemas have the annotations of the document. */
  readonly notes: (modelOf: ModelOf) => NotesRules;
  /** Writes a schema. */
  readonly write: (model: Model, options: WriteOptions) => Code;
  /** Writes the schema of parameters, of headers or of a form. */
  readonly slot: (model: ObjectModel, options: WriteOptions) => Code;
  /** Writes schemas that refer to each other, as an object of them. Without it, each is written with an explicit type. */
  readonly cycle?: (members: readonly CycleMember[], options: WriteOptions) => Code;
}

/** A module of functions. It is written if a module uses one. */
export interface HelperModule {
  /** Its file, without an extension. */
  readonly file: string;
  readonly names: readonly string[];
  readonly code: string;
}

/** The code of a function for headers of responses. It is the same for all libraries. */
export const toTextCode = `
/** Sends numbers and booleans as text: the schema of a response's headers. */
export function toText<Declared extends FieldSchema>(schema: Declared): SentFields<Declared["~standard"]["types"]> {
  const standard = schema["~standard"];
  const validate = (value: unknown) => {
    const checked = standard.validate(value) as { readonly value?: object; readonly issues?: unknown };
    if (checked.issues) return checked;
    const fields = Object.entries(checked.value ?? {}).map(([name, each]) =>
      [name, typeof each === "number" || typeof each === "boolean" ? String(each) : each] as const
    );
    return { value: Object.fromEntries(fields) };
  };
  return { "~standard": { ...standard, validate } } as never; // its output is text now
}

interface FieldSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

interface SentFields<Types> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) =>
      | { readonly value: TextFields<Types>; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string }[] };
    readonly types?: { readonly input: FieldTypes<Types>["input"]; readonly output: TextFields<Types> } | undefined;
  };
}

type FieldTypes<Types> = Types extends { readonly input: unknown; readonly output: unknown } ? Types : never;

type TextFields<Types> = {
  [Name in keyof FieldTypes<Types>["output"]]: TextField<FieldTypes<Types>["output"][Name]>;
};

type TextField<Value> = Value extends number | boolean ? string : Value;
`;

/** One of several schemas that refer to each other. */
export interface CycleMember {
  readonly key: string;
  readonly identifier: string;
  readonly model: Model;
}

/** What the schemas of one module are written with. */
export interface WriteOptions {
  /** Returns the identifier of a named schema, and notes that the module uses it. */
  readonly nameOf: (key: string) => string;
  /** Returns the type of a named schema. */
  readonly modelOf: ModelOf;
  /** Whether a schema is defined later than the one that is written, or is that one. */
  readonly isLater: (key: string) => boolean;
  /** Whether objects can be told apart by a property with a text of its own. */
  readonly isTold: (members: readonly Model[], discriminator: string) => boolean;
  /** Reports what the written schema of a type does not check. */
  readonly lose: (model: Model, what: string) => void;
  /** Imports a function or a schema of the module that converts dates. */
  readonly useDate: (name: string) => string;
  /** The identifier of the schema that is written, if it is a named one. */
  readonly identifier?: string;
  /** Whether files are possible: in a form. */
  readonly hasFiles?: boolean;
  /** Whether the code runs later than the module: in a getter. */
  readonly isDelayed?: boolean;
}

/** What is not checked of an object whose other properties are of a type that its properties are not of. */
export const lostOthers = "additionalProperties of another type than properties";

/**
 * Returns a property that a library can check. Libraries read what objects inherit, so an optional property with a name
 * such as `constructor` would be a function in objects without it.
 */
export function toCheckable(property: Property, { lose }: Pick<WriteOptions, "lose">): Property {
  const { name, model, isRequired } = property;
  if (!(name in Object.prototype)) return property;
  if (isRequired) {
    const isCertain = ["null", "boolean", "string", "number", "literal", "array", "tuple", "never"].includes(
      model.kind,
    );
    if (!isCertain) lose(model, `that ${quote(name)} is present`);
    return property;
  }
  if (model.kind === "unknown") return property;
  lose(model, `the optional property ${quote(name)}`);
  return { ...property, model: { kind: "unknown", description: model.description, deprecated: model.deprecated } };
}

/**
 * Returns a regular expression. TypeScript does not know each script that `\p{Script=…}` can name, nor each modifier.
 */
export function patternCode(pattern: string): string {
  return /\\[pP]\{|\(\?[a-z-]+:/.test(pattern) ? `new RegExp(${quote(pattern)}, "u")` : `/${pattern}/u`;
}

/** Reports a list whose last items may be absent, if the library takes an absent item for `undefined`. */
export function reportAbsentItems(tuple: TupleModel, { lose, modelOf }: WriteOptions): void {
  const last = tuple.items.at(-1);
  if (last && behind(last, modelOf).kind === "unknown") lose(tuple, "that the last items of a list are present");
}

/** Reports objects of a union that overlap, if the library returns only the properties of the first that matches. */
export function reportStripped(model: UnionModel, { lose, modelOf }: WriteOptions): void {
  const objects = model.members.filter((member) => {
    const target = behind(member, modelOf);
    return target.kind === "object" && target.others === "ignored";
  });
  if (!areExclusive(objects, modelOf)) {
    lose(model, "which of several objects a value is: the first that matches removes the properties of others");
  }
}
