/** Discriminators: the property of an object whose value says which of several schemas the object is. */
import { decodePercent, parseReference } from "../json_schema/references.ts";
import { spend } from "../json_schema/steps.ts";
import { remember } from "../openapi/definitions.ts";
import { isPart, ownMember, type Part, toList, toPart, toText } from "../openapi/part.ts";
import { below, describePlace, type DocumentPlace } from "../openapi/operations.ts";
import type { Finder, Source } from "./source.ts";

/** A value of the property of a discriminator. */
export type Tag = string | number | boolean;

/** The discriminator of a schema. */
export interface Discriminator {
  readonly property: string;
  /** The references to schemas by the texts that stand for them. The names of other schemas stand for them, too. */
  readonly mapping: ReadonlyMap<string, string>;
  /** The schema of values that stand for no other one. */
  readonly fallback: string | undefined;
}

/** The schemas that the values of a base may be of. */
export interface Family {
  readonly discriminator: Discriminator;
  /** The references to the schemas, in the order of the document. */
  readonly members: readonly string[];
  /** Those of them that do not extend the base. */
  readonly strangers: ReadonlySet<string>;
}

/** Reads the discriminators of a document. */
export class Discriminators {
  readonly #source: Source;
  readonly #find: Finder;
  readonly #families = new Map<string, Family | undefined>();
  readonly #declared = new Map<string, DeclaredValues>();
  readonly #heirs = new Map<string, ReadonlySet<string>>();
  #children: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(source: Source, find: Finder) {
    this.#source = source;
    this.#find = find;
  }

  /** Returns the discriminator of a schema. Swagger 2.0 has only the name of the property. */
  read(schema: Part, place: DocumentPlace): Discriminator | undefined {
    const { discriminator } = schema;
    const { propertyName, mapping, defaultMapping } = toPart(discriminator);
    const property = toText(discriminator) ?? toText(propertyName);
    if (property === undefined) return undefined;
    const entries = Object.entries(toPart(mapping)).flatMap(([text, target]) => {
      const reference = this.#toReference(target, place);
      return reference === undefined ? [] : [[text, reference] as const];
    });
    return { property, mapping: new Map(entries), fallback: this.#toReference(defaultMapping, place) };
  }

  /**
   * Returns the schemas that the values of a base may be of: those that extend it, directly or not, and itself.
   * `undefined` if no discriminator says which one a value is.
   */
  familyOf(reference: string): Family | undefined {
    const key = normalize(reference);
    if (!this.#families.has(key)) this.#families.set(key, this.#findFamily(key));
    return this.#families.get(key);
  }

  /**
   * Returns the values of the property for which a schema stands, if it does not declare them itself. None if it accepts
   * any value.
   */
  tagsOf(reference: string, { property, mapping, fallback }: Discriminator): readonly Tag[] {
    const key = normalize(reference);
    if (key === fallback) return [];
    const mapped = [...mapping].filter(([, target]) => target === key).map(([text]) => text);
    const named = mapped.length > 0 ? mapped : [nameOf(key)].filter((name) => name !== undefined);
    const { values, type } = this.#declaredAt(key, property);
    const tags = named.map((text) => toTag(text, type)).filter((tag) => tag !== undefined);
    if (values === undefined) return tags;
    const kept = values.filter((value) => tags.includes(value as Tag)) as Tag[]; // they are equal to one
    return kept.length < values.length ? kept : [];
  }

  /** Returns whether a schema is one of those that extend a base, whose members a discriminator tells apart. */
  isExtended(reference: string, base: string): boolean {
    const key = normalize(reference);
    const family = this.familyOf(base);
    return family !== undefined && key !== normalize(base) && this.#heirsOf(normalize(base)).has(key);
  }

  #findFamily(key: string): Family | undefined {
    const own = this.#inherited(key);
    if (own === undefined) return undefined;
    const { discriminator, isOwn } = own;
    const heirs = this.#heirsOf(key);
    const mapped = new Set(discriminator.mapping.values());
    const listed = isOwn ? [...mapped, ...(discriminator.fallback === undefined ? [] : [discriminator.fallback])] : [];
    const strangers = new Set(
      listed.filter((each) => each !== key && !heirs.has(each) && this.#find(each) !== undefined),
    );
    if (heirs.size + strangers.size === 0) return undefined;
    const isConcrete = (each: string) => mapped.size === 0 ? this.#mayBe(each, discriminator) : mapped.has(each);
    const members = [key, ...heirs, ...strangers].filter((each) =>
      isConcrete(each) || each === discriminator.fallback || (each !== key && this.#childrenOf(each).length === 0)
    );
    const isLast = (each: string) => Number(each === discriminator.fallback);
    return { discriminator, members: members.toSorted((one, other) => isLast(one) - isLast(other)), strangers };
  }

  /** Returns the schemas that extend another one, directly or not. */
  #heirsOf(key: string): ReadonlySet<string> {
    return remember(this.#heirs, key, () => {
      const heirs = new Set(this.#childrenOf(key));
      for (const each of heirs) { // which grows
        spend(1 / 100);
        for (const next of this.#childrenOf(each)) heirs.add(next);
      }
      heirs.delete(key);
      return heirs;
    });
  }

  /** Returns whether the values that a schema declares for the property contain the name of the schema. */
  #mayBe(key: string, { property }: Discriminator): boolean {
    const { values } = this.#declaredAt(key, property);
    return values === undefined || this.#childrenOf(key).length === 0 || values.includes(nameOf(key));
  }

  /** Returns the discriminator of a schema, or of one that it extends. One beside a choice is about that choice. */
  #inherited(key: string): { readonly discriminator: Discriminator; readonly isOwn: boolean } | undefined {
    const seen = new Set([key]);
    for (const each of seen) { // which grows
      spend(1 / 10);
      const located = this.#find(each);
      const schema = toPart(located?.value);
      const isChoice = schema.oneOf !== undefined || schema.anyOf !== undefined;
      const discriminator = located && !isChoice ? this.read(schema, located.place) : undefined;
      if (discriminator) return { discriminator, isOwn: each === key };
      for (const base of basesOf(schema)) seen.add(base);
    }
    return undefined;
  }

  /** Returns the values that a schema declares for a property, and its type. */
  #declaredAt(key: string, property: string): DeclaredValues {
    const name = JSON.stringify([key, property]);
    const known = this.#declared.get(name);
    if (known) return known;
    spend(1 / 10);
    this.#declared.set(name, {}); // while it extends itself
    const schema = toPart(this.#find(key)?.value);
    const inline = [schema, ...toList(schema.allOf).map(toPart)];
    const own = inline.map((each) => this.#followProperty(ownMember(each.properties, property)))
      .filter((each) => each !== undefined).map(declaredBy);
    const all = [...own, ...basesOf(schema).map((base) => this.#declaredAt(base, property))];
    const lists = all.flatMap(({ values }) => values === undefined ? [] : [values]);
    const [first, ...others] = lists;
    const declared: DeclaredValues = {
      type: all.find(({ type }) => type !== undefined)?.type,
      ...(first && { values: first.filter((value) => others.every((list) => list.includes(value))) }),
    };
    this.#declared.set(name, declared);
    return declared;
  }

  #followProperty(value: unknown, hops = 0): Part | undefined {
    if (!isPart(value)) return undefined;
    const { $ref, allOf } = value;
    const [only, ...others] = toList(allOf);
    const next = typeof $ref === "string" ? this.#find($ref)?.value : others.length === 0 ? only : undefined;
    return next === undefined || hops > mostHops ? value : this.#followProperty(next, hops + 1);
  }

  /** Returns the schemas that extend another one with `allOf`. */
  #childrenOf(key: string): readonly string[] {
    this.#children ??= this.#listChildren();
    return this.#children.get(key) ?? [];
  }

  #listChildren(): ReadonlyMap<string, readonly string[]> {
    const children = new Map<string, string[]>();
    for (const [file, value] of this.#source.files) {
      for (const [place, schema] of listSchemas(file, value)) {
        spend(1 / 10);
        if (isAlias(schema) && !this.#isMapped(schema, place)) continue;
        for (const base of this.#basesBehind(schema)) {
          const known = children.get(base);
          if (known) known.push(describePlace(place));
          else children.set(base, [describePlace(place)]);
        }
      }
    }
    return children;
  }

  /** Returns the schemas that a schema extends, also those that another name stands for. */
  #basesBehind(schema: Part): string[] {
    return basesOf(schema).flatMap((base) => {
      const target = toPart(this.#find(base)?.value);
      return isAlias(target) ? [base, ...basesOf(target)] : [base];
    });
  }

  /** Returns whether the schema that another one extends names that one in its mapping. */
  #isMapped(schema: Part, place: DocumentPlace): boolean {
    return basesOf(schema).some((base) => {
      const located = this.#find(base);
      const discriminator = located && this.read(toPart(located.value), located.place);
      return [...discriminator?.mapping.values() ?? []].includes(describePlace(place));
    });
  }

  /** Returns the reference of a mapping: to a part of a file, to a file, or to a schema by its name. */
  #toReference(target: unknown, { file }: DocumentPlace): string | undefined {
    if (typeof target !== "string") return undefined;
    if (target.startsWith("#")) return normalize(file + target);
    if (target.includes("#")) return normalize(target);
    const named = [file, ""].map((each) =>
      describePlace(below({ file: each, pointer: "" }, "components", "schemas", target))
    )
      .find((reference) => this.#find(reference) !== undefined);
    return named ?? (this.#source.files.has(target) ? `${target}#` : undefined);
  }
}

/** The most references to follow to the schema of a property. */
const mostHops = 20;

/** Returns the schemas of a file that have names, and a file that is a schema. */
function listSchemas(file: string, value: unknown): readonly (readonly [DocumentPlace, Part])[] {
  const root: DocumentPlace = { file, pointer: "" };
  const { components, definitions, $defs, allOf } = toPart(value);
  const maps: readonly (readonly [DocumentPlace, unknown])[] = [
    [below(root, "components", "schemas"), ownMember(components, "schemas")],
    [below(root, "definitions"), definitions],
    [below(root, "$defs"), $defs],
  ];
  return [
    ...maps.flatMap(([place, schemas]) =>
      Object.entries(toPart(schemas)).map(([name, schema]) => [below(place, name), toPart(schema)] as const)
    ),
    ...(Array.isArray(allOf) ? [[root, toPart(value)] as const] : []),
  ];
}

/** Returns the references to the schemas that a schema extends. */
function basesOf(schema: Part): string[] {
  return [schema, ...toList(schema.allOf).map(toPart)].map(({ $ref }) => $ref)
    .filter((reference): reference is string => typeof reference === "string").map(normalize);
}

/** Returns whether a schema is another one under its own name, with no more than what is said about it. */
function isAlias(schema: Part): boolean {
  const { $ref, allOf, ...rest } = schema;
  const members = toList(allOf);
  const isWhole = members.length === 0 || ($ref === undefined && members.length === 1 && isAlias(toPart(members[0])));
  return isWhole && ($ref !== undefined || members.length > 0) &&
    Object.keys(rest).every((name) => said.has(name) || name.startsWith("x-"));
}

const said: ReadonlySet<string> = new Set([
  ...["title", "description", "example", "examples", "default", "deprecated", "externalDocs"],
  ...["nullable", "readOnly", "writeOnly", "xml"],
]);

interface DeclaredValues {
  readonly values?: readonly unknown[];
  readonly type?: unknown;
}

/** Returns the values of a schema of texts, numbers or booleans, and its type. */
function declaredBy(schema: Part): DeclaredValues {
  const values = "const" in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  return { type: schema.type, ...(values && { values: values.filter((value) => value !== null) }) };
}

/** Returns the text of a mapping as a value of a type. `undefined` if it is none. */
function toTag(text: string, type: unknown): Tag | undefined {
  const types = [type ?? []].flat();
  if (types.length === 0 || types.includes("string")) return text;
  if (types.includes("boolean")) return text === "true" ? true : text === "false" ? false : undefined;
  const isNumber = types.includes("integer") || types.includes("number");
  return isNumber && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

function nameOf(reference: string): string | undefined {
  return /\/(?:schemas|definitions|\$defs)\/([^/]+)$/.exec(reference)?.[1]?.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Returns a reference without escapes of URLs. */
function normalize(reference: string): string {
  const { file, fragment } = parseReference(reference);
  return reference.includes("%") && reference.includes("#") ? `${file}#${decodePercent(fragment)}` : reference;
}
