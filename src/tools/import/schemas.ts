/** The schemas of a document: those with names are read once, and all others where they stand. */
import { type Direction, remember } from "../openapi/definitions.ts";
import { decodePercent, lastName } from "../json_schema/references.ts";
import { spend } from "../json_schema/steps.ts";
import { describeMissing, type DocumentPlace, type Located } from "../openapi/operations.ts";
import { Discriminators } from "./discriminators.ts";
import { type Member, readFamily, readNested, type SchemaStore, withTags } from "./families.ts";
import { areExclusive } from "./overlap.ts";
import { isPart, toPart } from "../openapi/part.ts";
import { mostSchemaLevels, SchemaReader } from "./read_schema.ts";
import type { Reporter } from "./report.ts";
import { type Model, placeKey } from "./model.ts";
import { createFinder, type Finder, type Source } from "./source.ts";

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
  readonly model: Model;
  readonly place: DocumentPlace;
}

/** What is known about a schema before it is read: whether it has properties of one direction, and what it refers to. */
interface Outline {
  readonly isDirected: boolean;
  readonly references: readonly string[];
}

/** What the key of a reference means. */
interface Key {
  readonly reference: string;
  readonly direction: Direction;
  /** If it is one member of a choice, and not all schemas that extend it. */
  readonly member: Member | undefined;
}

/** The schemas of a document. */
export class Schemas implements SchemaStore {
  readonly find: Finder;
  readonly reporter: Reporter;
  readonly discriminators: Discriminators;
  readonly #reader: SchemaReader;
  readonly #named = new Map<string, NamedSchema | undefined>();
  readonly #outlines = new Map<string, Outline>();
  readonly #split = new Map<string, boolean>();
  /** What the keys of references mean. */
  readonly #keys = new Map<string, Key>();
  /** The members of each `oneOf`. They may refer to schemas that are being read. */
  readonly #exclusive: { readonly members: readonly Model[]; readonly place: DocumentPlace }[] = [];

  constructor(source: Source, reporter: Reporter) {
    this.find = createFinder(source);
    this.reporter = reporter;
    this.discriminators = new Discriminators(source, this.find);
    this.#reader = new SchemaReader(this);
  }

  /** Reads a schema where it stands. */
  read(located: Located, direction: Direction): Model {
    return this.#reader.read(located, direction);
  }

  refer(reference: string, place: DocumentPlace, direction: Direction, member?: Member): Model {
    if (this.find(reference) === undefined) {
      this.reporter.add("faults", place, describeMissing(reference));
      return { kind: "unknown" };
    }
    const isInput = direction === "input" && this.#isSplit(reference);
    const key = `${isInput ? "input " : ""}${member ? `${JSON.stringify(member)} ` : ""}${reference}`;
    this.#keys.set(key, { reference, direction: isInput ? "input" : "output", member });
    return { kind: "reference", key, [placeKey]: place };
  }

  exclude(members: readonly Model[], place: DocumentPlace): void {
    this.#exclusive.push({ members, place });
  }

  /** Returns the schema of a key that a reference has. */
  get(key: string): NamedSchema {
    const known = this.#named.get(key);
    if (known) return known;
    const { reference, direction, member } = this.#keys.get(key)!;
    const located = this.find(reference)!; // a key is made of a reference that leads somewhere
    this.#named.set(key, undefined); // it is being read
    const read = () => this.#reader.read(located, direction, reference);
    const model = member === undefined
      ? readFamily(reference, located, direction, this) ?? read()
      : readNested(reference, located, direction, { member, store: this }) ?? withTags(read(), member, this);
    const schema = {
      key,
      ...(member && { tagged: member.property }),
      name: nameOf(located.place),
      direction,
      isSplit: this.#isSplit(reference),
      model,
      place: located.place,
    };
    this.#named.set(key, schema);
    return schema;
  }

  /** Returns the reference that a key stands for. */
  referenceOf(key: string): string {
    return this.#keys.get(key)!.reference;
  }

  readonly resolve = (model: Model): Model | undefined => {
    const seen = new Set<string>();
    let target = model;
    while (target.kind === "reference") {
      spend(1 / 100);
      const { key } = target;
      if (seen.has(key) || (this.#named.has(key) && this.#named.get(key) === undefined)) return undefined;
      seen.add(key);
      target = this.get(key).model;
    }
    return target;
  };

  /** Reads schemas that are a part of themselves, without an object or a list between, as unknown. */
  replaceEndless(keys: Iterable<string>): void {
    const endless = [...keys].filter((key) => this.#isEndless(key));
    for (const key of endless) {
      const { model, ...schema } = this.get(key);
      this.#named.set(key, { ...schema, model: { kind: "unknown", description: model.description } });
      this.reporter.add(
        "faults",
        schema.place,
        "the schema is a part of itself with no object or list between; it is not checked",
      );
    }
  }

  #isEndless(key: string): boolean {
    const seen = new Set(nearReferencesOf(this.get(key).model));
    for (const each of seen) { // which grows
      spend(1 / 100);
      for (const next of nearReferencesOf(this.get(each).model)) seen.add(next);
    }
    return seen.has(key);
  }

  /** Reports each `oneOf` whose members are not disjoint: a value of several is accepted. */
  reportOverlaps(): void {
    for (const { members, place } of this.#exclusive) {
      if (!areExclusive(members, (key) => this.get(key).model)) {
        this.reporter.add("unchecked", place, "that a value matches only one of oneOf");
      }
    }
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
    return remember(this.#outlines, reference, () => {
      const references = new Set(this.discriminators.familyOf(reference)?.members);
      const value = this.find(reference)?.value;
      const isDirected = walkOutline(value, references, 0) || hasDirection(value);
      return { isDirected, references: [...references] };
    });
  }
}

/** Returns the name of a schema: the last step of its pointer, or its file. */
function nameOf({ pointer, file }: DocumentPlace): string {
  return lastName(pointer) || decodePercent(file.split("/").at(-1)!.replace(/\.\w+$/, "")) || "Document";
}

/** Returns the keys of the schemas that a value itself must match. */
function nearReferencesOf(model: Model): readonly string[] {
  if (model.kind === "reference") return [model.key];
  return model.kind === "union" || model.kind === "intersection" ? model.members.flatMap(nearReferencesOf) : [];
}

function walkOutline(value: unknown, references: Set<string>, level: number): boolean {
  spend(1 / 100);
  if (level > mostSchemaLevels) return false;
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
