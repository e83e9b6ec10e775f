/** Reads the schemas of a document as types. */
import { type Direction, remember } from "../openapi/definitions.ts";
import { spend } from "../json_schema/steps.ts";
import { below, describeReference, type DocumentPlace, type Located } from "../openapi/operations.ts";
import type { Discriminator } from "./discriminators.ts";
import { readMember, reportChoice, type SchemaStore } from "./families.ts";
import { anyOf, intersect } from "./intersect.ts";
import {
  hasNullFlag,
  isNullable,
  isOnlyNotes,
  isOnlyNull,
  isOnlyRequired,
  isReference,
  listTypes,
  readNotes,
  reportKeywords,
  withNull,
} from "./keywords.ts";
import { isPart, type Part, toList, toPart } from "../openapi/part.ts";
import { readLiteral, readType, type TypeReader } from "./read_type.ts";
import { type Model, type Notes, placeKey, toUnion } from "./model.ts";
import { anyType, isCombined, isUntyped, restrictedTypes, TypeFinder, type ValueTypes } from "./value_types.ts";

/** The most levels of schemas within each other. Deeper ones are unknown. */
export const mostSchemaLevels = 100;

/** Where a schema is read. */
interface Context {
  readonly direction: Direction;
  readonly level: number;
  /** The named schema that is read, and those read as a part of it. `undefined` inside its properties and items. */
  readonly within?: readonly string[];
  /** The types of the value, as the schemas around say that it has to match as well. */
  readonly types?: ValueTypes;
}

/** A schema with a choice of others. */
interface Choosing {
  readonly schema: Part;
  readonly place: DocumentPlace;
  /** What its other keywords say. */
  readonly own: Model | undefined;
  readonly context: Context;
  /** Whether nothing but the keywords of the members says which types its values have. */
  readonly isAssumed: boolean;
}

/** Reads schemas where they stand. */
export class SchemaReader {
  readonly #store: SchemaStore;
  readonly #types: TypeFinder;
  readonly #near = new Map<string, readonly string[]>();

  constructor(store: SchemaStore) {
    this.#store = store;
    this.#types = new TypeFinder(store.find);
  }

  /**
   * Reads a schema.
   *
   * @param reference Its reference, if it has a name.
   */
  read(located: Located, direction: Direction, reference?: string): Model {
    return this.#read(located, { direction, level: 0, ...(reference !== undefined && { within: [reference] }) });
  }

  #read({ value, place }: Located, context: Context): Model {
    spend();
    if (value === undefined || value === true) return { kind: "unknown", [placeKey]: place };
    if (value === false) return { kind: "never", [placeKey]: place };
    if (!isPart(value)) return this.#fault(place, "a schema must be an object or a boolean");
    if (context.level > mostSchemaLevels) {
      return this.#fault(place, `schemas are nested more than ${mostSchemaLevels} levels deep`);
    }
    const said = toList(value.allOf).filter(isOnlyNotes).map((member) => readNotes(toPart(member)));
    const notes: Notes = Object.assign({}, ...said, readNotes(value));
    const core = this.#readCore(value, place, { ...context, level: context.level + 1 });
    const model: Model = { ...core, [placeKey]: core[placeKey] ?? place };
    if (isNullable(value)) this.#reportRuledOutNull(value, model, place);
    return { ...withNull(model, value), ...notes, [placeKey]: place };
  }

  #fault(place: DocumentPlace, message: string): Model {
    this.#store.reporter.add("faults", place, message);
    return { kind: "unknown" };
  }

  /** Reports that a schema is read as nullable although one of its keywords rules out null. */
  #reportRuledOutNull(schema: Part, model: Model, place: DocumentPlace): void {
    const types = listTypes(schema);
    const isTyped = hasNullFlag(schema) || types.length === 0 || types.includes("null");
    const isListed = schema.enum === undefined || toList(schema.enum).includes(null);
    const joined = ["allOf", "oneOf", "anyOf", "$ref"].find((keyword) => schema[keyword] !== undefined);
    const keyword = !isTyped ? "type" : !isListed ? "enum" : joined;
    if (keyword === undefined) return;
    if (keyword === joined && (this.#acceptsNull(model) || this.#types.of(schema).has("null"))) return;
    this.#fault(place, `${keyword} rules out null; it is read as nullable all the same`);
  }

  #acceptsNull(model: Model): boolean {
    const target = this.#store.resolve(model);
    spend(1 / 10);
    if (target?.kind === "union") return target.members.some((member) => this.#acceptsNull(member));
    if (target?.kind === "intersection") return target.members.every((member) => this.#acceptsNull(member));
    return target?.kind === "null" || target?.kind === "unknown";
  }

  /** Reads a schema besides its notes and whether it is nullable. */
  #readCore(schema: Part, place: DocumentPlace, outer: Context): Model {
    reportKeywords(schema, place, this.#store.reporter);
    const context = { ...outer, types: this.#typesOf(schema, outer) };
    const own = this.#readOwn(schema, place, context);
    const reference = typeof schema.$ref === "string" ? [this.#readReference(schema.$ref, place, context)] : [];
    const all = toList(schema.allOf).map((value, index) => ({ value, place: below(place, "allOf", index) }))
      .filter(({ value }) => !isOnlyNotes(value)).map((member) => this.#read(member, context));
    const isAssumed = (outer.types ?? anyType) === anyType && context.types !== anyType &&
      this.#types.ofWhole(schema) === anyType;
    const choices = (["oneOf", "anyOf"] as const).map((keyword) =>
      this.#readChoice(toList(schema[keyword]), keyword, { schema, place, own, context, isAssumed })
    );
    const parts = [...reference, ...all, own, ...choices].filter((part) => part !== undefined);
    const model = this.#openCombined(intersect(parts, place, this.#store), schema);
    if (schema.unevaluatedProperties === undefined || !isCombined(schema)) return model;
    if (schema.unevaluatedProperties === false && model.kind === "object" && schema.if === undefined) {
      return { ...model, others: "closed" };
    }
    if (schema.unevaluatedProperties !== true) this.#store.reporter.add("unchecked", place, "unevaluatedProperties");
    return model;
  }

  /** Returns the types of a value that has to match a schema, and those around it. */
  #typesOf(schema: Part, { types = anyType }: Context): ValueTypes {
    const own = this.#types.of(schema);
    if (own === anyType) return types;
    return types === anyType || types === own ? own : new Set([...own].filter((type) => types.has(type)));
  }

  /** Returns an object that keeps other properties, as `additionalProperties: true` beside other schemas says. */
  #openCombined(model: Model, schema: Part): Model {
    if (schema.additionalProperties !== true || !isCombined(schema)) return model;
    const target = this.#store.resolve(model);
    return target?.kind === "object" && target.others === "ignored" ? { ...target, others: "open" } : model;
  }

  /**
   * Reads a reference of a schema that must be matched as a whole. One that leads back to the schema is read without the
   * choices on the way: of the base of an inheritance, whose `oneOf` lists the schemas that extend it, that is its own
   * properties.
   */
  #readReference(reference: string, place: DocumentPlace, context: Context): Model {
    const { within = [] } = context;
    const [owner] = within;
    const located = owner !== undefined && this.#contains(reference, owner) ? this.#store.find(reference) : undefined;
    if (located === undefined) return this.#store.refer(reference, place, context.direction);
    if (within.includes(reference)) {
      return this.#fault(place, "the schema is a part of itself; the reference is ignored");
    }
    const { oneOf, anyOf: any, ...value } = toPart(located.value);
    if (oneOf !== undefined || any !== undefined) {
      const named = describeReference(reference);
      this.#fault(place, `${named} has this schema among its choices; it is read without its oneOf and anyOf`);
    }
    return this.#read({ value, place: located.place }, { ...context, within: [...within, reference] });
  }

  /** Returns whether a schema is another one, or applies it to the same value. */
  #contains(reference: string, other: string): boolean {
    const seen = new Set([reference]);
    for (const each of seen) { // which grows
      if (each === other) return true;
      spend(1 / 10);
      for (const next of this.#nearOf(each)) seen.add(next);
    }
    return false;
  }

  #nearOf(reference: string): readonly string[] {
    const { find, discriminators } = this.#store;
    return remember(this.#near, reference, () => [
      ...listNear(find(reference)?.value),
      ...discriminators.familyOf(reference)?.members ?? [],
    ]);
  }

  /** Returns a choice of members. Those that only name required properties cannot be expressed. */
  #readChoice(
    members: readonly unknown[],
    keyword: "oneOf" | "anyOf",
    { schema, place, own, context, isAssumed }: Choosing,
  ): Model | undefined {
    if (members.length === 0) return undefined;
    const typed = members.map((member, index) => ({ value: member, place: below(place, keyword, index) }))
      .map((each) => isOnlyNull(each.value) ? this.#readOnlyNull(each.place) : each)
      .filter(({ value }) => !isOnlyRequired(value));
    if (typed.length < members.length) {
      this.#store.reporter.add("unchecked", place, `${keyword} of required properties`);
      return undefined; // some member accepts whatever the other keywords accept
    }
    const discriminator = this.#store.discriminators.read(schema, place);
    const chosen = typed.flatMap((each) => this.#readChosen(each, discriminator, context));
    const models = own?.kind === "object" ? chosen.map((model) => model.kind === "unknown" ? own : model) : chosen;
    if (discriminator) this.#reportTags(typed, discriminator, place);
    if (isAssumed) { for (const each of typed) this.#reportAssumed(each.value, each.place); }
    if (keyword === "oneOf" && models.length > 1) this.#store.exclude(models, place);
    const merged = own?.kind === "object" && models.every(({ kind }) => kind === "object")
      ? models.map((model) => intersect([own, model], place, this.#store))
      : models;
    return toUnion(merged, discriminator ? { discriminator: discriminator.property } : {});
  }

  /** Reads a member of `oneOf` or `anyOf`. One that others extend stands for all of them. */
  #readChosen(located: Located, discriminator: Discriminator | undefined, context: Context): readonly Model[] {
    const { value, place } = located;
    if (!isReference(value)) return [this.#read(located, context)];
    const { $ref } = value;
    if (discriminator === undefined || this.#store.find($ref) === undefined) {
      return [this.#read(located, withoutOwner(context))];
    }
    const notes = readNotes(value);
    const members = this.#store.discriminators.familyOf($ref)?.members ?? [$ref];
    const { direction } = context;
    return members.map((each) => ({
      ...readMember(each, discriminator, { place, direction, store: this.#store }),
      ...notes,
      [placeKey]: place,
    }));
  }

  /** Reports the members of a choice whose property a discriminator narrows. */
  #reportTags(members: readonly Located[], discriminator: Discriminator, place: DocumentPlace): void {
    const references = members.flatMap(({ value }) => isReference(value) ? [value.$ref] : []);
    const isNarrower = references.some((each) => this.#store.discriminators.tagsOf(each, discriminator).length > 0);
    if (isNarrower) reportChoice(references, discriminator, place, this.#store);
  }

  #readOnlyNull(place: DocumentPlace): Located {
    this.#fault(place, "nullable alone allows all values; it is read as null");
    return { value: { type: "null" }, place };
  }

  /** Returns what the keywords of a schema itself say, without the schemas that it combines. */
  #readOwn(schema: Part, place: DocumentPlace, context: Context): Model | undefined {
    const { reporter } = this.#store;
    const literal = readLiteral(schema, place, { reporter });
    if (literal) return literal;
    const types = listTypes(schema).filter((type) => type !== "null");
    if (types.length > 0) return toUnion(types.map((type) => this.#readType(String(type), schema, place, context)));
    if (listTypes(schema).includes("null")) return { kind: "null" };
    if (typeof schema.format === "string" && schema.format !== "binary") {
      reporter.add("unchecked", place, `the format ${schema.format} of a schema without a type`);
    }
    return this.#readUntyped(schema, place, context);
  }

  #readType(type: string, schema: Part, place: DocumentPlace, context: Context): Model {
    const { reporter, find } = this.#store;
    const inner = withoutOwner(context);
    const reader: TypeReader = {
      reporter,
      find,
      direction: context.direction,
      read: (value, at) => this.#read({ value, place: at }, inner),
    };
    return { ...readType(type, schema, place, reader), [placeKey]: place };
  }

  /**
   * Reads keywords without a type, which only restrict values of their own type: with those of another type they say
   * nothing. Where no other schema says which types a value has, it is one of theirs.
   */
  #readUntyped(schema: Part, place: DocumentPlace, context: Context): Model | undefined {
    const { types = anyType } = context;
    const isKnown = types.size < anyType.size;
    const relevant = restrictedTypes(schema).filter((type) => types.has(type));
    if (relevant.length === 0) return undefined;
    if (!isKnown) this.#fault(place, assumed(relevant));
    const others = isKnown ? [...types].filter((type) => !relevant.includes(type)) : [];
    return toUnion([
      ...relevant.map((type) => this.#readType(type, schema, place, context)),
      ...others.map(anyOf),
    ]);
  }

  /** Reports a member of a choice without a type, which is read as one of the types that its keywords restrict. */
  #reportAssumed(value: unknown, place: DocumentPlace): void {
    const restricted = isUntyped(value) ? restrictedTypes(toPart(value)) : [];
    if (restricted.length === 0) return;
    this.#fault(place, assumed(restricted));
  }
}

/** Says that a schema is read as one of the types that its keywords restrict. */
function assumed(types: readonly string[]): string {
  return `the schema has no type; it is read as one of type ${types.join(" or ")}`;
}

/** Returns the schemas that a schema refers to with `$ref`, `allOf`, `oneOf` and `anyOf`, for the value itself. */
function listNear(value: unknown, level = 0): readonly string[] {
  spend(1 / 100);
  const { $ref, allOf, oneOf, anyOf: any } = toPart(value);
  const own = typeof $ref === "string" ? [$ref] : [];
  if (level > mostSchemaLevels) return own;
  return [...own, ...[allOf, oneOf, any].flatMap(toList).flatMap((member) => listNear(member, level + 1))];
}

function withoutOwner({ within: _, types: _types, ...context }: Context): Context {
  return context;
}
