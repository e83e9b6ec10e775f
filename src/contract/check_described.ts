import { type Representation } from "../representation/representation.ts";
import { type Schema } from "../schema.ts";
import { cannotDeclare } from "./declared.ts";

/** Refuses a declaration without the schema that its representation needs, or with one that has nothing to describe. */
export function checkDescribed(representation: Representation, schema: Schema | undefined, where: string): void {
  const { describes, needsSchema, contentType, isNative } = representation;
  if (needsSchema && !schema) cannotDeclare(where, needsSchema);
  if (describes === "nothing" && schema) {
    const content = contentType === undefined && !isNative ? "body" : "value";
    cannotDeclare(where, `it has no ${content} for a schema to describe; leave the schema out`);
  }
}
