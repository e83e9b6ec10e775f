/**
 * Decides whether a reader accepts everything that a sender sends. `toSender` and `toReader` prepare the schemas:
 * senders send only declared members.
 */
import { differ, type Difference, doubt } from "./difference.ts";
import { matchesFormat } from "./format_language.ts";
import { type Json, type JsonType, toMembership } from "./json.ts";
import { idsOf, type LocatedSchema, locatePart, memoOfPairs } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { canEndShape } from "./sample_depth.ts";
import { areSame, resolveAlias } from "./same_schema.ts";
import { areDisjoint, areOfOtherKinds, type ObjectShape, type Shape, tagsOf } from "./shapes.ts";
import { compareNumbers, compareStrings } from "./subset_scalars.ts";
import { compareArrays, compareObjects, type Comparison } from "./subset_structures.ts";
import { limitSteps, spend } from "./steps.ts";
import { isValidForAll } from "./validate.ts";

/** The most pairs of schemas that are compared. Further differences are unknown. */
const maxPairs = 100_000;

const subsetSteps = 3_000_000;

/** The most levels of lists and objects that are compared. */
const deepest = 64;

/** The most levels that are compared at once. Deeper pairs follow afterwards, because the stack would overflow. */
const mostNested = 60;

/** Schemas of a sender and of a reader. All of them apply to the same value. */
type SchemaPair = readonly [sent: readonly LocatedSchema[], read: readonly LocatedSchema[]];

/** The differences of pairs that earlier comparisons of the same two whole schemas found, by the ids of schemas. */
const knownDifferences = /* @__PURE__ */ memoOfPairs<readonly Difference[]>();

/**
 * Returns how a reader may reject what a sender sends; an empty list if it certainly accepts everything.
 *
 * A pair of recursive schemas that is already being compared is assumed to match. If that proves wrong, the results
 * that depend on the assumption are computed again.
 *
 * @throws {StepLimitError} If the comparison takes too many steps.
 * @param isClosed Whether the reader rejects undeclared members, even if its schema allows them.
 */
export function subset(sender: LocatedSchema, reader: LocatedSchema, isClosed = false): readonly Difference[] {
  const pairs = new Pairs(knownDifferences(sender, reader), isClosed);
  return limitSteps(subsetSteps, () => pairs.compareAll([[sender], [reader]]));
}

class Pairs {
  readonly #known = new Map<string, readonly Difference[]>();
  /** The pairs that were assumed to match while they were compared. */
  readonly #assumed = new Set<string>();
  readonly #compared: string[] = [];
  /** The pairs that were too deep, and are assumed to match. */
  readonly #deep = new Map<string, SchemaPair>();
  readonly #earlier: Map<string, readonly Difference[]>;
  readonly #comparison: Comparison;
  #count = 0;
  #level = 0;

  constructor(earlier: Map<string, readonly Difference[]>, isClosed: boolean) {
    this.#earlier = earlier;
    this.#comparison = { compare: (...pair) => this.#compare(...pair), isClosed };
  }

  compareAll(pair: SchemaPair): readonly Difference[] {
    let differences = this.#compare(...pair);
    while (this.#compareDeep()) {
      this.#forgetProofs([...this.#known.keys()]);
      differences = this.#compare(...pair);
    }
    if (this.#count <= maxPairs) { for (const [key, found] of this.#known) this.#earlier.set(key, found); }
    return differences;
  }

  #compare(sent: readonly LocatedSchema[], read: readonly LocatedSchema[]): readonly Difference[] {
    const [left, right] = [distinct(sent), distinct(read)];
    const key = `${this.#comparison.isClosed} ${idsOf(left)} ${idsOf(right)}`;
    const before = this.#known.get(key);
    if (before) {
      this.#assumed.add(key);
      return before;
    }
    const result = this.#earlier.get(key);
    if (result) return result;
    spend(sent.length + read.length);
    if (++this.#count > maxPairs) return [differ("$ref", undefined, undefined, false)];
    this.#known.set(key, []);
    this.#assumed.delete(key);
    if (this.#level >= mostNested) {
      this.#deep.set(key, [sent, read]);
      return [];
    }
    const start = this.#compared.push(key);
    const isSame = right.every((schema) => left.some((other) => areSame(other, schema)));
    this.#level++;
    const differences = isSame ? [] : limitPlaces(withCause(compareShapes(left, right, this.#comparison), key));
    this.#level--;
    if (differences.length > 0 && this.#assumed.has(key)) this.#forgetProofs(this.#compared.splice(start));
    this.#known.set(key, differences);
    return differences;
  }

  /** Forgets pairs without differences, because their results may depend on an assumption that proved wrong. */
  #forgetProofs(keys: Iterable<string>): void {
    for (const key of keys) if (this.#known.get(key)?.length === 0) this.#known.delete(key);
  }

  /**
   * Compares the pairs that were too deep, and returns whether one of them differs. Those that contain it are compared
   * again, the deepest first.
   */
  #compareDeep(): boolean {
    for (const [key, pair] of this.#deep) { // which grows
      this.#known.delete(key);
      this.#compare(...pair);
    }
    const pairs = [...this.#deep];
    this.#deep.clear();
    const isDifferent = pairs.some(([key]) => this.#known.get(key)?.length !== 0);
    for (const [, pair] of isDifferent ? pairs.toReversed() : []) {
      this.#forgetProofs([...this.#known.keys()]);
      this.#compare(...pair);
    }
    return isDifferent;
  }
}

function distinct(schemas: readonly LocatedSchema[]): LocatedSchema[] {
  return [...new Set(schemas.map((schema) => resolveAlias(schema)))].filter(({ schema }) => schema !== true);
}

function compareShapes(
  sender: readonly LocatedSchema[],
  reader: readonly LocatedSchema[],
  comparison: Comparison,
): readonly Difference[] {
  const wanted = normalize(reader);
  const shapes = normalize(sender).filter((shape) => canEndShape(shape, deepest));
  const isKnown = ({ type }: Shape) => wanted.some((each) => each.type === type);
  const missing = shapes.filter((shape) => !isKnown(shape));
  const isRejected = (value: Json) => isValidForAll(sender, value) && !isValidForAll(reader, value);
  const differences = shapes.filter(isKnown).flatMap((shape) => coverShape(shape, { wanted, isRejected, comparison }));
  return unite([...compareTypes(missing, wanted), ...differences]);
}

function compareTypes(missing: readonly Shape[], wanted: readonly Shape[]): Difference[] {
  const types = typesOf(missing);
  if (types.length === 0) return [];
  return [differ("type", types, typesOf(wanted), missing.some(isWhole))];
}

function isWhole({ also, not }: Shape): boolean {
  return also.length === 0 && not.length === 0;
}

function typesOf(shapes: readonly Shape[]): JsonType[] {
  return [...new Set(shapes.map(({ type }) => type))];
}

/** The reader's side of a comparison. */
interface Wanted {
  readonly wanted: readonly Shape[];
  /** Tests whether the sender can send a value that the reader rejects. */
  readonly isRejected: (value: Json) => boolean;
  readonly comparison: Comparison;
}

/** Returns how the reader may reject the values of a shape. */
function coverShape(shape: Shape, reader: Wanted): readonly Difference[] {
  const values = shape.values ?? plainValues[shape.type];
  if (values) return compareValues(values, shape, reader);
  const candidates = reader.wanted.filter((other) => !areOfOtherKinds(shape, other));
  if (candidates.length === 0) return [alternativeDifference(shape, reader)];
  const found = candidates.map((other) => compareShape(shape, other, reader.comparison));
  if (found.some(({ length }) => length === 0)) return [];
  const [shortest = []] = found.toSorted((left, right) =>
    countMismatches(left) - countMismatches(right) || left.length - right.length
  );
  if (found.length === 1) return isWhole(shape) ? shortest : doubt(shortest);
  const parts = splitByTag(shape, candidates);
  if (parts) return parts.flatMap((part) => coverShape(part, reader));
  const media = found.flatMap(([first, ...others]) =>
    first?.keyword === "contentMediaType" && others.length === 0 ? first : []
  );
  const [medium] = media;
  if (medium && media.length === found.length && isWhole(shape)) {
    return [{ ...medium, reader: media.map(({ reader }) => reader).join(" or ") }];
  }
  return doubt(shortest);
}

/** Counts the differences that show that a shape is another alternative: a required member, or a value that tells. */
function countMismatches(differences: readonly Difference[]): number {
  return differences.filter(({ keyword, path }) => path.length === 1 && ["required", "enum"].includes(keyword)).length;
}

const plainValues: { readonly [Type in JsonType]?: readonly Json[] } = { null: [null], boolean: [false, true] };

function compareValues(values: readonly Json[], shape: Shape, { isRejected, wanted }: Wanted): readonly Difference[] {
  const rejected = values.filter(isRejected);
  if (rejected.length > 0) return [differ("enum", rejected, allowedBy(wanted, shape.type))];
  if (values.every(toMembership(wanted.flatMap((other) => other.values ?? [])))) return [];
  const formats = wanted.flatMap((other) => other.type === "string" && !other.values ? other.formats : [])
    .filter((format) => !values.every((value) => matchesFormat(value, format)));
  if (shape.type === "string" && formats.length > 0) return [differ("format", values, formats, false)];
  const hasContent = (other: Shape) => other.type === "string" && [...other.mediaTypes, ...other.contents].length > 0;
  const readers = wanted.filter(({ type }) => type === "string");
  const isDoubtful = shape.type === "string" && readers.length > 0 && readers.every(hasContent) && !hasContent(shape);
  return isDoubtful ? [differ("contentMediaType", undefined, undefined, false)] : [];
}

function allowedBy(wanted: readonly Shape[], type: JsonType): readonly Json[] | undefined {
  const shapes = wanted.filter((shape) => shape.type === type);
  return shapes.every(({ values }) => values) ? shapes.flatMap(({ values }) => values ?? []) : undefined;
}

/** Returns the difference for a shape without any value in common with the reader's shapes. */
function alternativeDifference(shape: Shape, { wanted }: Wanted): Difference {
  const allowed = allowedBy(wanted, shape.type);
  if (allowed && shape.type !== "object") return differ("enum", undefined, allowed, isWhole(shape));
  return differ("anyOf", shape.type === "object" ? tagOf(shape) : undefined, undefined, isWhole(shape));
}

/** Returns the member whose only value identifies the kind of an object. */
function tagOf(shape: ObjectShape): Json | undefined {
  for (const name of shape.required) {
    const [tag, ...others] = tagsOf(shape, name) ?? [];
    if (tag !== undefined && others.length === 0) return { [name]: tag };
  }
}

/** Returns how the values of one shape may not have another one. */
function compareShape(sender: Shape, reader: Shape, comparison: Comparison): readonly Difference[] {
  const extra = [...reader.also, ...reader.not].length > 0 ? compareExtra(sender, reader) : [];
  if (reader.values) return [...extra, differ("enum", undefined, reader.values, hasManyValues(sender))];
  return [...extra, ...compareRules(sender, reader, comparison)];
}

function compareRules(sender: Shape, reader: Shape, comparison: Comparison): readonly Difference[] {
  if (sender.type === "number" && reader.type === "number") return compareNumbers(sender, reader);
  if (sender.type === "string" && reader.type === "string") return compareStrings(sender, reader, comparison);
  if (sender.type === "array" && reader.type === "array") return compareArrays(sender, reader, comparison);
  if (sender.type === "object" && reader.type === "object") return compareObjects(sender, reader, comparison);
  return [];
}

/** Tests whether a shape certainly has more values than an `enum` would list. */
function hasManyValues(shape: Shape): boolean {
  if (shape.type === "string") return shape.patterns.length === 0 && shape.maxLength > 1;
  return shape.type === "number" && shape.multiplesOf.length === 0 && shape.maximum - shape.minimum > 10_000;
}

/** Compares the constraints outside the reader's shape, unless the sender's schema has the same. */
function compareExtra(sender: Shape, reader: Shape): Difference[] {
  const also = omitSame(reader.also, sender.also);
  const not = omitSame(reader.not, sender.not).filter((schema) =>
    !normalize([schema]).every((shape) => areDisjoint(sender, shape))
  );
  return [
    ...also.map(({ schema }) => differ(extraKeyword(schema), undefined, undefined, false)),
    ...not.map(() => differ("not", undefined, undefined, false)),
  ];
}

/** The most pairs of such schemas that are compared. If there are more, only those with equal texts are found. */
const mostExtraPairs = 10_000;

function omitSame(schemas: readonly LocatedSchema[], others: readonly LocatedSchema[]): LocatedSchema[] {
  if (schemas.length * others.length <= mostExtraPairs) {
    return schemas.filter((schema) => !others.some((other) => areSame(other, schema)));
  }
  const byText = new Map(others.map((other) => [JSON.stringify(other.schema), other]));
  return schemas.filter((schema) => {
    const other = byText.get(JSON.stringify(schema.schema));
    return !other || !areSame(other, schema);
  });
}

/** Returns the keyword for which a schema is kept in `also` or `not`. */
function extraKeyword(schema: LocatedSchema["schema"]): string {
  const closing = ["unevaluatedProperties", "unevaluatedItems"].find((keyword) =>
    Object.hasOwn(Object(schema), keyword)
  );
  return closing ?? Object.keys(schema)[0] ?? "not";
}

/** Splits a shape of objects by the values of the member that identifies the reader's kinds of objects. */
function splitByTag(shape: Shape, candidates: readonly Shape[]): Shape[] | undefined {
  if (shape.type !== "object") return undefined;
  for (const name of shape.required) {
    const tags = tagsOf(shape, name);
    const isTag = candidates.some((other) =>
      other.type === "object" && other.required.has(name) && tagsOf(other, name)
    );
    if (tags && tags.length > 1 && isTag) return tags.flatMap((tag) => withTag(shape, name, tag) ?? []);
  }
}

function withTag(shape: ObjectShape, name: string, tag: Json): ObjectShape | undefined {
  const place = shape.members.flatMap(({ named }) => named.get(name) ?? [])[0];
  const constant = place && locatePart(place, { const: tag });
  if (!constant) return undefined;
  const members = shape.members.map((rules) =>
    rules.named.has(name) ? { ...rules, named: new Map([...rules.named, [name, constant]]) } : rules
  );
  return { ...shape, members };
}

function unite(differences: readonly Difference[]): Difference[] {
  const keyOf = ({ path, keyword, sender, reader }: Difference) => JSON.stringify([path, keyword, sender, reader]);
  return [...new Map(differences.map((each) => [keyOf(each), each])).values()];
}

/** Marks the differences that the schemas of a pair cause themselves. */
function withCause(differences: readonly Difference[], pair: string): Difference[] {
  return differences.map((each) =>
    each.cause ? each : { ...each, cause: `${pair} ${each.path.join()} ${each.keyword}` }
  );
}

/** The most places in which one cause is reported. Without a limit there is one for each path through the schemas. */
const mostPlaces = 3;

/** Removes differences whose cause is reported in enough other places, the nearest ones. */
function limitPlaces(differences: readonly Difference[]): readonly Difference[] {
  const places = new Map<string | undefined, Difference[]>();
  for (const each of differences.toSorted((one, other) => one.path.length - other.path.length)) {
    const before = places.get(each.cause) ?? [];
    if (before.length < mostPlaces) places.set(each.cause, [...before, each]);
  }
  const kept = new Set([...places.values()].flat());
  return differences.filter((each) => kept.has(each));
}
