/**
 * How senders and readers interpret schemas. Senders send only declared members, and readers ignore unknown ones. Both
 * treat `oneOf` as `anyOf`, because programs do not count the branches that a value matches.
 */
import {
  isEqual,
  isJsonList,
  isJsonObject,
  isSchemaObject,
  type Json,
  type JsonSchema,
  type JsonSchemaObject,
  mapParts,
  schemaList,
  typeOf,
} from "./json.ts";
import { idsOf, type LocatedSchema, locateSchema, mostLevels, tooDeep } from "./locate.ts";
import { normalize } from "./normalize.ts";
import { matchesPattern } from "./pattern.ts";
import { itemSchemas, type MemberRules, memberSchemas, type ObjectShape, rulesFor, type Shape } from "./shapes.ts";
import { isValid, isValidForAll } from "./validate.ts";

export function toSender(schema: JsonSchema): LocatedSchema {
  return locateSchema(mapSchema(schema, joinAlternatives));
}

/**
 * Prepares the schema of a reader. If `isOpen`, objects may contain undeclared members, even if the schema forbids
 * them.
 */
export function toReader(schema: JsonSchema, isOpen: boolean): LocatedSchema {
  const open = (part: JsonSchemaObject) =>
    isOpen ? without(without(part, "unevaluatedProperties"), "additionalProperties") : part;
  return locateSchema(mapSchema(schema, (part) => joinAlternatives(open(part))));
}

function without(schema: JsonSchemaObject, keyword: string): JsonSchemaObject {
  if (schema[keyword] !== false) return schema;
  const { [keyword]: _, ...rest } = schema;
  return rest;
}

function joinAlternatives({ oneOf, ...rest }: JsonSchemaObject): JsonSchemaObject {
  if (oneOf === undefined) return rest;
  return rest.anyOf === undefined
    ? { ...rest, anyOf: oneOf }
    : { ...rest, allOf: [...schemaList(rest.allOf), { anyOf: oneOf }] };
}

/**
 * Keywords whose schemas exclude values or choose between branches. Widening these schemas would narrow the whole
 * schema.
 */
const choosing: ReadonlySet<string> = new Set(["not", "if", "propertyNames"]);

/** Returns a copy of a schema with every part mapped, innermost first. */
function mapSchema(schema: JsonSchema, map: (part: JsonSchemaObject) => JsonSchemaObject, level = 0): JsonSchema {
  if (level > mostLevels) throw new TypeError(tooDeep);
  if (!isSchemaObject(schema)) return schema;
  const mapped = Object.entries(schema).map(([keyword, value]): [string, unknown] => [
    keyword,
    choosing.has(keyword) ? value : mapParts(keyword, value, (part) => mapSchema(part, map, level + 1)),
  ]);
  return map(Object.fromEntries(mapped));
}

/** Tests whether a sender may send a member with this name: it is declared, or the schema does not describe members. */
export function canSend({ members }: ObjectShape, name: string): boolean {
  const isNamed = ({ named, patterns }: MemberRules) =>
    named.has(name) || patterns.some(([pattern]) => matchesPattern(pattern, name));
  const own = rulesFor(members, name);
  return own.every((rules) => !isClosed(rules) || isNamed(rules)) &&
    (members.length === 0 || own.some((rules) => rules.rest !== undefined || isNamed(rules)));
}

/** Tests whether a sender may send members whose names its schema does not contain. */
export function isOpenSender({ members }: ObjectShape): boolean {
  return !members.some(isClosed) && (members.length === 0 || members.some(({ rest }) => rest !== undefined));
}

function isClosed({ rest }: MemberRules): boolean {
  return rest?.schema === false;
}

/** Results of {@linkcode canBeSent} for objects and lists, by the ids of schemas. */
type SendableResults = Map<object, Map<string, boolean>>;

/** Tests whether a value matches all schemas and contains only members that a sender may send. */
export function canBeSent(
  schemas: readonly LocatedSchema[],
  value: Json,
  known: SendableResults = new Map(),
): boolean {
  if (typeof value !== "object" || value === null) return hasSendableShape(schemas, value, known);
  const results = known.get(value) ?? new Map<string, boolean>();
  known.set(value, results);
  const key = idsOf(schemas);
  const result = results.get(key) ?? hasSendableShape(schemas, value, known);
  results.set(key, result);
  return result;
}

function hasSendableShape(schemas: readonly LocatedSchema[], value: Json, known: SendableResults): boolean {
  return isValidForAll(schemas, value) &&
    normalize(schemas).some((shape) =>
      shape.type === typeOf(value) && !shape.not.some((schema) => isValid(schema, value)) &&
      hasSendableParts(shape, value, known)
    );
}

function hasSendableParts(shape: Shape, value: Json, known: SendableResults): boolean {
  if (shape.values) return shape.values.includes(value) || shape.values.some((each) => isEqual(each, value));
  if (shape.type === "array" && isJsonList(value)) {
    return value.every((item, index) => canBeSent(itemSchemas(shape, index), item, known));
  }
  if (shape.type !== "object" || !isJsonObject(value)) return true;
  return [...shape.required].every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) =>
      canSend(shape, name) && canBeSent(memberSchemas(shape, name), member, known)
    );
}
