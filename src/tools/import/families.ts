/** Reads the choices that discriminators make: bases of an inheritance, and members of a choice with their values. */
import type { Direction } from "../openapi/definitions.ts";
import { below, describeReference, type Located, type Place } from "../openapi/operations.ts";
import type { Discriminator, Discriminators, Tag } from "./discriminators.ts";
import { intersect, joinScalars, type Resolver } from "./intersect.ts";
import { readNotes, withNull } from "./keywords.ts";
import { toPart } from "../openapi/part.ts";
import { notesOf, placeKey, type Property, type Shape, toUnion } from "./shape.ts";
import type { Finder } from "./source.ts";

/** A member of a choice: the property of its discriminator, and the values that are its own. */
export interface Member {
  readonly property: string;
  /** None if they are those that the schema declares. */
  readonly tags: readonly Tag[];
}

/** What schemas refer to. */
export interface SchemaStore extends Resolver {
  readonly find: Finder;
  readonly discriminators: Discriminators;
  /** Returns a reference to a schema, or to it as a member of a choice. Reports one that leads nowhere. */
  refer(reference: string, place: Place, direction: Direction, member?: Member): Shape;
  /** Notes the members of a `oneOf`, of which a value may match only one. */
  exclude(members: readonly Shape[], place: Place): void;
}

/** Reads the base of an inheritance as a choice of the schemas that extend it. `undefined` for any other schema. */
export function readFamily(
  reference: string,
  { value, place }: Located,
  direction: Direction,
  store: SchemaStore,
): Shape | undefined {
  const family = store.discriminators.familyOf(reference);
  if (family === undefined) return undefined;
  const { discriminator, members, strangers } = family;
  const { property } = discriminator;
  const own = strangers.size === 0 ? [] : [store.refer(reference, place, direction, { property, tags: [] })];
  const shapes = members.map((each) => {
    const member = readMember(each, discriminator, { place, direction, store });
    return strangers.has(each) ? intersect([...own, member], place, store) : member;
  });
  reportChoice(members, discriminator, place, store);
  const schema = toPart(value);
  return {
    ...withNull(toUnion(shapes, { discriminator: property }), schema),
    ...readNotes(schema),
    [placeKey]: place,
  };
}

/** Reads a member of a choice whose values another property tells apart. `undefined` for any other member. */
export function readNested(
  reference: string,
  located: Located,
  direction: Direction,
  { member: { property, tags }, store }: { readonly member: Member; readonly store: SchemaStore },
): Shape | undefined {
  const nested = store.discriminators.familyOf(reference)?.discriminator;
  if (nested === undefined || nested.property === property || tags.length === 0) return undefined;
  const choice = readFamily(reference, located, direction, store)!; // it has a family
  return intersect([choice, objectOf(property, tags)], located.place, store);
}

function objectOf(name: string, values: readonly Tag[]): Shape {
  const tag: Property = { name, shape: { kind: "literal", values }, isRequired: false };
  return { kind: "object", properties: [tag], others: "ignored" };
}

/** Reads a member of a choice, with the values of the property for which it stands. */
export function readMember(
  reference: string,
  discriminator: Discriminator,
  { place, direction, store }: {
    readonly place: Place;
    readonly direction: Direction;
    readonly store: SchemaStore;
  },
): Shape {
  const tags = store.discriminators.tagsOf(reference, discriminator);
  const isBase = store.discriminators.familyOf(reference) !== undefined;
  const member = tags.length > 0 || isBase ? { property: discriminator.property, tags } : undefined;
  return store.refer(reference, place, direction, member);
}

/** The most schemas of a choice that the report names. */
const mostNamed = 10;

/** Reports a choice that a discriminator makes narrower than the schemas are. */
export function reportChoice(
  references: readonly string[],
  discriminator: Discriminator,
  place: Place,
  { find, report, discriminators }: SchemaStore,
): void {
  for (const [text, reference] of discriminator.mapping) {
    if (find(reference) !== undefined) continue;
    const message = `the document does not define ${describeReference(reference)}`;
    report.fault(below(place, "discriminator", "mapping", text), message);
  }
  const named = references.map((reference) => {
    const tags = discriminators.tagsOf(reference, discriminator);
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    return tags.length === 0 ? name : `${tags.map((tag) => JSON.stringify(tag)).join(" or ")} for ${name}`;
  });
  const property = describeReference(discriminator.property);
  const list = `${named.slice(0, mostNamed).join(", ")}${named.length > mostNamed ? ", …" : ""}`;
  report.fault(
    below(place, "discriminator"),
    `the discriminator ${property} selects the schema (${list}); other objects are refused`,
  );
}

/** Returns a type whose property has only the values for which it stands in a choice. */
export function withTags(shape: Shape, member: Member, types: Resolver): Shape {
  const { property, tags } = member;
  if (tags.length === 0) return shape;
  if (shape.kind === "union") {
    return { ...shape, members: shape.members.map((each) => withTags(each, member, types)) };
  }
  if (shape.kind === "intersection") return { ...shape, members: [...shape.members, objectOf(property, tags)] };
  if (shape.kind !== "object") return shape;
  const literal: Shape = { kind: "literal", values: tags };
  const known = shape.properties.find(({ name }) => name === property);
  if (known === undefined) {
    return typeof shape.others === "object" || shape.others === "closed"
      ? shape
      : { ...shape, properties: [{ name: property, shape: literal, isRequired: false }, ...shape.properties] };
  }
  const joined = joinScalars([known.shape, literal], types) ?? literal;
  if (joined.kind === "never") return shape;
  const narrowed = { ...known, shape: { ...joined, ...notesOf(known.shape) } };
  return { ...shape, properties: shape.properties.map((each) => each === known ? narrowed : each) };
}
