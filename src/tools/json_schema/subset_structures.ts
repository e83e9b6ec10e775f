/** Compares the shapes of lists and objects. */
import { boundOf, differ, type Difference, differenceBelow, doubt } from "./difference.ts";
import type { LocatedSchema } from "./locate.ts";
import { canSend, isOpenSender } from "./reading_rules.ts";
import { leastDepth } from "./sample_depth.ts";
import { areSame } from "./same_schema.ts";
import {
  type ArrayShape,
  type Contains,
  countPrefix,
  itemSchemas,
  knownNames,
  type MemberRules,
  memberSchemas,
  type ObjectShape,
  rulesFor,
} from "./shapes.ts";
import { isValid } from "./validate.ts";

export interface Comparison {
  /** Compares the values that match all schemas of a sender with those that match all schemas of a reader. */
  readonly compare: (sender: readonly LocatedSchema[], reader: readonly LocatedSchema[]) => readonly Difference[];
  /** Whether a reader rejects undeclared members, even if its schema allows them. */
  readonly isClosed: boolean;
}

/** Returns how a reader may reject the lists of a shape. */
export function compareArrays(shape: ArrayShape, reader: ArrayShape, comparison: Comparison): Difference[] {
  const sender = { ...shape, maxItems: mostItems(shape) };
  const differences: Difference[] = [];
  if (sender.minItems < reader.minItems) {
    differences.push(differ("minItems", sender.minItems || undefined, reader.minItems));
  }
  if (sender.maxItems > reader.maxItems) {
    differences.push(differ("maxItems", boundOf(sender.maxItems), reader.maxItems, !sender.isUnique));
  }
  if (reader.isUnique && !sender.isUnique && sender.maxItems > 1) differences.push(differ("uniqueItems", false, true));
  return [...differences, ...compareItems(sender, reader, comparison), ...compareContains(sender, reader)];
}

/** Returns the maximum number of items. A list ends before the first item that no value matches. */
function mostItems(shape: ArrayShape): number {
  const first = countPrefix(shape);
  const possible = Array.from({ length: first + 1 }, (_, index) => leastDepth(itemSchemas(shape, index)) !== undefined);
  return Math.min(shape.maxItems, possible.includes(false) ? possible.indexOf(false) : Infinity);
}

function compareItems(sender: ArrayShape, reader: ArrayShape, { compare }: Comparison): Difference[] {
  const first = Math.max(countPrefix(sender), countPrefix(reader));
  const places = Array.from({ length: Math.min(first, sender.maxItems) }, (_, index) => String(index));
  if (sender.maxItems > first) places.push("*");
  return places.flatMap((place, index) =>
    differenceBelow(place, compare(itemSchemas(sender, index), itemSchemas(reader, index)))
  );
}

function compareContains(sender: ArrayShape, reader: ArrayShape): Difference[] {
  const isKept = (wanted: Contains) =>
    sender.contains.some(({ schema, least, most }) =>
      areSame(schema, wanted.schema) && least >= wanted.least && most <= wanted.most
    );
  return reader.contains.filter((wanted) => !isKept(wanted)).map(() => differ("contains", undefined, undefined, false));
}

export function compareObjects(sender: ObjectShape, reader: ObjectShape, comparison: Comparison): Difference[] {
  const names = [...new Set([...knownNames(sender), ...knownNames(reader)])];
  return [
    ...names.flatMap((name) => compareMember(name, sender, reader, comparison)),
    ...compareOtherMembers(sender, reader, comparison),
    ...compareNames(names, sender, reader),
    ...compareSizes(names, sender, reader),
  ];
}

function compareMember(name: string, sender: ObjectShape, reader: ObjectShape, comparison: Comparison): Difference[] {
  const presence = presenceOf(name, sender);
  const missing = reader.required.has(name) && presence !== "required"
    ? [{ ...differ("required", presence, "required"), path: [name] }]
    : [];
  if (presence === "absent") return missing;
  const schemas = memberSchemas(reader, name);
  const sent = memberSchemas(sender, name);
  if (rejectsMember(name, reader, schemas, comparison)) {
    const isNever = leastDepth(sent) === undefined;
    return isNever ? missing : [...missing, { ...differ("additionalProperties", presence, false), path: [name] }];
  }
  return [...missing, ...differenceBelow(name, comparison.compare(sent, schemas))];
}

/** Tests whether objects of a shape have a named member: always, sometimes or never. */
function presenceOf(name: string, shape: ObjectShape): "required" | "optional" | "absent" {
  if (shape.required.has(name)) return "required";
  const isFull = shape.required.size >= shape.maxProperties;
  const isNamed = shape.names.every((schema) => isValid(schema, name));
  return canSend(shape, name) && !isFull && isNamed ? "optional" : "absent";
}

function rejectsMember(
  name: string,
  reader: ObjectShape,
  schemas: readonly LocatedSchema[],
  { isClosed }: Comparison,
): boolean {
  if (rulesFor(reader.members, name).some(({ named }) => named.has(name))) return false;
  const isExpected = reader.required.has(name) || canSend(reader, name);
  return schemas.some(({ schema }) => schema === false) || (isClosed && !isExpected);
}

/** Compares the members that neither shape names: those that match a pattern, and all others. */
function compareOtherMembers(sender: ObjectShape, reader: ObjectShape, comparison: Comparison): Difference[] {
  const [sent, read] = [schemasByPattern(sender), schemasByPattern(reader)];
  const compareRest = (own: readonly LocatedSchema[], isMatched: (pattern: string) => boolean) =>
    compareWithRest(
      own,
      { sender, reader, read, isMany: sent.size * read.size > mostPatternPairs },
      comparison,
      isMatched,
    );
  return [
    ...[...sent].flatMap(([pattern, schemas]) => compareRest(schemas, (own) => own === pattern)),
    ...(isOpenSender(sender) ? compareRest(sender.members.flatMap(({ rest }) => rest ?? []), () => false) : []),
  ];
}

/** The most pairs of patterns that are compared. If there are more, whether members that match both fit is unknown. */
const mostPatternPairs = 10_000;

type SchemasByPattern = ReadonlyMap<string, readonly LocatedSchema[]>;

interface RestPair {
  readonly sender: ObjectShape;
  readonly reader: ObjectShape;
  readonly read: SchemasByPattern;
  /** Whether there are too many pairs of patterns. */
  readonly isMany: boolean;
}

/** Compares members with unknown names that match some of the reader's patterns. */
function compareWithRest(
  sent: readonly LocatedSchema[],
  { sender, reader, read, isMany }: RestPair,
  comparison: Comparison,
  isMatched: (pattern: string) => boolean,
): Difference[] {
  const rest = reader.members.flatMap((rules) => schemasOfOthers(rules, isMatched));
  const others = [...read].filter(([pattern]) => !isMatched(pattern));
  const perhaps = isMany && others.length > 0
    ? [differ("patternProperties", undefined, undefined, false)]
    : others.flatMap(([, schemas]) => comparison.compare(sent, schemas));
  const isUndeclared = others.length === read.size && comparison.isClosed && !isOpenSender(reader);
  const isRejected = leastDepth(sent) !== undefined && (isUndeclared || rest.some(({ schema }) => schema === false));
  const certain = isRejected ? [differ("additionalProperties", "optional", false)] : comparison.compare(sent, rest);
  const isSure = sender.names.length === 0 && others.length === 0;
  return differenceBelow("*", [...(isSure ? certain : doubt(certain)), ...doubt(perhaps)]);
}

function schemasByPattern({ members }: ObjectShape): SchemasByPattern {
  const found = new Map<string, LocatedSchema[]>();
  for (const [pattern, schema] of members.flatMap(({ patterns }) => patterns)) {
    const schemas = found.get(pattern);
    if (schemas) schemas.push(schema);
    else found.set(pattern, [schema]);
  }
  return found;
}

/**
 * Returns the schemas of one set of constraints for members with unknown names: those of matching patterns, or that of
 * all others.
 */
function schemasOfOthers({ patterns, rest }: MemberRules, isMatched: (pattern: string) => boolean): LocatedSchema[] {
  const matching = patterns.filter(([pattern]) => isMatched(pattern)).map(([, schema]) => schema);
  return matching.length > 0 || rest === undefined ? matching : [rest];
}

function compareNames(names: readonly string[], sender: ObjectShape, reader: ObjectShape): Difference[] {
  return reader.names.filter((wanted) => !sender.names.some((own) => areSame(own, wanted))).flatMap((wanted) => {
    const rejected = names.filter((name) => presenceOf(name, sender) !== "absent" && !isValid(wanted, name));
    const isOpen = isOpenSender(sender) || sender.members.some(({ patterns }) => patterns.length > 0);
    return rejected.length > 0 || isOpen ? [differ("propertyNames", rejected, undefined, false)] : [];
  });
}

function compareSizes(names: readonly string[], sender: ObjectShape, reader: ObjectShape): Difference[] {
  const hasOthers = isOpenSender(sender) || sender.members.some(({ patterns }) => patterns.length > 0);
  const least = Math.max(sender.minProperties, sender.required.size);
  const sendable = hasOthers ? Infinity : names.filter((name) => presenceOf(name, sender) !== "absent").length;
  const most = Math.min(sender.maxProperties, sendable);
  const differences: Difference[] = [];
  if (least < reader.minProperties) differences.push(differ("minProperties", least, reader.minProperties));
  if (most > reader.maxProperties) {
    differences.push(differ("maxProperties", boundOf(most), reader.maxProperties, sender.names.length === 0));
  }
  return differences;
}
