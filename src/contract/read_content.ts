import { type Representation } from "../representation/representation.ts";
import { isSchema, type Schema } from "../schema.ts";
import { toContentType } from "./check_content_type.ts";
import { cannotDeclare, checkOptions, checkSchema } from "./declared.ts";

/** The arguments of a helper: a schema, options, or both. */
type HelperArguments = readonly [schema?: unknown, options?: unknown];

/** How to read the arguments of a helper. */
interface ContentReading {
  /** The helper's name, for messages. */
  readonly where: string;
  /** The position of the schema among the arguments, for messages. */
  readonly position: string | undefined;
  /** The names of the options, except `contentType`. */
  readonly names: readonly string[];
}

/** The declared content of a request or a response. */
export interface DeclaredContent<Represented extends Representation> {
  readonly kind: Represented["kind"];
  readonly representation: Represented;
  readonly contentType: string | readonly string[] | undefined;
  readonly schema: Schema | undefined;
  readonly description: string | undefined;
}

/** The options of all helpers. Other options are not checked yet. */
interface ContentOptions extends Readonly<Record<string, unknown>> {
  readonly contentType?: unknown;
  readonly description?: string;
}

/** Returns the declared content and the options of a helper. Throws a `TypeError` if they are invalid. */
export function readContent<Represented extends Representation>(
  representation: Represented,
  args: HelperArguments,
  { where, position, names }: ContentReading,
): readonly [content: DeclaredContent<Represented>, options: ContentOptions] {
  const { kind, contentType: usualType, isTypeFixed, describes, needsSchema } = representation;
  const { schema, options } = splitArguments(args, where, position);
  if (needsSchema && !schema) cannotDeclare(where, needsSchema);
  if (describes === "nothing" && schema) {
    cannotDeclare(where, "a schema is not supported here; remove it");
  }
  const isFixed = isTypeFixed || usualType === undefined;
  checkOptions(options, [...(isFixed ? [] : ["contentType"]), ...names], where);
  const { contentType: givenType = usualType, description } = options as ContentOptions;
  const contentType = givenType === undefined ? undefined : toContentType(givenType, representation, where);
  return [{ kind, representation, contentType, schema, description }, options as ContentOptions];
}

/**
 * Distinguishes `helper(schema, options)` from `helper(options)`. An explicit `undefined` throws: it is usually a
 * schema that a circular import left undefined, and the body would not be validated.
 */
function splitArguments(
  args: HelperArguments,
  where: string,
  position = "first",
): { readonly schema: Schema | undefined; readonly options: unknown } {
  const [first, options = {}] = args;
  if (args.length === 0) return { schema: undefined, options };
  if (args.length === 1 && typeof first === "object" && !isSchema(first)) return { schema: undefined, options: first };
  checkSchema(first, `the ${position} argument`, where);
  return { schema: first, options };
}
