/** Reads the choices that discriminators make: bases of an inheritance, and members of a choice with their values. */
import type { Direction } from "../openapi/definitions.ts";
import { below, describeReference, type DocumentPlace, type Located } from "../openapi/operations.ts";
import type { Discriminator, Discriminators, Tag } from "./discriminators.ts";
import { intersect, joinScalars, type Resolver } from "./intersect.ts";
import { readNotes, withNull } from "./keywords.ts";
import { toPart } from "../openapi/part.ts";
import { joinedKey, type Model, notesOf, placeKey, type Property, toUnion } from "./model.ts";
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
  refer(reference: string, place: DocumentPlace, direction: Direction, member?: Member): Model;
  /** Notes the members of a `oneOf`, of which a value may match only one. */
  exclude(members: readonly Model[], place: DocumentPlace): void;
}

/** Reads the base of an inheritance as a choice of the schemas that extend it. `undefined` for any other schema. */
export function readFamily(
  reference: string,
  { value, place }: Located,
  direction: Direction,
  store: SchemaStore,
): Model | undefined {
  const family = store.discriminators.familyOf(reference);
  if (family === undefined) return undefined;
  const { discriminator, members, strangers } = family;
  const { property } = discriminator;
  const own = strangers.size === 0 ? [] : [store.refer(reference, place, direction, { property, tags: [] })];
  const models = members.map((each) => {
    const member = readMember(each, discriminator, { place, direction, store });
    return strangers.has(each) ? intersect([...own, member], place, store) : member;
  });
  reportChoice(members, discriminator, place, store);
  const schema = toPart(value);
  return {
    ...withNull(toUnion(models, { discriminator: property }), schema),
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
): Model | undefined {
  const nested = store.discriminators.familyOf(reference)?.discriminator;
  if (nested === undefined || nested.property === property || tags.length === 0) return undefined;
  const choice = readFamily(reference, located, direction, store)!; // it has a family
  return intersect([choice, objectOf(property, tags)], located.place, store);
}

function objectOf(name: string, values: readonly Tag[]): Model {
  const tag: Property = { name, model: { kind: "literal", values }, isRequired: false };
  return { kind: "object", properties: [tag], others: "ignored" };
}

/** Reads a member of a choice, with the values of the property for which it stands. */
export function readMember(
  reference: string,
  discriminator: Discriminator,
  { place, direction, store }: {
    readonly place: DocumentPlace;
    readonly direction: Direction;
    readonly store: SchemaStore;
  },
): Model {
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
  place: DocumentPlace,
  { find, reporter, discriminators }: SchemaStore,
): void {
  for (const [text, reference] of discriminator.mapping) {
    if (find(reference) !== undefined) continue;
    const message = `the document does not define ${describeReference(reference)}`;
    reporter.add("faults", below(place, "discriminator", "mapping", text), message);
  }
  const named = references.map((reference) => {
    const tags = discriminators.tagsOf(reference, discriminator);
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    return tags.length === 0 ? name : `${tags.map((tag) => JSON.stringify(tag)).join(" or ")} for ${name}`;
  });
  const property = describeReference(discriminator.property);
  const list = `${named.slice(0, mostNamed).join(", ")}${named.length > mostNamed ? ", …" : ""}`;
  reporter.add(
    "faults",
    below(place, "discriminator"),
    `the discriminator ${property} selects the schema (${list}); other objects are refused`,
  );
}

/** Returns a type whose property has only the values for which it stands in a choice. */
export function withTags(model: Model, member: Member, types: Resolver): Model {
  const { property, tags } = member;
  if (tags.length === 0) return model;
  if (model.kind === "union") {
    return { ...model, members: model.members.map((each) => withTags(each, member, types)) };
  }
  if (model.kind === "intersection") return { ...model, members: [...model.members, objectOf(property, tags)] };
  if (model.kind !== "object") return model;
  const literal: Model = { kind: "literal", values: tags };
  const known = model.properties.find(({ name }) => name === property);
  if (known === undefined) {
    return typeof model.others === "object" || model.others === "closed"
      ? model
      : { ...model, properties: [{ name: property, model: literal, isRequired: false }, ...model.properties] };
  }
  const joined = joinScalars([known.model, literal], types) ?? literal;
  if (joined.kind === "never") return model;
  const { [placeKey]: place, [joinedKey]: places = [] } = known.model;
  const narrowed = { ...known, model: { ...joined, ...notesOf(known.model), [placeKey]: place, [joinedKey]: places } };
  return { ...model, properties: model.properties.map((each) => each === known ? narrowed : each) };
}
