/** Reads an OpenAPI document as an API. */
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json_schema/json.ts";
import { type Definitions, mapReferences, reachable } from "../openapi/references.ts";
import { type OpenApiSecurityScheme } from "../openapi/types.ts";
import { parseStep } from "../issue.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { type Api, type ApiBody, type ApiResponse, type ApiRoute, type ApiValue } from "./api.ts";
import { defaultParams, toRequirements } from "./read_contract.ts";

/** The keyword that marks the schema of a place as unknown, with the reason. */
export const unknownKeyword = "x-scope-api-unknown";

/** An object of a document, whose type is not known. */
type Part = Readonly<Record<string, unknown>>;

/** A document, with lookups that are needed repeatedly. */
interface Source {
  readonly whole: Part;
  readonly definitions: Definitions;
  /** The values of schemas that were already read, by their text. */
  readonly values: Map<string, ApiValue>;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Reads an OpenAPI document of version 3.1 or 3.2 as an API. */
export function readDocument(document: object): Api {
  const whole = document as Part;
  const source: Source = { whole, definitions: readDefinitions(whole), values: new Map() };
  const routes = Object.entries(toPart(whole.paths)).flatMap(([path, item]) => {
    const shared = follow(source, item);
    return methods.filter((method) => shared[method] !== undefined)
      .map((method) => readOperation(source, path, method, shared));
  });
  return { routes };
}

function toPart(value: unknown): Part {
  return isSchemaObject(value as never) ? value as Part : {};
}

/** Returns a part of a document, or the target of its reference. */
function follow(source: Source, value: unknown, hops = 0): Part {
  const part = toPart(value);
  if (typeof part.$ref !== "string") return part;
  const found = part.$ref.startsWith("#/") && hops < 100
    ? part.$ref.slice(2).split("/").reduce<unknown>((place, step) => {
      const name = parseStep(step).find((each) => Object.hasOwn(Object(place), each));
      return name === undefined ? undefined : (place as Part)[name];
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
  const parameters = readParameters(source, [shared.parameters, operation.parameters]);
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const { securitySchemes } = toPart(source.whole.components);
  return {
    key: typeof operation.operationId === "string" ? operation.operationId : `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    params: toObject(source, inPlace("path")) ?? { schema: defaultParams(names) },
    query: toObject(source, inPlace("query")),
    headers: toObject(source, inPlace("header").map((each) => ({ ...each, name: String(each.name).toLowerCase() }))),
    body: readRequestBody(source, operation.requestBody),
    responses: new Map(
      Object.entries(toPart(operation.responses)).map(([status, each]) => [status, readResponse(source, each)]),
    ),
    security: toRequirements(
      (operation.security ?? source.whole.security) as never,
      toPart(securitySchemes) as Readonly<Record<string, OpenApiSecurityScheme>>,
    ),
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
function toObject(source: Source, fields: readonly Part[]): ApiValue | undefined {
  if (fields.length === 0) return undefined;
  const others = fields.filter((field) => field.in === "query" && isOpenObject(field.schema));
  const named = fields.filter((field) => !others.includes(field));
  const open = others.map(({ schema }) => (schema as JsonSchemaObject).additionalProperties)[0];
  return toValue(source, {
    type: "object",
    properties: Object.fromEntries(named.map((field) => [String(field.name), schemaOf(source, field)])),
    required: named.filter(({ required }) => required === true).map(({ name }) => String(name)),
    ...(open !== undefined && { additionalProperties: open }),
  });
}

function isOpenObject(schema: unknown): boolean {
  const { type, properties, additionalProperties } = toPart(schema);
  return type === "object" && properties === undefined && typeof additionalProperties === "object";
}

/** Returns the schema of a parameter or a header. */
function schemaOf(source: Source, { schema, content }: Part): JsonSchema {
  const [first] = Object.values(toPart(content));
  return (schema ?? follow(source, first).schema ?? true) as JsonSchema;
}

function readRequestBody(source: Source, value: unknown): ApiRoute["body"] {
  if (value === undefined) return undefined;
  const body = follow(source, value);
  return { ...readContents(source, body.content), isOptional: body.required !== true, maxBytes: undefined };
}

function readContents(source: Source, content: unknown): ApiBody {
  const contents = Object.entries(toPart(content)).map(([type, value]): [string, ApiValue] => {
    const { schema, itemSchema } = follow(source, value);
    return [mediaTypeEssence(type), toValue(source, (itemSchema ?? schema ?? true) as JsonSchema)];
  });
  return { contents: new Map(contents), representation: undefined };
}

function readResponse(source: Source, value: unknown): ApiResponse {
  const { content, headers } = follow(source, value);
  const fields = Object.entries(toPart(headers))
    .map(([name, header]) => ({ ...follow(source, header), name: name.toLowerCase() }));
  return { ...readContents(source, content), headers: toObject(source, fields) };
}

/** Returns a schema of a document as a standalone schema. It is cached, because operations share schemas. */
function toValue(source: Source, schema: JsonSchema): ApiValue {
  const text = JSON.stringify(schema);
  const value = source.values.get(text) ?? readSchema(source, schema);
  source.values.set(text, value);
  return value;
}

/** Returns a schema of a document together with the components that it refers to. */
function readSchema({ definitions }: Source, schema: JsonSchema): ApiValue {
  const own = moveReferences(schema);
  if (!isSchemaObject(own)) return { schema: own };
  const { [unknownKeyword]: problem, ...known } = own;
  if (typeof problem === "string") return { schema: true, problem };
  const $defs = Object.fromEntries(reachable(own, definitions).map((name) => [name, definitions[name]]));
  return { schema: { ...known, $defs: { ...toPart(own.$defs), ...$defs } } };
}

/** Returns the schemas among the components, which refer to each other as definitions. */
function readDefinitions(whole: Part): Definitions {
  const entries = Object.entries(toPart(toPart(whole.components).schemas)) as [string, JsonSchema][];
  return Object.fromEntries(entries.map(([name, schema]) => [name, moveReferences(schema)]));
}

function moveReferences(schema: JsonSchema): JsonSchema {
  const prefix = "#/components/schemas/";
  return mapReferences(
    schema,
    (reference) => reference.startsWith(prefix) ? `#/$defs/${reference.slice(prefix.length)}` : reference,
  ) as JsonSchema;
}
