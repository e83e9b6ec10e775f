/**
 * Whether all that one end of a wire sends is what the other end takes. Schemas are prepared by `toSender` and `toReader`,
 * whose rules hold here: senders send only what is declared.
 */
import { differ, type Difference, doubt, isWhole } from "./difference.ts";
import { areDisjoint, tagsOf } from "./intersect.ts";
import { isEqual, type Json, type JsonType } from "./json.ts";
import { type LocatedSchema, locatePart } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { canEndShape } from "./sample_depth.ts";
import { areSame, resolveAlias } from "./same_schema.ts";
import { type NumberShape, type ObjectShape, type Shape, type StringShape } from "./shapes.ts";
import { compareNumbers, compareStrings } from "./subset_scalars.ts";
import { compareArrays, compareObjects, type Comparison } from "./subset_structures.ts";
import { isValid } from "./validate.ts";

/** The most pairs of schemas that are compared; what is left is unknown. */
const maxPairs = 20_000;

/** The most levels of lists and objects that are entered. */
const deepest = 64;

/**
 * What a sender may send that a reader may refuse; nothing where it is proven that there is no such value.
 *
 * Schemas that lead to themselves are compared once: a pair that is being compared has no differences of its own.
 *
 * @param isClosed Whether the reader is to refuse members that it does not declare, even where its schema does not say so.
 */
export function subset(sender: LocatedSchema, reader: LocatedSchema, isClosed = false): readonly Difference[] {
  const known = new Map<string, readonly Difference[]>();
  const comparison: Comparison = { compare, isClosed };

  function compare(sent: readonly LocatedSchema[], read: readonly LocatedSchema[]): readonly Difference[] {
    const [left, right] = [distinct(sent), distinct(read)];
    const key = `${left.map(({ id }) => id).join()} ${right.map(({ id }) => id).join()}`;
    const before = known.get(key);
    if (before) return before;
    if (known.size >= maxPairs) return [differ("$ref", undefined, undefined, false)];
    known.set(key, []);
    const isSame = right.every((schema) => left.some((other) => areSame(other, schema)));
    const differences = isSame ? [] : compareShapes(left, right, comparison);
    known.set(key, differences);
    return differences;
  }

  return compare([sender], [reader]);
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
  const [missing, others] = partition(shapes, ({ type }) => !wanted.some((each) => each.type === type));
  const isRefused = (value: Json) =>
    sender.every((schema) => isValid(schema, value)) && !reader.every((schema) => isValid(schema, value));
  const differences = others.flatMap((shape) => coverShape(shape, { wanted, isRefused, comparison }));
  return unite([...compareTypes(missing, wanted), ...differences]);
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** Types that a reader does not take at all. */
function compareTypes(missing: readonly Shape[], wanted: readonly Shape[]): Difference[] {
  const types = typesOf(missing);
  if (types.length === 0) return [];
  return [differ("type", types, typesOf(wanted), missing.some(isWhole))];
}

function typesOf(shapes: readonly Shape[]): JsonType[] {
  return [...new Set(shapes.map(({ type }) => type))];
}

/** What the shapes of a sender are compared with. */
interface Wanted {
  /** The reader's shapes. */
  readonly wanted: readonly Shape[];
  /** Whether a value is the sender's, and the reader refuses it. */
  readonly isRefused: (value: Json) => boolean;
  readonly comparison: Comparison;
}

/** Where the values of a shape may be none that the reader takes. */
function coverShape(shape: Shape, reader: Wanted): readonly Difference[] {
  const values = shape.values ?? plainValues[shape.type];
  if (values) return compareValues(values, shape, reader);
  const candidates = reader.wanted.filter((other) => !areDisjoint(shape, other));
  if (candidates.length === 0) return [refuseAlternative(shape, reader)];
  const found = candidates.map((other) => compareShape(shape, other, reader.comparison));
  if (found.some(({ length }) => length === 0)) return [];
  const [first] = candidates;
  if (candidates.length === 1) return isWhole(shape) || !first ? found[0]! : doubt(found[0]!);
  const parts = splitByTag(shape, candidates);
  if (parts) return parts.flatMap((part) => coverShape(part, reader));
  return doubt(found.toSorted((left, right) => left.length - right.length)[0]!);
}

/** The values of types that have few. */
const plainValues: { readonly [Type in JsonType]?: readonly Json[] } = { null: [null], boolean: [false, true] };

function compareValues(values: readonly Json[], shape: Shape, { isRefused, wanted }: Wanted): readonly Difference[] {
  const refused = values.filter(isRefused);
  if (refused.length > 0) return [differ("enum", refused, allowedBy(wanted, shape.type))];
  const formats = wanted.flatMap((other) => other.type === "string" && !other.values ? other.formats : []);
  return shape.type === "string" && formats.length > 0 ? [differ("format", values, formats, false)] : [];
}

/** The only values of a type that a reader takes, where there are only some. */
function allowedBy(wanted: readonly Shape[], type: JsonType): readonly Json[] | undefined {
  const shapes = wanted.filter((shape) => shape.type === type);
  return shapes.every(({ values }) => values) ? shapes.flatMap(({ values }) => values!) : undefined;
}

/** A shape that no shape of the reader's has a value in common with. */
function refuseAlternative(shape: Shape, { wanted }: Wanted): Difference {
  const allowed = allowedBy(wanted, shape.type);
  if (allowed && shape.type !== "object") return differ("enum", undefined, allowed, isWhole(shape));
  return differ("anyOf", shape.type === "object" ? tagOf(shape) : undefined, undefined, isWhole(shape));
}

/** The member that tells an object apart, by its only value. */
function tagOf(shape: ObjectShape): Json | undefined {
  for (const name of shape.required) {
    const tags = tagsOf(shape, name);
    if (tags?.length === 1) return { [name]: tags[0]! };
  }
}

/** Where the values of a shape may not have another one. */
function compareShape(sender: Shape, reader: Shape, comparison: Comparison): readonly Difference[] {
  const extra = [...reader.also, ...reader.not].length > 0 ? compareExtra(sender, reader) : [];
  if (reader.values) return [...extra, differ("enum", undefined, reader.values, hasManyValues(sender))];
  if (sender.type === "number") return [...extra, ...compareNumbers(sender, reader as NumberShape)];
  if (sender.type === "string") return [...extra, ...compareStrings(sender, reader as StringShape)];
  if (sender.type === "array") return [...extra, ...compareArrays(sender, reader as typeof sender, comparison)];
  if (sender.type === "object") return [...extra, ...compareObjects(sender, reader as ObjectShape, comparison)];
  return extra;
}

/** Whether it is plain that a shape has more values than anybody lists. */
function hasManyValues(shape: Shape): boolean {
  if (shape.type === "string") return shape.patterns.length === 0 && shape.maxLength > 1;
  return shape.type === "number" && shape.multiplesOf.length === 0 && shape.maximum - shape.minimum > 10_000;
}

/** What the reader's shape does not say by itself, unless the sender's schema says the same. */
function compareExtra(sender: Shape, reader: Shape): Difference[] {
  const also = reader.also.filter((schema) => !sender.also.some((own) => areSame(own, schema)));
  const not = reader.not.filter((schema) =>
    !sender.not.some((own) => areSame(own, schema)) &&
    !normalize([schema]).every((shape) => areDisjoint(sender, shape))
  );
  return [
    ...also.map(({ schema }) => differ(extraKeyword(schema), undefined, undefined, false)),
    ...not.map(() => differ("not", undefined, undefined, false)),
  ];
}

/** The keyword because of which a schema is kept beside a shape. */
function extraKeyword(schema: LocatedSchema["schema"]): string {
  const closing = ["unevaluatedProperties", "unevaluatedItems"].find((keyword) =>
    Object.hasOwn(Object(schema), keyword)
  );
  return closing ?? Object.keys(schema)[0] ?? "not";
}

/** A shape of objects by the values of a member that tells the reader's objects apart. */
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

/** Each difference once. */
function unite(differences: readonly Difference[]): Difference[] {
  const united: Difference[] = [];
  for (const difference of differences) {
    if (!united.some((other) => isEqual(toJson(other), toJson(difference)))) united.push(difference);
  }
  return united;
}

function toJson({ path, keyword, sender = null, reader = null }: Difference): Json {
  return [path, keyword, sender, reader];
}
