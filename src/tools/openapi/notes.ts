/** Adds annotations to schemas, at the places that a tree of notes names. */
import type { SchemaNotes } from "../../contract/docs.ts";
import { annotationKeywords, isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { cannotDescribe, checkProseNames, checkProseObject, suggestName } from "./options.ts";
import { toList } from "./part.ts";

/** The annotations of a schema itself. */
const annotations = annotationKeywords.toSpliced(8, 0, "format");

/** The members that lead to one schema, to schemas by name, and to a list of schemas. */
const single = ["items", "additionalProperties"];
const named = ["properties", "patternProperties"];
const listed = ["prefixItems", "anyOf", "oneOf", "allOf"];
const inner = [...single, ...named, ...listed];

/** Reports a note that has no place in a schema: where it is, and why. */
type ReportMissing = (place: string, why: string) => void;

function failMissing(place: string, why: string): never {
  cannotDescribe(`${place} has no place: ${why}`);
}

/**
 * Returns a copy of a schema with annotations.
 *
 * @param place The member of the options that has the notes, for messages.
 * @throws {TypeError} If a note has no place in the schema, unless that is reported.
 */
export function addNotes(
  schema: JsonSchema,
  notes: unknown,
  place: string,
  report: ReportMissing = failMissing,
): JsonSchema {
  checkProseObject(notes, place, "an object of notes");
  checkProseNames(notes, [...annotations, ...inner], place, "note");
  const own = Object.entries(notes).filter(([name]) => !inner.includes(name));
  const annotated: JsonSchemaObject = {
    ...(schema === false ? { not: {} } : Object(schema) as JsonSchemaObject), // `true` has no keywords
    ...Object.fromEntries(own),
  };
  return inner.filter((each) => notes[each] !== undefined)
    .reduce((sum, keyword) => annotateInside(sum, keyword, { notes: notes[keyword], place, report }), annotated);
}

/**
 * Returns copies of the sides of one schema with annotations, each where the side has the place.
 *
 * @throws {TypeError} If no side has the place of a note.
 */
export function addNotesToSides(sides: readonly JsonSchema[], notes: SchemaNotes, place: string): JsonSchema[] {
  const missing = sides.map(() => new Map<string, string>());
  const annotated = sides.map((side, index) =>
    addNotes(side, notes, place, (where, why) => missing[index]!.set(where, why))
  );
  const [first = new Map<string, string>(), ...others] = missing;
  const lost = [...first].find(([where]) => others.every((each) => each.has(where)));
  if (lost) failMissing(...lost);
  return annotated;
}

interface InnerNotes {
  readonly notes: unknown;
  readonly place: string;
  readonly report: ReportMissing;
}

/** Adds notes below a keyword. A nullable schema has them in the schema beside null. */
function annotateInside(whole: JsonSchemaObject, keyword: string, inside: InnerNotes): JsonSchemaObject {
  const { notes, place, report } = inside;
  const isUnion = unions.includes(keyword);
  const schema = isUnion ? listTypes(whole) : whole;
  const union = findUnion(schema);
  const members = (union === undefined ? [] : schema[union]) as readonly JsonSchema[];
  const [present, ...others] = members.filter((each) => !isNull(each));
  const isNullable = isSchemaObject(present) && others.length === 0 && members.length > 1;
  if (isNullable && (isUnion ? findUnion(present) !== undefined : schema[keyword] === undefined)) {
    const annotated = annotateInside(present, keyword, inside);
    return { ...schema, [union!]: members.map((each) => each === present ? annotated : each) };
  }
  const name = isUnion ? union ?? keyword : keyword;
  const where = `${place}.${keyword}`;
  const parts = schema[name];
  if (single.includes(keyword) && (isSchemaObject(parts) || parts === true)) {
    return { ...schema, [name]: addNotes(parts, notes, where, report) };
  }
  if (union !== undefined && isUnion) {
    return { ...schema, [name]: annotateMembers(members, toList(notes), where, report) };
  }
  if (!single.includes(keyword) && typeof parts === "object" && parts !== null) {
    return { ...schema, [name]: annotateEach(parts, notes, where, report) };
  }
  report(where, describeAbsence(schema, keyword));
  return schema;
}

/** The keywords of unions. Notes of either apply to the other, because libraries differ in which they write. */
const unions = ["anyOf", "oneOf"];

/** Returns a schema of several types as a union of them, which has a place for notes about each. */
function listTypes(schema: JsonSchemaObject): JsonSchemaObject {
  const { type, ...others } = schema;
  if (!Array.isArray(type) || Object.keys(others).some((name) => !annotations.includes(name))) return schema;
  return { anyOf: type.map((each: string) => ({ type: each })), ...others };
}

function findUnion(schema: JsonSchemaObject): string | undefined {
  return unions.find((each) => Array.isArray(schema[each]));
}

function isNull(schema: JsonSchema): boolean {
  return isSchemaObject(schema) && schema["type"] === "null";
}

/** Adds notes to the members of a union. Null has none, unless there is a note for every member. */
function annotateMembers(
  members: readonly JsonSchema[],
  notes: readonly unknown[],
  where: string,
  report: ReportMissing,
): readonly JsonSchema[] {
  const noted = notes.length === members.length ? members : members.filter((each) => !isNull(each));
  if (notes.length > noted.length) report(`${where}.${noted.length}`, `the union has ${noted.length} members`);
  return members.map((each) => {
    const index = noted.indexOf(each);
    const own = index < 0 ? undefined : notes[index];
    return own === undefined ? each : addNotes(each, own, `${where}.${index}`, report);
  });
}

function annotateEach(inside: object, notes: unknown, place: string, report: ReportMissing): object {
  const known = Object.keys(inside);
  const annotated = new Map<string, JsonSchema>(Object.entries(inside));
  for (const [name, each] of Object.entries(Object(notes))) {
    const where = `${place}.${name}`;
    const schema = annotated.get(name);
    if (schema !== undefined) annotated.set(name, addNotes(schema, each, where, report));
    else report(where, `the schema does not have it${suggestName(name, known)} (it has ${known.join(", ") || "none"})`);
  }
  return Array.isArray(inside) ? [...annotated.values()] : Object.fromEntries(annotated);
}

/** Says why a schema has no place for notes inside it. */
function describeAbsence({ $ref }: JsonSchemaObject, keyword: string): string {
  const name = typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
  return name === undefined
    ? `the schema has no ${keyword}`
    : `the schema is the component ${name}; write it in notes.${name}`;
}
