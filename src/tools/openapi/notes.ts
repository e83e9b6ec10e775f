/** Adds annotations to schemas, at the places that a tree of notes names. */
import type { SchemaNotes } from "../../contract/shared_options.ts";
import { describeValue } from "../../messages.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { cannotDescribe, suggestName } from "./options.ts";
import { isPart, type Part } from "./part.ts";

/** The annotations of a schema itself. */
const annotations = [
  ...["title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "format"],
  ...["externalDocs", "xml", "discriminator"],
];

/** The members that lead to one schema, to schemas by name, and to a list of schemas. */
const single = ["items", "additionalProperties"];
const named = ["properties", "patternProperties"];
const listed = ["prefixItems", "anyOf", "oneOf", "allOf"];
const inner = [...single, ...named, ...listed];

/** Reports a note that has no place in a schema: where it is, and why. */
type ReportMissing = (place: string, why: string) => void;

/** Throws the `TypeError` for a note without a place. */
function failMissing(place: string, why: string): never {
  cannotDescribe(`${place} has no place: ${why}`);
}

/**
 * Returns a copy of a schema with annotations.
 *
 * @param place The member of the options that has the notes, for messages.
 * @throws {TypeError} If a note has no place in the schema.
 */
export function addNotes(schema: JsonSchema, notes: SchemaNotes, place: string): JsonSchema {
  return annotate(schema, notes, place, failMissing);
}

/**
 * Returns copies of the sides of one schema with annotations, each where the side has the place.
 *
 * @throws {TypeError} If no side has the place of a note.
 */
export function addNotesToSides(sides: readonly JsonSchema[], notes: SchemaNotes, place: string): JsonSchema[] {
  const missing = sides.map(() => new Map<string, string>());
  const annotated = sides.map((side, index) =>
    annotate(side, notes, place, (where, why) => missing[index]!.set(where, why))
  );
  const [first = new Map<string, string>(), ...others] = missing;
  const lost = [...first].find(([where]) => others.every((each) => each.has(where)));
  if (lost) failMissing(...lost);
  return annotated;
}

function annotate(schema: JsonSchema, notes: unknown, place: string, report: ReportMissing): JsonSchema {
  if (!isPart(notes)) return cannotDescribe(`${place} must be an object of notes, got ${describeValue(notes)}`);
  checkNotes(notes, place);
  const own = Object.entries(notes).filter(([name]) => !inner.includes(name));
  const annotated: Record<string, unknown> = { ...toSchemaObject(schema), ...Object.fromEntries(own) };
  for (const keyword of inner.filter((each) => notes[each] !== undefined)) {
    const inside = annotated[keyword];
    const where = `${place}.${keyword}`;
    const isHere = single.includes(keyword) ? isSchemaObject(inside) || inside === true : typeof inside === "object";
    if (!isHere || inside === null) report(where, describeAbsence(annotated, keyword));
    else if (single.includes(keyword)) {
      annotated[keyword] = annotate(inside as JsonSchema, notes[keyword], where, report);
    } else annotated[keyword] = annotateEach(inside as object, notes[keyword], where, report);
  }
  return annotated as JsonSchemaObject; // a schema with annotations
}

function checkNotes(notes: Part, place: string): void {
  const allowed = [...annotations, ...inner];
  const unknown = Object.keys(notes).find((name) => !allowed.includes(name) && !name.startsWith("x-"));
  if (unknown === undefined) return;
  const names = `${suggestName(unknown, allowed)} (allowed: ${allowed.join(", ")})`;
  cannotDescribe(`unknown note ${JSON.stringify(unknown)} in ${place}${names}`);
}

/** Adds notes to schemas by name, or in a list. */
function annotateEach(inside: object, notes: unknown, place: string, report: ReportMissing): object {
  const known = Object.keys(inside);
  const annotated = new Map<string, JsonSchema>(Object.entries(inside));
  for (const [name, each] of Object.entries(Object(notes))) {
    const where = `${place}.${name}`;
    const schema = annotated.get(name);
    if (schema !== undefined) annotated.set(name, annotate(schema, each, where, report));
    else report(where, `the schema does not have it${suggestName(name, known)} (it has ${known.join(", ") || "none"})`);
  }
  return Array.isArray(inside) ? [...annotated.values()] : Object.fromEntries(annotated);
}

/** Returns a schema as an object: `true` has no keywords, `false` accepts nothing. */
function toSchemaObject(schema: JsonSchema): JsonSchemaObject {
  if (typeof schema === "object") return schema;
  return schema ? {} : { not: {} };
}

/** Says why a schema has no place for notes inside it. */
function describeAbsence({ $ref }: JsonSchemaObject, keyword: string): string {
  const name = typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
  return name === undefined
    ? `the schema has no ${keyword}`
    : `the schema is the component ${name}; write it in notes.${name}`;
}
