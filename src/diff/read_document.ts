/** Reads an OpenAPI document as an API. */
import {
  integerRange,
  isSchemaObject,
  type JsonSchema,
  namedSchemas,
  textList,
  toSchema,
} from "../json_schema/json.ts";
import { tooDeep } from "../json_schema/locate.ts";
import { type Definitions, mapObjects, mapReferences, reachable } from "../openapi/references.ts";
import { parseStep } from "../schema.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import type { Api, ApiBody, ApiResponse, ApiRoute, ApiValue } from "./api.ts";
import { defaultParams, formatStyle, omitIdle, toRequirements } from "./read_contract.ts";
import { namesOf } from "./route_pairs.ts";

/** The keyword that marks the schema of a place as unknown, with the reason. */
export const unknownKeyword = "x-scope-api-unknown";

/** An object of a document, whose type is not known. */
type Part = Readonly<Record<string, unknown>>;

/** A document, with lookups that are needed repeatedly. */
interface Source {
  readonly whole: Part;
  readonly definitions: Readonly<Record<Direction, Definitions>>;
  /** The values of schemas that were already read, by their direction and text. */
  readonly values: Map<string, ApiValue>;
}

/** Who sends the values of a schema: a request has no properties that are `readOnly`, a response none `writeOnly`. */
type Direction = "readOnly" | "writeOnly";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Reads an OpenAPI document of version 3.0, 3.1 or 3.2 as an API. */
export function readDocument(document: object): Api {
  const whole = toPart(document);
  const definitions = { readOnly: readDefinitions(whole, "readOnly"), writeOnly: readDefinitions(whole, "writeOnly") };
  const source: Source = { whole, definitions, values: new Map() };
  const routes = Object.entries(toPart(whole.paths)).flatMap(([path, item]) => {
    const shared = follow(source, item);
    return methods.filter((method) => shared[method] !== undefined)
      .map((method) => readOperation(source, path, method, shared));
  });
  const others = ["webhooks"].filter((name) => whole[name] !== undefined);
  return { routes, others: new Map(others.map((name) => [name, JSON.stringify(whole[name])])) };
}

/** Returns the path of the nearest server, which precedes the paths of its operations. */
function basePathOf(lists: readonly unknown[]): string {
  const [server] = lists.flatMap((list): unknown => Array.isArray(list) ? list.slice(0, 1) : []);
  const { url, variables } = toPart(server);
  const filled = String(url ?? "").replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => String(toPart(toPart(variables)[name]).default ?? name),
  );
  const base = "http://localhost";
  return URL.canParse(filled, base) ? new URL(filled, base).pathname.replace(/\/+$/, "") : "";
}

function toPart(value: unknown): Part {
  return isSchemaObject(value) ? value : {};
}

/** Returns a part of a document, or the target of its reference. */
function follow(source: Source, value: unknown, hops = 0): Part {
  const part = toPart(value);
  if (typeof part.$ref !== "string") return part;
  const found = part.$ref.startsWith("#/") && hops < 100
    ? part.$ref.slice(2).split("/").reduce<unknown>((place, step) => {
      const members: Part = Object(place);
      const name = parseStep(step).find((each) => Object.hasOwn(members, each));
      return name === undefined ? undefined : members[name];
    }, source.whole)
    : undefined;
  if (found === undefined) throw new TypeError(`diffContracts(): the document does not define ${part.$ref}`);
  return { ...follow(source, found, hops + 1), ...omitReference(part) };
}

function omitReference({ $ref: _, ...rest }: Part): Part {
  return rest;
}

function readOperation(source: Source, path: string, method: string, shared: Part): ApiRoute {
  const operation = toPart(shared[method]);
  const fullPath = basePathOf([operation.servers, shared.servers, source.whole.servers]) + path;
  const parameters = readParameters(source, [shared.parameters, operation.parameters]);
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const { securitySchemes } = toPart(source.whole.components);
  return {
    key: typeof operation.operationId === "string" ? operation.operationId : `${method.toUpperCase()} ${fullPath}`,
    method: method.toUpperCase(),
    path: fullPath,
    params: toObject(source, inPlace("path"), "readOnly") ?? { schema: defaultParams(namesOf({ path })) },
    query: toObject(source, inPlace("query"), "readOnly"),
    headers: toObject(
      source,
      inPlace("header").map((each) => ({ ...each, name: String(each.name).toLowerCase() })),
      "readOnly",
    ),
    styles: new Map(parameters.flatMap(describeStyle)),
    body: readRequestBody(source, operation.requestBody),
    responses: new Map(
      Object.entries(toPart(operation.responses)).map(([status, each]) => [status, readResponse(source, each)]),
    ),
    security: toRequirements(operation.security ?? source.whole.security, toPart(securitySchemes)),
  };
}

/** Returns the parameters of an operation, including those of its path, which the operation's own override. */
function readParameters(source: Source, lists: readonly unknown[]): Part[] {
  const listed = lists.flatMap((list) => Array.isArray(list) ? list : []).map((each) => follow(source, each));
  return [...new Map(listed.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

/**
 * Returns named values as one object. A query parameter that is an object with unknown names contributes its members.
 */
function toObject(source: Source, fields: readonly Part[], direction: Direction): ApiValue | undefined {
  if (fields.length === 0) return undefined;
  const others = fields.filter((field) => field.in === "query" && isOpenObject(field.schema));
  const named = fields.filter((field) => !others.includes(field));
  const open = others.map(({ schema }) => toPart(schema).additionalProperties)[0];
  return toValue(source, {
    type: "object",
    properties: Object.fromEntries(named.map((field) => [String(field.name), schemaOf(source, field)])),
    required: named.filter(({ required }) => required === true).map(({ name }) => String(name)),
    ...(open !== undefined && { additionalProperties: open }),
  }, direction);
}

/** Describes how a parameter is written, if it is not the usual form of its place. A single value has one form. */
function describeStyle(
  { in: place, name, schema, content, style, explode, allowReserved, allowEmptyValue }: Part,
): [string, string][] {
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const isSingle = ["string", "number", "integer", "boolean"].includes(String(toPart(schema).type));
  const form = formatStyle({ style, explode }, usual, isSingle);
  const written = [
    ...(form === undefined ? [] : [form]),
    ...(Object.hasOwn(toPart(content), "application/json") ? ["json"] : []),
    ...(allowReserved === true ? ["reserved characters"] : []),
    ...(allowEmptyValue === true ? ["possibly empty"] : []),
  ];
  const slot = place === "header" ? "headers" : place === "path" ? "params" : String(place);
  return written.length === 0 ? [] : [[`${slot} /${name}`, written.join(", ")]];
}

function isOpenObject(schema: unknown): boolean {
  const { type, properties, additionalProperties } = toPart(schema);
  return type === "object" && properties === undefined && typeof additionalProperties === "object";
}

/** Returns the schema of a parameter or a header. */
function schemaOf(source: Source, { schema, content }: Part): JsonSchema {
  const [first] = Object.values(toPart(content));
  return toSchema(schema ?? follow(source, first).schema ?? true);
}

function readRequestBody(source: Source, value: unknown): ApiRoute["body"] {
  if (value === undefined) return undefined;
  const body = follow(source, value);
  return { ...readContents(source, body.content, "readOnly"), isOptional: body.required !== true, maxBytes: undefined };
}

function readContents(source: Source, content: unknown, direction: Direction): ApiBody {
  const contents = Object.entries(toPart(content)).map(([type, value]): [string, ApiValue] => {
    const { schema, itemSchema } = follow(source, value);
    return [mediaTypeEssence(type), toValue(source, toSchema(itemSchema ?? schema ?? true), direction)];
  });
  return { contents: new Map(contents), representation: undefined };
}

function readResponse(source: Source, value: unknown): ApiResponse {
  const { content, headers } = follow(source, value);
  const fields = Object.entries(toPart(headers))
    .map(([name, header]) => ({ ...follow(source, header), name: name.toLowerCase() }));
  return { ...readContents(source, content, "writeOnly"), headers: toObject(source, fields, "writeOnly") };
}

/** Returns a schema of a document as a standalone schema. It is cached, because operations share schemas. */
function toValue(source: Source, schema: JsonSchema, direction: Direction): ApiValue {
  return unlessTooDeep(() => {
    const text = direction + JSON.stringify(schema);
    const value = source.values.get(text) ?? readSchema(source, schema, direction);
    source.values.set(text, value);
    return value;
  }, (problem) => ({ schema: true, problem }));
}

/** Returns a result, or another one if a schema overflows the stack. */
function unlessTooDeep<Result>(read: () => Result, otherwise: (problem: string) => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return otherwise(tooDeep);
  }
}

/** Returns a schema of a document together with the components that it refers to. */
function readSchema(source: Source, schema: JsonSchema, direction: Direction): ApiValue {
  const definitions = source.definitions[direction];
  const own = toSent(source.whole, schema, direction);
  if (!isSchemaObject(own)) return { schema: own };
  const { [unknownKeyword]: problem, ...known } = own;
  if (typeof problem === "string") return { schema: true, problem };
  if (own.$defs === undefined && !Object.values(definitions).some(isTooDeep)) {
    return { schema: { ...known, $defs: definitions } };
  }
  const $defs = Object.fromEntries(reachable(own, definitions).map((name) => [name, definitions[name]]));
  if (Object.values($defs).some(isTooDeep)) return { schema: true, problem: tooDeep };
  return { schema: { ...known, $defs: { ...toPart(own.$defs), ...$defs } } };
}

function isTooDeep(schema: unknown): boolean {
  return toPart(schema)[unknownKeyword] === tooDeep;
}

/** Returns the schemas among the components, which refer to each other as definitions. */
function readDefinitions(whole: Part, direction: Direction): Definitions {
  const entries = namedSchemas(toPart(whole.components).schemas);
  return Object.fromEntries(entries.map(([name, schema]) => [
    name,
    unlessTooDeep(() => toSent(whole, schema, direction), (problem) => ({ [unknownKeyword]: problem })),
  ]));
}

/** Returns a schema of the values that are sent in a direction, with its references to components as definitions. */
function toSent(whole: Part, schema: JsonSchema, direction: Direction): JsonSchema {
  const components = toPart(toPart(whole.components).schemas);
  const sent = mapObjects(moveReferences(schema), (written) => {
    const { properties, required, ...declared } = toDraft2020(written);
    const rest = boundFormat(declared);
    const names = Object.keys(toPart(properties)).filter((name) =>
      hasFlag(toPart(properties)[name], direction, components)
    );
    return {
      ...rest,
      ...(properties !== undefined && { properties: omitNames(toPart(properties), names) }),
      ...(Array.isArray(required) && { required: textList(required).filter((name) => !names.includes(name)) }),
    };
  });
  return omitIdle(sent);
}

/** Tests whether a property has a flag, itself or in the component that it refers to. */
function hasFlag(property: unknown, direction: Direction, components: Part): boolean {
  const { $ref, [direction]: flag } = toPart(property);
  if (flag === true || typeof $ref !== "string" || !$ref.startsWith("#/$defs/")) return flag === true;
  return parseStep($ref.slice("#/$defs/".length)).some((name) => toPart(components[name])[direction] === true);
}

/**
 * Rewrites the keywords of OpenAPI 3.0 that JSON Schema has in another form: `nullable`, and bounds that are exclusive
 * by a boolean. Draft 2020-12 does not define any of them.
 */
function toDraft2020({ nullable, exclusiveMinimum, exclusiveMaximum, ...schema }: Part): Part {
  const { minimum, maximum, ...rest } = schema;
  const bounds = {
    ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum, exclusiveMinimum }),
    ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum, exclusiveMaximum }),
  };
  const kept = Object.entries(bounds).filter(([, value]) => value !== undefined && value !== false);
  const bounded: Part = { ...rest, ...Object.fromEntries(kept) };
  return nullable === true ? toNullable(bounded) : bounded;
}

function toNullable(schema: Part): Part {
  const { type, enum: values } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  const isListed = Array.isArray(values) && !values.includes(null);
  return { ...schema, type: [type, "null"], ...(isListed && { enum: [...values, null] }) };
}

/** Writes the format of an integer as its bounds, which are compared. */
function boundFormat(schema: Part): Part {
  const { type, format, minimum, maximum } = schema;
  const types = [type].flat().filter((each) => each !== "null"); // bounds do not restrict null
  const isNumeric = types.length > 0 && types.every((each) => each === "integer" || each === "number");
  const bounds = isNumeric ? integerRange(format) : undefined;
  if (!bounds) return schema;
  const [least, most] = bounds;
  return {
    ...schema,
    minimum: typeof minimum === "number" ? Math.max(minimum, least) : least,
    maximum: typeof maximum === "number" ? Math.min(maximum, most) : most,
  };
}

function omitNames(part: Part, names: readonly string[]): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !names.includes(name)));
}

function moveReferences(schema: JsonSchema): JsonSchema {
  const prefix = "#/components/schemas/";
  return mapReferences(
    schema,
    (reference) => reference.startsWith(prefix) ? `#/$defs/${reference.slice(prefix.length)}` : reference,
  );
}
