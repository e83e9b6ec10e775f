/** What a schema library has to say to be written. */
import { type Code } from "./code.ts";
import { type ObjectShape, type Shape } from "./shape.ts";

/** The schema libraries that can be written. */
export type SchemaLibrary = "zod" | "valibot" | "arktype";

/** Writes the schemas of a library. */
export interface SchemaWriter {
  readonly name: SchemaLibrary;
  /** The import that every module with schemas has. */
  readonly imports: string;
  /** The module with the functions that written schemas use. */
  readonly helper: HelperModule;
  /** What is declared as the schema of a body, a response or parameters; by default the schema itself. */
  readonly declare?: (schema: Code) => Code;
  /** The type of the values of a schema. */
  readonly typeOf: (identifier: string) => string;
  /** The type of a schema whose values have a type. */
  readonly annotate: (type: string) => string;
  /** Writes a schema. */
  readonly write: (shape: Shape, options: WriteOptions) => Code;
  /** Writes the schema of parameters, of headers or of a form. */
  readonly slot: (shape: ObjectShape, options: WriteOptions) => Code;
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

/** One of several schemas that refer to each other. */
export interface CycleMember {
  readonly key: string;
  readonly identifier: string;
  readonly shape: Shape;
}

/** What the schemas of one module are written with. */
export interface WriteOptions {
  /** Returns the identifier of a named schema, and notes that the module uses it. */
  readonly nameOf: (key: string) => string;
  /** Returns the type of a named schema. */
  readonly shapeOf: (key: string) => Shape;
  /** Whether a schema is defined later than the one that is written, or is that one. */
  readonly isLater: (key: string) => boolean;
  /** Whether objects can be told apart by a property with a text of its own. */
  readonly isTold: (members: readonly Shape[], discriminator: string) => boolean;
  /** Whether files are possible: in a form. */
  readonly hasFiles?: boolean;
  /** Whether the properties may have defaults. */
  readonly isSlot?: boolean;
  /** Whether the code runs later than the module: in a getter. */
  readonly isDelayed?: boolean;
}
