import { type Representation } from "../representation/representation.ts";
import { isSchema, type Schema } from "../schema.ts";
import { toContentType } from "./check_content_type.ts";
import { cannotDeclare, checkOptions, checkSchema } from "./declared.ts";

/** What a helper is given: a schema, options, or both. */
type Given = readonly [schema?: unknown, options?: unknown];

/** How the arguments of a helper are read. */
interface ContentReading {
  /** The helper. */
  readonly where: string;
  /** Where the schema stands among its arguments. */
  readonly position: string | undefined;
  /** The names of its options, except `contentType`. */
  readonly names: readonly string[];
}

/** What requests and responses declare of their content. */
export interface DeclaredContent<Represented extends Representation> {
  readonly kind: Represented["kind"];
  readonly representation: Represented;
  readonly contentType: string | readonly string[] | undefined;
  readonly schema: Schema | undefined;
  readonly description: string | undefined;
}

/** The options of all helpers, with those of some that are not checked yet. */
interface ContentOptions extends Readonly<Record<string, unknown>> {
  readonly contentType?: unknown;
  readonly description?: string;
}

/** The content that a helper declares, and its options; a `TypeError` that says why they are invalid. */
export function readContent<Represented extends Representation>(
  representation: Represented,
  given: Given,
  { where, position, names }: ContentReading,
): readonly [content: DeclaredContent<Represented>, options: ContentOptions] {
  const { kind, contentType: usualType, isTypeFixed, describes, needsSchema } = representation;
  const { schema, options } = splitArguments(given, where, position);
  if (needsSchema && !schema) cannotDeclare(where, needsSchema);
  if (describes === "nothing" && schema) {
    cannotDeclare(where, "it has nothing for a schema to describe; leave the schema out");
  }
  const isFixed = isTypeFixed || usualType === undefined;
  checkOptions(options, [...(isFixed ? [] : ["contentType"]), ...names], where);
  const { contentType: givenType = usualType, description } = options as ContentOptions;
  const contentType = givenType === undefined ? undefined : toContentType(givenType, representation, where);
  return [{ kind, representation, contentType, schema, description }, options as ContentOptions];
}

/**
 * Tells the two forms `helper(schema, options)` and `helper(options)` apart. An `undefined` that was written out is refused: it
 * is a schema that got lost, in a circle of imports perhaps, and would leave the body unchecked.
 */
function splitArguments(
  given: Given,
  where: string,
  position = "first",
): { readonly schema: Schema | undefined; readonly options: unknown } {
  const [first, options = {}] = given;
  if (given.length === 0) return { schema: undefined, options };
  if (given.length === 1 && typeof first === "object" && !isSchema(first)) return { schema: undefined, options: first };
  checkSchema(first, `its ${position} argument`, where);
  return { schema: first, options };
}
