/** Reads the annotations of schemas in a document, for the notes of a contract. */
import type { SchemaNotes } from "../../contract/docs.ts";
import type { JsonSchemaObject } from "../json_schema/json.ts";
import { spend } from "../json_schema/steps.ts";
import type { Direction } from "../openapi/definitions.ts";
import { type DocumentPlace, findReferenced } from "../openapi/operations.ts";
import { isPart, type Part, toList, toObject, toPart } from "../openapi/part.ts";
import type { Raw } from "./copied_parts.ts";
import { linkOf } from "./metadata.ts";
import { hasFormat, joinedKey, type Model, placeKey, withoutNull } from "./model.ts";
import { discriminatorOf, type DocumentOptions, type ReferenceTarget } from "./plan.ts";
import type { Source } from "./source.ts";

/** What the notes of schemas are read with. */
export interface NotesReader extends DocumentOptions {
  readonly source: Source;
  readonly raw: Raw;
  readonly direction: Direction;
  readonly targetOf: (key: string) => ReferenceTarget;
  /** Whether what is read has no place in the document of the contract, so that it is reported. */
  readonly isLost?: true;
}

/**
 * Returns the annotations of a type that a document has, for a nullable one also those of the type beside null, and of
 * those inside it.
 */
export function notesOf(model: Model, reader: NotesReader): SchemaNotes {
  const present = withoutNull(model);
  return {
    ...(present === model ? {} : ownNotes(present, reader)),
    ...ownNotes(model, reader),
    ...innerNotes(model, reader),
  };
}

/** Annotations that are kept as they are. */
const kept = ["title", "description", "externalDocs", "xml"];

/** Annotations that are kept if they are true. */
const flags = ["deprecated", "readOnly", "writeOnly"];

/** What each direction must not say about its values, because it has them all the same. */
const unenforced = { input: "readOnly", output: "writeOnly" } as const;

function ownNotes(model: Model, { source, raw, direction, isLost, lose, targetOf }: NotesReader): SchemaNotes {
  spend(1 / 100);
  const { [placeKey]: place, [joinedKey]: joined = [] } = model;
  const partAt = (at: DocumentPlace): Part => toPart(findReferenced(source, `${at.file}#${at.pointer}`)?.value);
  const others = joined.flatMap((each) => annotationsOf(partAt(each)));
  const found = { ...(place && partAt(place)), ...toObject(others.toReversed()) }; // the first wins
  const schema = withMembers(model.kind === "reference" ? found : withTarget(found, source));
  const { example, examples, format } = schema;
  const discriminator = discriminatorOf(found, model, targetOf);
  const listed = toList(examples).length > 0 ? toList(examples) : example === undefined ? [] : [example];
  const notes = {
    ...toObject(kept.flatMap((name) => isSaid(schema[name]) ? Object.entries(noteOf(name, schema[name], raw)) : [])),
    ...toObject(
      flags.filter((name) => schema[name] === true && name !== unenforced[direction]).map((name) =>
        [name, true] as const
      ),
    ),
    ...(listed.length > 0 && { examples: listed as JsonSchemaObject["example"][] }),
    ...(typeof format === "string" && hasFormat(model, format) && { format }),
    ...(discriminator && { discriminator }),
    ...extensionsOf(schema),
  };
  if (!isLost) return notes as SchemaNotes; // of the members that its type has
  for (const name of place ? Object.keys(notes) : []) lose(place!, name);
  return {};
}

function noteOf(name: string, value: unknown, raw: Raw): Part {
  return name === "externalDocs" ? linkOf(value, raw) : { [name]: raw(value) };
}

/** Adds what the target of a reference says, for a type that does not refer to it. */
function withTarget(schema: Part, source: Source): Part {
  const { $ref, ...own } = schema;
  const target = typeof $ref === "string" ? findReferenced(source, $ref) : undefined;
  return target === undefined ? schema : { ...toObject(annotationsOf(toPart(target.value))), ...own };
}

/** Adds what the inline members of `allOf` say, such as the description beside a reference. */
function withMembers(schema: Part): Part {
  const members = toList(schema["allOf"]).map(toPart).filter((each) => each["$ref"] === undefined);
  return { ...toObject(members.flatMap(annotationsOf)), ...schema };
}

/** Returns the annotations of a schema. */
function annotationsOf(schema: Part): readonly (readonly [name: string, value: unknown])[] {
  const names = [...kept, ...flags, "example", "examples", "format"];
  return Object.entries(schema).filter(([name]) => names.includes(name) || name.startsWith("x-"));
}

function isSaid(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : isPart(value);
}

/** Returns the annotations of the types inside another one, where every library writes them in the same place. */
function innerNotes(model: Model, reader: NotesReader): SchemaNotes {
  const { rules } = reader;
  const inner = (part: Model): SchemaNotes => notesOf(part, reader);
  const listed = (name: string, parts: readonly Model[] | undefined, all: readonly Model[] = []): SchemaNotes => {
    const notes = (parts ?? all).map(inner);
    if (notes.every((each) => Object.keys(each).length === 0)) return {};
    if (parts !== undefined) return { [name]: notes };
    if (model[placeKey]) reader.lose(model[placeKey], "the annotations of its members");
    for (const part of all) notesOf(part, { ...reader, isLost: true });
    return {};
  };
  switch (model.kind) {
    case "array": {
      const isLost = rules.reduces && model.items.kind === "unknown";
      return said({ items: notesOf(model.items, isLost ? { ...reader, isLost } : reader) });
    }
    case "tuple":
      return { ...listed("prefixItems", model.items), ...said({ items: model.rest && inner(model.rest) }) };
    case "union": {
      const [present, ...further] = model.members.filter(({ kind }) => kind !== "null");
      if (present === undefined) return {};
      if (further.length === 0) return innerNotes(present, reader);
      const members = [present, ...further];
      return listed("anyOf", rules.listMembers(members), members);
    }
    case "intersection":
      return listed("allOf", rules.hasIntersections ? model.members : undefined, model.members);
    case "object": {
      const { properties, others } = model;
      return said({
        properties: said(toObject(properties.map((each) => [each.name, inner(each.model)]))),
        additionalProperties: typeof others === "object" && others.kind !== "unknown" && inner(others),
      });
    }
    default:
      return {};
  }
}

/** Returns the members of a part whose names begin with `x-`. */
export function extensionsOf(part: Part): Part {
  return toObject(Object.entries(part).filter(([name]) => name.startsWith("x-") && name !== "x-nullable"));
}

/** Returns the members of an object that say something. */
export function said(members: Part): Part {
  return toObject(
    Object.entries(members).filter(([, value]) =>
      typeof value === "object" && value !== null && Object.keys(value).length > 0
    ),
  );
}
