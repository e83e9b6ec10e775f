/** Reads the schemas of a document: those with names once, and all others where they stand. */
import { spend } from "../json_schema/steps.ts";
import { integerRange, type Json } from "../json_schema/json.ts";
import { type Discriminator, Discriminators, type Tag } from "./discriminators.ts";
import { joinScalars } from "./join_scalars.ts";
import { areDisjoint, fitsBounds, mayOverlap } from "./overlap.ts";
import { isPart, memberOf, type Part, toList, toPart, toText } from "./part.ts";
import { toPattern } from "./pattern.ts";
import type { Reporter } from "./report.ts";
import {
  type ArrayShape,
  identityOf,
  jsonTypeOf,
  type Notes,
  type NumberShape,
  type ObjectShape,
  placeKey,
  type Property,
  type Shape,
  silentKey,
  type StringShape,
  toUnion,
  withoutNotes,
} from "./shape.ts";
import { below, describeMissing, describeReference, type Located, type Place } from "../openapi/operations.ts";
import { createFinder, type Finder, type Source } from "./source.ts";
import {
  anyType,
  isCombined,
  isUntyped,
  restrictedTypes,
  TypeFinder,
  typeOf,
  type ValueType,
  type ValueTypes,
} from "./value_types.ts";

/** Who sends a value: a request has no properties that are `readOnly`, and a response none that are `writeOnly`. */
export type Direction = "input" | "output";

/** A schema with a name of its own, as one direction sees it. */
export interface NamedSchema {
  readonly key: string;
  /** The name in the document. */
  readonly name: string;
  readonly direction: Direction;
  /** Whether the other direction sees other properties. */
  readonly isSplit: boolean;
  /** The property whose values are those of one member of a choice. */
  readonly tagged?: string;
  readonly shape: Shape;
  readonly place: Place;
}

/** The most levels of schemas within each other. Deeper ones are unknown. */
const mostLevels = 100;

/** What is known about a schema before it is read: whether it has properties of one direction, and what it refers to. */
interface Outline {
  readonly isDirected: boolean;
  readonly references: readonly string[];
}

/** The schemas of a document. */
export class Schemas {
  readonly #find: Finder;
  readonly #report: Reporter;
  readonly #named = new Map<string, NamedSchema | undefined>();
  readonly #outlines = new Map<string, Outline>();
  readonly #split = new Map<string, boolean>();
  readonly #near = new Map<string, readonly string[]>();
  readonly #types: TypeFinder;
  readonly #discriminators: Discriminators;
  /** What the keys of references mean. */
  readonly #keys = new Map<string, Key>();
  /** The members of each `oneOf`. They may refer to schemas that are being read. */
  readonly #exclusive: { readonly members: readonly Shape[]; readonly place: Place }[] = [];

  constructor(source: Source, report: Reporter) {
    this.#find = createFinder(source);
    this.#report = report;
    this.#types = new TypeFinder(this.#find);
    this.#discriminators = new Discriminators(source, this.#find);
  }

  /** Reads a schema where it stands. */
  read(located: Located, direction: Direction): Shape {
    return this.#read(located, { direction, level: 0 });
  }

  /** Returns the schema of a key that a reference has. */
  get(key: string): NamedSchema {
    const known = this.#named.get(key);
    if (known) return known;
    const { reference, direction, member } = this.#keys.get(key)!;
    const located = this.#find(reference)!; // a key is made of a reference that leads somewhere
    const name = located.place.pointer.split("/").at(-1)!.replaceAll("~1", "/").replaceAll("~0", "~");
    const own = name === "" ? located.place.file.split("/").at(-1)!.replace(/\.\w+$/, "") : name;
    this.#named.set(key, undefined); // it is being read
    const shape = member === undefined
      ? this.#readFamily(reference, located, direction) ??
        this.#read(located, { direction, level: 0, within: [reference] })
      : this.#readNested(reference, located, direction, member) ??
        this.#tag(this.#read(located, { direction, level: 0, within: [reference] }), member, located.place);
    const schema = {
      key,
      ...(member && { tagged: member.property }),
      name: own === "" ? "Document" : decodeName(own),
      direction,
      isSplit: this.#isSplit(reference),
      shape,
      place: located.place,
    };
    this.#named.set(key, schema);
    return schema;
  }

  /** Returns the type behind references. `undefined` if it refers to itself without anything between. */
  resolve(shape: Shape): Shape | undefined {
    const seen = new Set<string>();
    let target = shape;
    while (target.kind === "reference") {
      spend(1 / 100);
      const { key } = target;
      if (seen.has(key) || (this.#named.has(key) && this.#named.get(key) === undefined)) return undefined;
      seen.add(key);
      target = this.get(key).shape;
    }
    return target;
  }

  /** Reads schemas that are a part of themselves, without an object or a list between, as unknown. */
  replaceEndless(keys: Iterable<string>): void {
    const endless = [...keys].filter((key) => this.#isEndless(key));
    for (const key of endless) {
      const { shape, ...schema } = this.get(key);
      this.#named.set(key, { ...schema, shape: { kind: "unknown", description: shape.description } });
      this.#report.fault(
        schema.place,
        "the schema is a part of itself with no object or list between; it is not checked",
      );
    }
  }

  #isEndless(key: string): boolean {
    const seen = new Set(nearReferencesOf(this.get(key).shape));
    for (const each of seen) { // which grows
      spend(1 / 100);
      for (const next of nearReferencesOf(this.get(each).shape)) seen.add(next);
    }
    return seen.has(key);
  }

  /** Reports each `oneOf` whose members are not disjoint: a value of several is accepted. */
  reportOverlaps(): void {
    for (const { members, place } of this.#exclusive.splice(0)) {
      if (!areDisjoint(members, (key) => this.get(key).shape)) {
        this.#report.dropped(place, "that a value matches only one of oneOf");
      }
    }
  }

  #read(located: Located, context: Context): Shape {
    spend();
    const { value, place } = located;
    if (value === undefined || value === true) return { kind: "unknown", [placeKey]: place };
    if (value === false) return { kind: "never", [placeKey]: place };
    if (!isPart(value)) return this.#fault(place, "a schema must be an object or a boolean");
    if (context.level > mostLevels) return this.#fault(place, `schemas are nested more than ${mostLevels} levels deep`);
    const inner = { ...context, level: context.level + 1 };
    const said = toList(value.allOf).filter(isOnlyNotes).map((member) => readNotes(toPart(member)));
    const notes: Notes = Object.assign({}, ...said, readNotes(value));
    const core = this.#readCore(value, place, inner);
    const shape: Shape = { ...core, [placeKey]: core[placeKey] ?? place };
    const isWithNull = isNullable(value);
    if (isWithNull) this.#reportRuledOutNull(value, shape, place);
    return { ...withNull(shape, isWithNull), ...notes, [placeKey]: place };
  }

  /** Reports that a schema is read as nullable although one of its keywords rules out null. */
  #reportRuledOutNull(schema: Part, shape: Shape, place: Place): void {
    const types = listTypes(schema);
    const isTyped = schema.nullable === true || schema["x-nullable"] === true || types.length === 0 ||
      types.includes("null");
    const isListed = schema.enum === undefined || toList(schema.enum).includes(null);
    const joined = ["allOf", "oneOf", "anyOf", "$ref"].find((keyword) => schema[keyword] !== undefined);
    const keyword = !isTyped ? "type" : !isListed ? "enum" : joined;
    const isAccepted = () => this.#acceptsNull(shape) || this.#types.of(schema).has("null");
    if (keyword === undefined || (keyword === joined && isAccepted())) return;
    this.#report.fault(place, `${keyword} rules out null; it is read as nullable all the same`);
  }

  #acceptsNull(shape: Shape): boolean {
    const target = this.resolve(shape);
    spend(1 / 10);
    if (target?.kind === "union") return target.members.some((member) => this.#acceptsNull(member));
    if (target?.kind === "intersection") return target.members.every((member) => this.#acceptsNull(member));
    return target?.kind === "null" || target?.kind === "unknown";
  }

  /** Reads a schema besides its notes and whether it is nullable. */
  #readCore(schema: Part, place: Place, outer: Context): Shape {
    this.#reportDropped(schema, place);
    const context = { ...outer, types: this.#typesOf(schema, outer) };
    const own = this.#readOwn(schema, place, context);
    const reference = typeof schema.$ref === "string" ? [this.#readPartReference(schema.$ref, place, context)] : [];
    const all = toList(schema.allOf).filter((member) => !isOnlyNotes(member)).map((member, index) =>
      this.#read({ value: member, place: below(place, "allOf", index) }, context)
    );
    const isAssumed = (outer.types ?? anyType) === anyType && context.types !== anyType &&
      this.#types.ofWhole(schema) === anyType;
    const choices = (["oneOf", "anyOf"] as const).flatMap((keyword) => {
      const members = toList(schema[keyword]);
      return members.length === 0
        ? []
        : [this.#readChoice(members, keyword, { schema, place, own, context, isAssumed })];
    }).filter((choice) => choice !== undefined);
    const parts = [...reference, ...all, ...(own ? [own] : []), ...choices];
    const shape = this.#openCombined(this.#intersect(parts, place), schema);
    if (schema.unevaluatedProperties === undefined || !isCombined(schema)) return shape;
    if (schema.unevaluatedProperties === false && shape.kind === "object" && schema.if === undefined) {
      return { ...shape, others: "closed" };
    }
    if (schema.unevaluatedProperties !== true) this.#report.dropped(place, "unevaluatedProperties");
    return shape;
  }

  /** Returns the types of a value that has to match a schema, and those around it. */
  #typesOf(schema: Part, { types = anyType }: Context): ValueTypes {
    const own = this.#types.of(schema);
    if (own === anyType) return types;
    return types === anyType || types === own ? own : new Set([...own].filter((type) => types.has(type)));
  }

  /** Returns an object that keeps other properties, as `additionalProperties: true` beside other schemas says. */
  #openCombined(shape: Shape, schema: Part): Shape {
    if (schema.additionalProperties !== true || !isCombined(schema)) return shape;
    const target = this.resolve(shape);
    return target?.kind === "object" && target.others === "ignored" ? { ...target, others: "open" } : shape;
  }

  /**
   * Reads a reference of a schema that must be matched as a whole. One that leads back to the schema is read without the
   * choices on the way: of the base of an inheritance, whose `oneOf` lists the schemas that extend it, that is its own
   * properties.
   */
  #readPartReference(reference: string, place: Place, context: Context): Shape {
    const { within = [] } = context;
    const [owner] = within;
    const located = owner === undefined || !this.#contains(reference, owner) ? undefined : this.#find(reference);
    if (located === undefined) return this.#readReference(reference, place, context.direction);
    if (within.includes(reference)) {
      return this.#fault(place, "the schema is a part of itself; the reference is ignored");
    }
    const { oneOf, anyOf, ...value } = toPart(located.value);
    if (oneOf !== undefined || anyOf !== undefined) {
      const named = describeReference(reference);
      this.#report.fault(place, `${named} has this schema among its choices; it is read without its oneOf and anyOf`);
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
    const known = this.#near.get(reference);
    if (known) return known;
    const members = this.#discriminators.familyOf(reference)?.members ?? [];
    const found = [...listNear(this.#find(reference)?.value), ...members];
    this.#near.set(reference, found);
    return found;
  }

  #readReference(reference: string, place: Place, direction: Direction, member?: Member): Shape {
    const located = this.#find(reference);
    if (located === undefined) {
      return this.#fault(place, describeMissing(reference));
    }
    const isInput = direction === "input" && this.#isSplit(reference);
    const key = `${isInput ? "input " : ""}${member ? `${JSON.stringify(member)} ` : ""}${reference}`;
    this.#keys.set(key, { reference, direction: isInput ? "input" : "output", member });
    return { kind: "reference", key, [placeKey]: place };
  }

  /** Reads the base of an inheritance as a choice of the schemas that extend it. `undefined` for any other schema. */
  #readFamily(reference: string, { value, place }: Located, direction: Direction): Shape | undefined {
    const family = this.#discriminators.familyOf(reference);
    if (family === undefined) return undefined;
    const { discriminator, members, strangers } = family;
    const own = strangers.size === 0 ? [] : [this.#readReference(reference, place, direction, toMember(discriminator))];
    const shapes = members.map((each) => {
      const member = this.#readMember(each, discriminator, { place, direction });
      return strangers.has(each) ? this.#intersect([...own, member], place) : member;
    });
    this.#reportChoice(members, discriminator, place);
    const schema = toPart(value);
    const choice = toUnion(shapes, { discriminator: discriminator.property });
    return { ...withNull(choice, isNullable(schema)), ...readNotes(schema), [placeKey]: place };
  }

  /** Reads a member of a choice whose values another property tells apart. `undefined` for any other member. */
  #readNested(
    reference: string,
    located: Located,
    direction: Direction,
    { property, tags }: Member,
  ): Shape | undefined {
    const nested = this.#discriminators.familyOf(reference)?.discriminator;
    if (nested === undefined || nested.property === property || tags.length === 0) return undefined;
    const choice = this.#readFamily(reference, located, direction)!; // it has a family
    const tag: Property = { name: property, shape: { kind: "literal", values: tags }, isRequired: false };
    return this.#intersect([choice, { kind: "object", properties: [tag], others: "ignored" }], located.place);
  }

  /** Reads a member of a choice, with the values of the property for which it stands. */
  #readMember(
    reference: string,
    discriminator: Discriminator,
    { place, direction }: { readonly place: Place; readonly direction: Direction },
  ): Shape {
    const tags = this.#discriminators.tagsOf(reference, discriminator);
    const isBase = this.#discriminators.familyOf(reference) !== undefined;
    const member = tags.length > 0 || isBase ? toMember(discriminator, tags) : undefined;
    return this.#readReference(reference, place, direction, member);
  }

  /** Reports a choice that a discriminator makes narrower than the schemas are. */
  #reportChoice(references: readonly string[], discriminator: Discriminator, place: Place): void {
    for (const [text, reference] of discriminator.mapping) {
      if (this.#find(reference) !== undefined) continue;
      const message = `the document does not define ${describeReference(reference)}`;
      this.#report.fault(below(place, "discriminator", "mapping", text), message);
    }
    const named = references.map((reference) => {
      const tags = this.#discriminators.tagsOf(reference, discriminator);
      const name = reference.slice(reference.lastIndexOf("/") + 1);
      return tags.length === 0 ? name : `${tags.map((tag) => JSON.stringify(tag)).join(" or ")} for ${name}`;
    });
    const property = describeReference(discriminator.property);
    const list = `${named.slice(0, mostNamed).join(", ")}${named.length > mostNamed ? ", …" : ""}`;
    this.#report.fault(
      below(place, "discriminator"),
      `the discriminator ${property} selects the schema (${list}); other objects are refused`,
    );
  }

  /** Returns a type whose property has only the values for which it stands in a choice. */
  #tag(shape: Shape, member: Member, place: Place): Shape {
    const { property, tags } = member;
    if (tags.length === 0) return shape;
    const literal: Shape = { kind: "literal", values: tags };
    const tag: Property = { name: property, shape: literal, isRequired: false };
    if (shape.kind === "union") {
      return { ...shape, members: shape.members.map((each) => this.#tag(each, member, place)) };
    }
    if (shape.kind === "intersection") {
      return { ...shape, members: [...shape.members, { kind: "object", properties: [tag], others: "ignored" }] };
    }
    if (shape.kind !== "object") return shape;
    const known = shape.properties.find(({ name }) => name === property);
    if (known === undefined) {
      return typeof shape.others === "object" || shape.others === "closed"
        ? shape
        : { ...shape, properties: [tag, ...shape.properties] };
    }
    const joined = this.#joinScalars([known.shape, literal]) ?? literal;
    const { description, deprecated } = known.shape;
    const told = { ...joined, ...pick("description", description), ...(deprecated && { deprecated }) };
    return joined.kind === "never" ? shape : {
      ...shape,
      properties: shape.properties.map((each) => each === known ? { ...each, shape: told } : each),
    };
  }

  /** Returns a choice of members. Those that only name required properties cannot be expressed. */
  #readChoice(
    members: readonly unknown[],
    keyword: "oneOf" | "anyOf",
    { schema, place, own, context, isAssumed }: Choosing,
  ): Shape | undefined {
    const typed = members.map((member, index) => ({ value: member, place: below(place, keyword, index) }))
      .map((each) => isOnlyNull(each.value) ? this.#readOnlyNull(each.place) : each)
      .filter(({ value }) => !isOnlyRequired(value));
    if (typed.length < members.length) {
      this.#report.dropped(place, `${keyword} of required properties`);
      return undefined; // some member accepts whatever the other keywords accept
    }
    const discriminator = this.#discriminators.read(schema, place);
    const chosen = typed.flatMap((each) => this.#readChosen(each, discriminator, context));
    const shapes = own?.kind === "object" ? chosen.map((shape) => shape.kind === "unknown" ? own : shape) : chosen;
    if (discriminator) this.#reportTags(typed, discriminator, place);
    if (isAssumed) { for (const each of typed) this.#reportAssumed(each); }
    if (keyword === "oneOf" && shapes.length > 1) this.#exclusive.push({ members: shapes, place });
    const merged = own?.kind === "object" && shapes.every(({ kind }) => kind === "object")
      ? shapes.map((shape) => this.#intersect([own, shape], place))
      : shapes;
    return toUnion(merged, discriminator ? { discriminator: discriminator.property } : {});
  }

  /** Reads a member of `oneOf` or `anyOf`. One that others extend stands for all of them. */
  #readChosen(located: Located, discriminator: Discriminator | undefined, context: Context): readonly Shape[] {
    const { value, place } = located;
    if (!isReference(value)) return [this.#read(located, context)];
    const { $ref } = value;
    if (discriminator === undefined || this.#find($ref) === undefined) {
      return [this.#read(located, withoutOwner(context))];
    }
    const notes = readNotes(value);
    const members = this.#discriminators.familyOf($ref)?.members ?? [$ref];
    return members.map((each) => ({
      ...this.#readMember(each, discriminator, { place, direction: context.direction }),
      ...notes,
      [placeKey]: place,
    }));
  }

  /** Reports the members of a choice whose property a discriminator narrows. */
  #reportTags(members: readonly Located[], discriminator: Discriminator, place: Place): void {
    const references = members.flatMap(({ value }) => isReference(value) ? [value.$ref] : []);
    const isNarrower = references.some((each) => this.#discriminators.tagsOf(each, discriminator).length > 0);
    if (isNarrower) this.#reportChoice(references, discriminator, place);
  }

  #readOnlyNull(place: Place): Located {
    this.#report.fault(place, "nullable alone allows all values; it is read as null");
    return { value: { type: "null" }, place };
  }

  /** Returns a value that is of all types: one object where they are objects. */
  #intersect(shapes: readonly Shape[], place: Place): Shape {
    const parts = this.#amongObjects(shapes.filter(({ kind }) => kind !== "unknown"));
    const [first, ...rest] = parts;
    if (first === undefined) return { kind: "unknown" };
    if (rest.length === 0) return first;
    const unique = [...new Map(parts.map((part) => [identityOf(part), part])).values()];
    if (unique.length === 1) return unique[0]!;
    const seen = unique.map((part) => this.resolve(part));
    if (seen.every((part) => part?.kind === "object")) return this.#joinObjects(seen as ObjectShape[], place);
    const lists = this.#joinArrays(unique);
    if (lists) return lists;
    const joined = this.#joinScalars(unique) ?? this.#joinByType(unique, place) ??
      (mayOverlap(unique, (key) => this.resolve({ kind: "reference", key })) ? undefined : { kind: "never" } as const);
    if (joined?.kind === "never") this.#report.fault(place, "allOf has no value in common");
    return joined ?? { kind: "intersection", members: unique };
  }

  /**
   * Returns the values that several types of texts, numbers, booleans and null have in common. `undefined` for other
   * types.
   */
  #joinScalars(shapes: readonly Shape[]): Shape | undefined {
    let joined: readonly (readonly Shape[])[] = [[]];
    for (const shape of shapes) {
      const members = this.#scalarsOf(shape);
      if (members === undefined || joined.length * members.length > mostJoined) return undefined;
      joined = joined.flatMap((others) => members.map((member) => [...others, member]));
    }
    return toUnion(joined.map(joinScalars).filter(({ kind }) => kind !== "never"));
  }

  #scalarsOf(shape: Shape): readonly Shape[] | undefined {
    const found: Shape[] = [];
    const waiting = [shape];
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      spend(1 / 10);
      const target = this.resolve(next);
      if (target?.kind === "union") waiting.unshift(...target.members);
      else if (target === undefined || !isScalar(target) || found.push(target) > mostJoined) return undefined;
    }
    return found;
  }

  /**
   * Returns what several types have in common, if they contain values of different types: what their texts have in
   * common, their lists, and so on. `undefined` if they are of one type, or a type is not known.
   */
  #joinByType(shapes: readonly Shape[], place: Place): Shape | undefined {
    const parts = shapes.map((shape) => this.#splitByType(shape));
    const known = parts.filter((part) => part !== undefined);
    if (known.length < parts.length || !known.some((part) => part.size > 1)) return undefined;
    const types = [...known[0]!.keys()].filter((type) => known.every((part) => part.has(type)));
    const joined = types.flatMap((type) => {
      const slices = known.map((part) => toUnion(part.get(type)!));
      const said = slices.filter((slice) => !isAnyOf(type, slice));
      const common = said.length === 0 ? slices[0]! : this.#intersect(said, place);
      return common.kind === "never" ? [] : [common];
    });
    const discriminator = shapes.map((shape) => shape.kind === "union" ? shape.discriminator : undefined)
      .find((each) => each !== undefined);
    return toUnion(joined, discriminator === undefined ? {} : { discriminator });
  }

  /** Returns the members of a type by the type of their values. */
  #splitByType(shape: Shape): ReadonlyMap<ValueType, readonly Shape[]> | undefined {
    const parts = new Map<ValueType, Shape[]>();
    const waiting = [shape];
    for (let [next, count] = [waiting.shift(), 0]; next; next = waiting.shift(), count++) {
      spend(1 / 10);
      const target = this.resolve(next);
      const isObject = this.#isObject(next) === true;
      const types = isObject ? ["object" as const] : target ? typesOf(target) : [];
      if (target?.kind === "union" && !isObject) waiting.unshift(...target.members);
      else if (types.length === 0 || count > mostJoined) return undefined;
      else for (const type of types) parts.set(type, [...parts.get(type) ?? [], ofType(next, target!, type)]);
    }
    return parts;
  }

  /** Returns the list that is of two types. `undefined` if their items differ. */
  #joinArrays(shapes: readonly Shape[]): Shape | undefined {
    const lists = shapes.map((shape) => this.resolve(shape));
    if (!lists.every((list) => list?.kind === "array")) return undefined;
    const all = lists.map((list) => (list as ArrayShape).items);
    const items = this.#amongObjects(all.filter(({ kind }) => kind !== "unknown"));
    if (new Set(items.map((item) => identityOf(item))).size > 1) return undefined;
    return joinBounds(lists as ArrayShape[], items[0] ?? { kind: "unknown" });
  }

  /** Leaves out what says nothing beside a type of objects: members that are none, and types of any object. */
  #amongObjects(shapes: readonly Shape[]): readonly Shape[] {
    if (shapes.length < 2 || !shapes.some((shape) => this.#isObject(shape) === true)) return shapes;
    const objects = shapes.map((shape) => {
      if (shape.kind !== "union") return shape;
      const { kind: _, members, ...notes } = shape;
      return toUnion(members.filter((member) => this.#isObject(member) !== false), notes);
    });
    const arePlain = objects.every((shape) => this.resolve(shape)?.kind === "object");
    const said = objects.filter((shape) => !isAnyObject(shape) || (arePlain && shape[silentKey] === undefined));
    return said.some((shape) => this.#isObject(shape) === true) ? said : [objects.find(isAnyObject)!, ...said];
  }

  /** Returns whether all values of a type are objects, or none. `undefined` if that is not certain. */
  #isObject(shape: Shape, known = new Map<Shape, boolean | undefined>()): boolean | undefined {
    const target = this.resolve(shape);
    if (target === undefined || target.kind === "unknown") return undefined;
    if (target.kind === "never") return true;
    if (target.kind !== "union" && target.kind !== "intersection") return target.kind === "object";
    if (known.has(target)) return known.get(target);
    spend(1 / 10);
    const all = new Set(target.members.map((member) => this.#isObject(member, known)));
    const isOne = all.size === 1 ? [...all][0] : undefined;
    const isObject = target.kind === "union" ? isOne : all.has(true) ? true : all.has(false) ? false : undefined;
    known.set(target, isObject);
    return isObject;
  }

  #joinObjects(objects: readonly ObjectShape[], place: Place): ObjectShape {
    spend(objects.length);
    const properties = new Map<string, Property>();
    for (const { properties: each } of objects) {
      for (const { name, shape, isRequired } of each) {
        const known = properties.get(name);
        properties.set(name, {
          name,
          shape: known
            ? { ...this.#intersect([known.shape, shape], place), ...readNotesOf(known.shape, shape) }
            : shape,
          isRequired: isRequired || known?.isRequired === true,
        });
      }
    }
    const closed = objects.filter(({ others }) => others === "closed");
    const isContradiction = closed.some((object) => object.properties.length < properties.size);
    if (isContradiction) {
      this.#report.fault(place, "additionalProperties: false rules out what allOf adds; it is ignored");
    }
    for (const object of objects) this.#reportRuledOut(object, [...properties.values()], place);
    const said = objects.filter((object) => object[silentKey] === undefined);
    const kept = (said.length > 0 ? said : objects).map((object) => object.others)
      .filter((each) => !(isContradiction && each === "closed"));
    const typed = kept.filter((each) => typeof each === "object");
    if (new Set(typed.map(identityOf)).size > 1 && !kept.includes("closed")) {
      this.#report.dropped(place, "additionalProperties of several schemas of allOf");
    }
    const others = kept.find((each) => each === "closed") ?? typed[0] ?? kept.find((each) => each === "open");
    return {
      kind: "object",
      properties: [...properties.values()],
      others: others ?? "ignored",
      ...(said.length === 0 && { [silentKey]: true }),
    };
  }

  /** Reports properties that may be of another type than `additionalProperties` of an object without them. */
  #reportRuledOut({ others, properties: own }: ObjectShape, all: readonly Property[], place: Place): void {
    if (typeof others !== "object") return;
    for (const { name, shape } of all.filter((each) => !own.some((property) => property.name === each.name))) {
      if (identityOf(shape) === identityOf(others)) continue;
      const property = describeReference(name);
      this.#report.fault(place, `additionalProperties rules out ${property} of allOf; it is declared all the same`);
    }
  }

  /** Returns what the keywords of a schema itself say, without the schemas that it combines. */
  #readOwn(schema: Part, place: Place, context: Context): Shape | undefined {
    const literal = this.#readLiteral(schema, place);
    if (literal) return literal;
    const types = listTypes(schema).filter((type) => type !== "null");
    if (types.length > 0) {
      const shapes = types.map((type) => this.#readType(String(type), schema, place, context));
      return toUnion(shapes.map((shape) => ({ ...shape, [placeKey]: place })));
    }
    if (listTypes(schema).includes("null")) return { kind: "null" };
    if (typeof schema.format === "string" && schema.format !== "binary") {
      this.#report.dropped(place, `the format ${schema.format} of a schema without a type`);
    }
    return this.#readUntyped(schema, place, context);
  }

  /**
   * Reads keywords without a type, which only restrict values of their own type: with those of another type they say
   * nothing. Where no other schema says which types a value has, it is one of theirs.
   */
  #readUntyped(schema: Part, place: Place, context: Context): Shape | undefined {
    const { types = anyType } = context;
    const restricted = restrictedTypes(schema);
    const isKnown = types.size < anyType.size;
    const relevant = restricted.filter((type) => types.has(type));
    if (relevant.length === 0) return undefined;
    if (!isKnown) this.#reportAssumed({ value: schema, place });
    const others = isKnown ? [...types].filter((type) => !relevant.includes(type)) : [];
    const shapes = relevant.map((type) => this.#readType(type, schema, place, context));
    return toUnion([...shapes.map((shape) => ({ ...shape, [placeKey]: place })), ...others.map(anyOf)]);
  }

  /** Reports that a schema without a type is read as one of the types that its keywords restrict. */
  #reportAssumed({ value, place }: Located): void {
    const restricted = isUntyped(value) ? restrictedTypes(toPart(value)) : [];
    if (restricted.length === 0) return;
    this.#report.fault(place, `the schema has no type; it is read as one of type ${restricted.join(" or ")}`);
  }

  #readLiteral(schema: Part, place: Place): Shape | undefined {
    const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
    if (values === undefined) return undefined;
    const types = listTypes(schema);
    const others = values.filter((value) => value !== null && !isEndless(value));
    if (values.some(isEndless)) {
      this.#report.fault(place, "a number is out of range; it is ignored");
      if (others.length === 0) return undefined;
    }
    const plain = others.filter((value): value is string | number | boolean =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    );
    if (plain.length < others.length) {
      this.#report.dropped(place, "enum of objects");
      return undefined;
    }
    const typed = types.length === 0 ? plain : plain.filter((value) => types.some((type) => isOfType(value, type)));
    if (typed.length < plain.length) this.#report.fault(place, "values of enum are not of the type of the schema");
    const known = typed.length === 0 ? plain : typed;
    const bounds = [this.#readString(schema, place), readNumber(schema, false)];
    const fitting = known.filter((value) => bounds.every((bound) => fitsBounds(bound, value)));
    if (known.length > 0 && fitting.length === 0) {
      this.#report.fault(place, "no value of enum matches the other keywords, which are ignored");
    }
    const unique = [...new Set(fitting.length === 0 ? known : fitting)];
    if (unique.length > 0) return { kind: "literal", values: unique };
    return values.length > 0 ? { kind: "null" } : this.#fault(place, "enum has no values");
  }

  #readType(type: string, schema: Part, place: Place, context: Context): Shape {
    switch (type) {
      case "boolean":
        return { kind: "boolean" };
      case "string":
        return this.#readString(schema, place);
      case "number":
      case "integer":
        return readNumber(schema, type === "integer");
      case "array":
        return this.#readArray(schema, place, withoutOwner(context));
      case "object":
        return this.#readObject(schema, place, withoutOwner(context));
      case "file":
        return { kind: "file" };
      default:
        return this.#fault(place, `${describeReference(type)} is not a type`);
    }
  }

  #readString(schema: Part, place: Place): Shape {
    const { format, pattern, contentEncoding, contentMediaType } = schema;
    if (format === "binary" || (contentMediaType === "application/octet-stream" && contentEncoding === undefined)) {
      return { kind: "file" };
    }
    const shape: StringShape = {
      kind: "string",
      ...pick("format", toText(contentEncoding === "base64" ? "byte" : format)),
      ...pick("minLength", toCount(schema.minLength) || undefined),
      ...pick("maxLength", toCount(schema.maxLength)),
    };
    if (typeof pattern !== "string") return shape;
    const valid = toPattern(pattern);
    if (valid === undefined) this.#report.fault(place, `${describeReference(pattern)} is not a regular expression`);
    return { ...shape, ...pick("pattern", valid) };
  }

  #readArray(schema: Part, place: Place, context: Context): Shape {
    const list = Array.isArray(schema.prefixItems) ? "prefixItems" : Array.isArray(schema.items) ? "items" : undefined;
    const minItems = toCount(schema.minItems) || undefined;
    const maxItems = toCount(schema.maxItems);
    const readAt = (value: unknown, ...steps: (string | number)[]) =>
      this.#read({ value, place: below(place, ...steps) }, context);
    if (list === undefined) {
      return {
        kind: "array",
        items: readAt(schema.items, "items"),
        ...pick("minItems", minItems),
        ...pick("maxItems", maxItems),
      };
    }
    const first = toList(schema[list]).map((value, index) => readAt(value, list, index));
    const name = list === "prefixItems" ? "items" : "additionalItems";
    const further = schema[name];
    const isExact = further === false || (maxItems ?? Infinity) <= first.length;
    if ((minItems ?? 0) > Math.min(maxItems ?? Infinity, further === false ? first.length : Infinity)) {
      this.#report.fault(place, "minItems is more than the list can have");
      return { kind: "never" };
    }
    if (minItems !== undefined && minItems >= first.length) {
      if (isExact) return { kind: "tuple", items: first, rest: undefined };
      const rest = readAt(further, name);
      const needed = Math.min(minItems, first.length + mostRepeated) - first.length;
      if (needed < minItems - first.length) this.#report.dropped(place, "minItems of prefixItems");
      const items = [...first, ...Array<Shape>(needed).fill(rest)];
      if (maxItems === items.length) return { kind: "tuple", items, rest: undefined };
      if (maxItems !== undefined) this.#report.dropped(place, "maxItems of prefixItems");
      return { kind: "tuple", items, rest };
    }
    this.#report.dropped(place, "prefixItems that may be absent");
    const bounds = {
      ...pick("minItems", minItems),
      ...pick("maxItems", isExact ? Math.min(maxItems ?? Infinity, first.length) : maxItems),
    };
    return { kind: "array", ...bounds, items: toUnion([...first, ...(isExact ? [] : [readAt(further, name)])]) };
  }

  #readObject(schema: Part, place: Place, context: Context): ObjectShape {
    const required = toList(schema.required);
    const hidden = context.direction === "input" ? "readOnly" : "writeOnly";
    const entries = Object.entries(toPart(schema.properties))
      .filter(([, value]) => !this.#hasFlag(value, hidden));
    const properties = entries.map(([name, value]): Property => ({
      name,
      shape: this.#read({ value, place: below(place, "properties", name) }, context),
      isRequired: required.includes(name),
    }));
    const undeclared = required.filter((name): name is string =>
      typeof name === "string" && memberOf(schema.properties, name) === undefined
    );
    const others = this.#readOthers(schema, place, context);
    const unknown = [...new Set(undeclared)].map((name): Property => ({
      name,
      shape: typeof others === "object" ? others : { kind: "unknown", [placeKey]: place },
      isRequired: true,
    }));
    if (others === "closed") {
      for (const { name } of unknown) {
        const property = describeReference(name);
        this.#report.fault(
          place,
          `additionalProperties rules out ${property}, which is required; it is declared all the same`,
        );
      }
    }
    const isSilent = others === "open" && ["additionalProperties", "unevaluatedProperties", "patternProperties"]
      .every((keyword) => schema[keyword] === undefined);
    return { kind: "object", properties: [...properties, ...unknown], others, ...(isSilent && { [silentKey]: true }) };
  }

  #readOthers(schema: Part, place: Place, context: Context): ObjectShape["others"] {
    const { additionalProperties, unevaluatedProperties } = schema;
    const isOwn = additionalProperties !== undefined || isCombined(schema);
    const name = isOwn ? "additionalProperties" : "unevaluatedProperties";
    const declared = isOwn ? additionalProperties : unevaluatedProperties;
    if (declared === undefined) return schema.properties === undefined ? "open" : "ignored";
    if (schema.patternProperties !== undefined) return "open"; // they may be of another type
    if (typeof declared === "boolean") return declared ? "open" : "closed";
    const shape = this.#read({ value: declared, place: below(place, name) }, context);
    return shape.kind === "unknown" ? "open" : shape;
  }

  /** Returns whether a property has a flag, itself or in the schema that it refers to. */
  #hasFlag(value: unknown, flag: "readOnly" | "writeOnly"): boolean {
    const schema = toPart(value);
    if (schema[flag] === true) return true;
    if (typeof schema.$ref !== "string") return false;
    return toPart(this.#find(schema.$ref)?.value)[flag] === true;
  }

  /** Returns whether a schema, or what it refers to, has properties of one direction. */
  #isSplit(reference: string): boolean {
    const known = this.#split.get(reference);
    if (known !== undefined) return known;
    const seen = new Set([reference]);
    for (const each of seen) { // which grows
      spend(1 / 100);
      const { isDirected, references } = this.#outline(each);
      if (isDirected) {
        this.#split.set(reference, true);
        return true;
      }
      for (const next of references) seen.add(next);
    }
    for (const each of seen) this.#split.set(each, false);
    return false;
  }

  #outline(reference: string): Outline {
    const known = this.#outlines.get(reference);
    if (known) return known;
    const references = new Set(this.#discriminators.familyOf(reference)?.members);
    const value = this.#find(reference)?.value;
    const isDirected = walkOutline(value, references, 0) || hasDirection(value);
    const outline = { isDirected, references: [...references] };
    this.#outlines.set(reference, outline);
    return outline;
  }

  #reportDropped(schema: Part, place: Place): void {
    for (const keyword of droppedKeywords) {
      const value = schema[keyword];
      if (value !== undefined && !idleKeywords[keyword]?.(schema)) this.#report.dropped(place, keyword);
    }
    for (const keyword of numericKeywords) {
      const value = schema[keyword];
      const isFlag = typeof value === "boolean" && keyword.startsWith("exclusive");
      if (value !== undefined && !isFlag && toNumber(value) === undefined) {
        this.#report.fault(place, `${keyword} is not a number; it is ignored`);
      }
    }
  }

  #fault(place: Place, message: string): Shape {
    this.#report.fault(place, message);
    return { kind: "unknown" };
  }
}

/** Returns the keys of the schemas that a value itself must match. */
function nearReferencesOf(shape: Shape): readonly string[] {
  if (shape.kind === "reference") return [shape.key];
  return shape.kind === "union" || shape.kind === "intersection" ? shape.members.flatMap(nearReferencesOf) : [];
}

/** Returns the schemas that a schema refers to with `$ref`, `allOf`, `oneOf` and `anyOf`, for the value itself. */
function listNear(value: unknown, level = 0): readonly string[] {
  spend(1 / 100);
  const { $ref, allOf, oneOf, anyOf } = toPart(value);
  const own = typeof $ref === "string" ? [$ref] : [];
  if (level > mostLevels) return own;
  return [...own, ...[allOf, oneOf, anyOf].flatMap(toList).flatMap((member) => listNear(member, level + 1))];
}

/** Returns whether a schema is a reference, with no more than what is said about it. */
function isReference(value: unknown): value is Part & { readonly $ref: string } {
  const { $ref, ...others } = toPart(value);
  return typeof $ref === "string" && (Object.keys(others).length === 0 || isOnlyNotes(others));
}

function withoutOwner({ within: _, types: _types, ...context }: Context): Context {
  return context;
}

/** What the key of a reference means. */
interface Key {
  readonly reference: string;
  readonly direction: Direction;
  /** If it is one member of a choice, and not all schemas that extend it. */
  readonly member: Member | undefined;
}

/** A member of a choice: the property of its discriminator, and the values that are its own. */
interface Member {
  readonly property: string;
  /** None if they are those that the schema declares. */
  readonly tags: readonly Tag[];
}

function toMember({ property }: Discriminator, tags: readonly Tag[] = []): Member {
  return { property, tags };
}

/** The most schemas of a choice that the report names. */
const mostNamed = 10;

/** A schema with a choice of others. */
interface Choosing {
  readonly schema: Part;
  readonly place: Place;
  /** What its other keywords say. */
  readonly own: Shape | undefined;
  readonly context: Context;
  /** Whether nothing but the keywords of the members says which types its values have. */
  readonly isAssumed: boolean;
}

interface Context {
  readonly direction: Direction;
  readonly level: number;
  /** The named schema that is read, and those read as a part of it. `undefined` inside its properties and items. */
  readonly within?: readonly string[];
  /** The types of the value, as the schemas around say that it has to match as well. */
  readonly types?: ValueTypes;
}

/** Keywords that no schema library expresses in a type. */
const droppedKeywords = [
  "not",
  "if",
  "patternProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "contains",
  "uniqueItems",
  "unevaluatedItems",
  "minProperties",
  "maxProperties",
  "dependencies",
  "$dynamicRef",
  "$recursiveRef",
];

/** When a keyword that is not expressed says nothing. */
const idleKeywords: Readonly<Record<string, (schema: Part) => boolean>> = {
  if: ({ then: met, else: unmet }) => (met ?? true) === true && (unmet ?? true) === true,
  uniqueItems: ({ uniqueItems }) => uniqueItems === false,
  unevaluatedItems: ({ unevaluatedItems }) => unevaluatedItems === true,
  minProperties: ({ minProperties }) => minProperties === 0,
  not: ({ not }) => not === false,
  propertyNames: ({ propertyNames }) => propertyNames === true,
};

/** Keywords whose values are numbers. OpenAPI 3.0 has booleans for exclusive bounds. */
const numericKeywords = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
];

/** The most combinations of the members of several unions in `allOf`. */
const mostJoined = 100;

/** The most items of a list that are declared because of its `minItems` alone. */
const mostRepeated = 20;

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function walkOutline(value: unknown, references: Set<string>, level: number): boolean {
  spend(1 / 100);
  if (level > mostLevels) return false;
  if (Array.isArray(value)) return value.map((item) => walkOutline(item, references, level + 1)).includes(true);
  if (!isPart(value)) return false;
  let isDirected = false;
  for (const [name, member] of Object.entries(value)) {
    if (name === "$ref" && typeof member === "string") references.add(member);
    else if (name === "properties") isDirected = Object.values(toPart(member)).some(hasDirection) || isDirected;
    if (typeof member === "object") isDirected = walkOutline(member, references, level + 1) || isDirected;
  }
  return isDirected;
}

function hasDirection(value: unknown): boolean {
  const { readOnly, writeOnly } = toPart(value);
  return readOnly === true || writeOnly === true;
}

function readNotes({ description, title, deprecated, ...schema }: Part): Notes {
  const text = toText(description) ?? (schema.$ref === undefined ? toText(title) : undefined);
  return {
    ...pick("description", text),
    ...(deprecated === true && { deprecated }),
    ...("default" in schema && isJson(schema.default) && { default: schema.default }),
  };
}

function readNotesOf(...shapes: readonly Shape[]): Notes {
  const described = shapes.find(({ description }) => description !== undefined);
  const fallback = shapes.findLast((shape) => shape.default !== undefined);
  return { ...pick("description", described?.description), ...pick("default", fallback?.default) };
}

/** Documents are JSON, unless a program passes something else. */
function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol" && typeof value !== "bigint";
}

/** Returns a member, unless its value is undefined. */
function pick<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Each in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Each in Name]?: Value };
}

function listTypes({ type }: Part): readonly unknown[] {
  return type === undefined || type === null ? [] : [type].flat();
}

function isNullable(schema: Part): boolean {
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  const isListed = schema.enum === undefined && schema.const === undefined;
  return schema.nullable === true || schema["x-nullable"] === true ||
    (listTypes(schema).includes("null") && isListed) || values.includes(null);
}

function withNull(shape: Shape, isWithNull: boolean): Shape {
  return isWithNull && shape.kind !== "null" ? toUnion([shape, { kind: "null" }]) : shape;
}

function isOnlyRequired(value: unknown): boolean {
  const names = Object.keys(toPart(value));
  return names.length > 0 && names.every((name) => name === "required" || name === "not" || name === "title");
}

/** Returns whether a member of a choice means null: OpenAPI 3.0 has no other way to say it. */
function isOnlyNull(value: unknown): boolean {
  const { nullable, ...rest } = toPart(value);
  return nullable === true && Object.keys(rest).length === 0;
}

/** Returns the type of all values of a type of JSON. */
function anyOf(type: ValueType): Shape {
  if (type === "object") return { kind: "object", properties: [], others: "open" };
  if (type === "array") return { kind: "array", items: { kind: "unknown" } };
  return type === "number" ? { kind: "number", isInteger: false } : { kind: type };
}

/** Returns whether a type accepts all values of a type of JSON. */
function isAnyOf(type: ValueType, shape: Shape): boolean {
  return JSON.stringify(withoutNotes(shape)) === JSON.stringify(anyOf(type));
}

function isScalar({ kind }: Shape): boolean {
  return ["string", "number", "boolean", "null", "literal"].includes(kind);
}

/** Returns the types of the values of a type that is not a union. None if they are not certain. */
function typesOf(shape: Shape): readonly ValueType[] {
  if (shape.kind === "literal") return [...new Set(shape.values.map(typeOf))];
  return [jsonTypeOf(shape) as ValueType | undefined].filter((type) => type !== undefined);
}

/** Returns the values of a type that are of a type of JSON. `shape` may be a reference to it. */
function ofType(shape: Shape, target: Shape, type: ValueType): Shape {
  return target.kind === "literal" && typesOf(target).length > 1
    ? { ...target, values: target.values.filter((value) => typeOf(value) === type) }
    : shape;
}

/** Returns a list with the tightest bounds of several. */
function joinBounds(lists: readonly ArrayShape[], items: Shape): ArrayShape {
  const least = Math.max(...lists.map(({ minItems = 0 }) => minItems));
  const most = Math.min(...lists.map(({ maxItems = Infinity }) => maxItems));
  return {
    kind: "array",
    items,
    ...pick("minItems", least || undefined),
    ...pick("maxItems", most === Infinity ? undefined : most),
  };
}

/** Returns whether a type only says that values are objects. */
function isAnyObject(shape: Shape): shape is ObjectShape {
  return shape.kind === "object" && shape.properties.length === 0 && shape.others === "open";
}

function isOnlyNotes(value: unknown): boolean {
  return isPart(value) &&
    Object.keys(value).every((name) => ["description", "title", "example", "default"].includes(name));
}

function isOfType(value: string | number | boolean, type: unknown): boolean {
  const own: string = typeof value;
  return type === "integer" ? Number.isInteger(value) : own === type;
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Returns whether a value is a number such as `1e400`, which JavaScript reads as infinite. */
function isEndless(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Reads the bounds of a number. OpenAPI 3.0 writes exclusive ones as booleans. Formats are bounds too. */
function readNumber(schema: Part, isInteger: boolean): NumberShape {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const format = toText(schema.format);
  const [least = -Infinity, most = Infinity] = integerRange(format) ?? [];
  const above = toNumber(exclusiveMinimum === true ? minimum : exclusiveMinimum);
  const below = toNumber(exclusiveMaximum === true ? maximum : exclusiveMaximum);
  const from = exclusiveMinimum === true ? undefined : toNumber(minimum);
  const to = exclusiveMaximum === true ? undefined : toNumber(maximum);
  return {
    kind: "number",
    isInteger,
    ...pick("format", format),
    ...pick("minimum", (above ?? -Infinity) < least ? Math.max(from ?? least, least) : from),
    ...pick("maximum", (below ?? Infinity) > most ? Math.min(to ?? most, most) : to),
    ...pick("exclusiveMinimum", above),
    ...pick("exclusiveMaximum", below),
    ...pick(
      "multipleOf",
      (toNumber(schema.multipleOf) ?? 0) > 0 ? toNumber(schema.multipleOf) : undefined,
    ),
  };
}
