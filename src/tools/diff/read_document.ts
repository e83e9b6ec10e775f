/** Reads an OpenAPI document as an API. */
import {
  integerRange,
  isJsonSchema,
  isSchemaObject,
  type JsonSchema,
  type JsonSchemaObject,
  namedSchemas,
  schemaList,
  textList,
  toSchema,
} from "../json_schema/json.ts";
import { tooDeep } from "../json_schema/locate.ts";
import { hasFlag, type Part, readLimit, toPart } from "../openapi/part.ts";
import { mapObjects, mapReferences, parseStep } from "../json_schema/references.ts";
import {
  basePathOf,
  type DocumentFiles,
  documentPart,
  findReferenced,
  listItems,
  listMembers,
  listOperations,
  listParameters,
  listWebhooks,
  type Located,
  type LocatedPart,
  memberOf,
  type Operation,
  resolvePart,
} from "../openapi/operations.ts";
import { ignoredHeaders } from "../openapi/parameters.ts";
import { formatStep } from "../../schema.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import type { Api, ApiBody, ApiResponse, ApiRoute, ApiSocket, ApiValue } from "./api.ts";
import { takeLimit, toBinaryBody } from "./binary.ts";
import { type ChosenDocument, withChoices } from "./choices.ts";
import { unknownKeyword } from "./definitions.ts";
import type { Source } from "../import/source.ts";
import { addUndeclared, formatStyle, omitIdle, toRequirements, usualProtocols } from "./read_contract.ts";
import { namesOf } from "./route_pairs.ts";

/** A document, with lookups that are needed repeatedly. */
interface ReadSource extends DocumentFiles {
  readonly choose: ChosenDocument["choose"];
  /** Whether parts of it are {@linkcode tooDeepPart}. */
  readonly isCut: boolean;
  /**
   * The schemas that others refer to, by the name of the component or else by the reference. All schemas of a document
   * share them as `$defs`.
   */
  readonly definitions: Readonly<Record<OmittedFlag, Record<string, JsonSchema>>>;
  readonly schemes: Part;
  readonly values: Map<string, ApiValue>;
}

/** Who sends the values of a schema: a request has no properties that are `readOnly`, a response none `writeOnly`. */
type OmittedFlag = "readOnly" | "writeOnly";

/** What stands for a part of a document that is too deep to be read. */
export const tooDeepPart: JsonSchemaObject = { [unknownKeyword]: tooDeep };

export function readDocument(document: Source): Api {
  try {
    const { files, choose } = withChoices(document);
    const definitions = { readOnly: {}, writeOnly: {} };
    const isCut = document.tooDeep.length > 0;
    const schemes = readSchemes({ files });
    const source: ReadSource = { files, choose, isCut, definitions, schemes, values: new Map() };
    for (const direction of ["readOnly", "writeOnly"] as const) readDefinitions(source, direction);
    const operations = listOperations(source);
    const webhooks = listWebhooks(source);
    const callbacks = [...operations, ...webhooks].map(({ part }) => part.callbacks)
      .filter((each) => each !== undefined && Object.keys(Object(each)).length > 0);
    return {
      routes: operations.map((operation) => readOperation(source, operation)),
      webhooks: webhooks.map((operation) => ({
        ...readOperation(source, operation, "writeOnly"),
        key: `webhooks.${operation.path}`,
        path: operation.path,
      })),
      callbacks: callbacks.length === 0 ? undefined : JSON.stringify(callbacks),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`diffContracts(): ${error.message}`, { cause: error });
  }
}

/** Reads an operation. `hidden` is the flag of properties that its request does not have. */
function readOperation(source: ReadSource, operation: Operation, hidden: OmittedFlag = "readOnly"): ApiRoute {
  const { method, path, part } = operation;
  const { "x-sunset": sunset } = part; // OpenAPI has no keyword for it, but some tools write it
  const fullPath = basePathOf(source, operation) + path;
  const parameters = listParameters(source, operation).filter(({ part }) =>
    part.in !== "header" || !ignoredHeaders.has(String(part.name).toLowerCase())
  );
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.part.in === place);
  const names = namesOf({ path });
  const inPath = inPlace("path").filter((parameter) => names.includes(String(parameter.part.name)));
  const security = part.security === undefined ? documentPart(source) : operation;
  return {
    key: typeof part.operationId === "string" ? part.operationId : `${method.toUpperCase()} ${fullPath}`,
    isUnnamed: typeof part.operationId !== "string",
    tags: textList(part.tags),
    method: method.toUpperCase(),
    path: fullPath,
    params: addUndeclared(toObject(source, inPath, hidden) ?? { schema: { type: "object" } }, names),
    query: toObject(source, inPlace("query"), hidden),
    headers: toObject(source, inPlace("header").map(withLowerCaseName), hidden),
    cookies: toObject(source, inPlace("cookie"), hidden),
    styles: new Map(parameters.flatMap((each) => describeStyle(source, each.part))),
    body: part.requestBody === undefined
      ? undefined
      : readRequestBody(source, memberOf(operation, "requestBody"), hidden),
    responses: new Map(
      listMembers(source, memberOf(operation, "responses")).map(([status, each]) => [
        status,
        readResponse(source, each),
      ]),
    ),
    deprecation: part.deprecated === true ? { sunset: typeof sunset === "string" ? sunset : undefined } : undefined,
    security: toRequirements(
      security.part.security && listItems(source, memberOf(security, "security")).map(({ value }) => value),
      source.schemes,
    ),
  };
}

function readSchemes(source: DocumentFiles): Part {
  const components = resolvePart(source, memberOf(documentPart(source), "components"));
  const schemes = listMembers(source, memberOf(components, "securitySchemes"));
  return Object.fromEntries(schemes.map(([name, located]) => [name, resolvePart(source, located).part]));
}

function withLowerCaseName({ part, place }: LocatedPart): LocatedPart {
  return { part: { ...part, name: String(part.name).toLowerCase() }, place };
}

/** Returns named values as one object, with the members of query parameters that are objects in the usual form. */
function toObject(source: ReadSource, fields: readonly LocatedPart[], direction: OmittedFlag): ApiValue | undefined {
  if (fields.length === 0) return undefined;
  const spread = fields.flatMap((field): Part[] => [spreadObject(source, field) ?? {}]);
  const named = fields.filter((_, index) => Object.keys(spread[index]!).length === 0);
  const open = spread.map(({ additionalProperties }) => additionalProperties).find(isSchemaObject);
  return toValue(
    source,
    {
      type: "object",
      properties: Object.fromEntries([
        ...spread.flatMap(({ properties }) => Object.entries(omitFlagged(source, toPart(properties), direction))),
        ...named.map((field) => [String(field.part.name), withoutNull(source, schemaOf(source, field))] as const),
      ]),
      required: [
        ...spread.flatMap(({ required }) => textList(required)),
        ...named.filter(({ part }) => part.required === true || part.in === "path").map(({ part }) =>
          String(part.name)
        ),
      ],
      ...(open !== undefined && { additionalProperties: open }),
    },
    direction,
    toSentFields,
  );
}

function targetOf(source: ReadSource, schema: unknown): unknown {
  const { $ref } = toPart(schema);
  return typeof $ref === "string" ? findReferenced(source, $ref)?.value : schema;
}

/** Describes how a parameter is written, if it is not the usual form of its place. A single value has one form. */
function describeStyle(
  source: ReadSource,
  { in: place, name, schema, content, style, explode, allowReserved, allowEmptyValue }: Part,
): [string, string][] {
  const { type } = toPart(targetOf(source, schema));
  const isText = type === undefined || [type].flat().includes("string");
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const isSingle = ["string", "number", "integer", "boolean", ...(usual === "simple" ? ["array"] : [])]
    .includes(String(type)); // a list in the style "simple" has commas in both forms
  const form = formatStyle({ style, explode }, usual, isSingle);
  const written = [
    ...(form === undefined ? [] : [form]),
    ...(Object.hasOwn(toPart(content), "application/json") ? ["json"] : []),
    ...(allowReserved === true ? ["reserved characters"] : []),
    ...(allowEmptyValue === true && !isText ? ["possibly empty"] : []), // texts may be empty
  ];
  const slot = place === "header" ? "headers" : place === "path" ? "params" : String(place);
  return written.length === 0 ? [] : [[`${slot} /${name}`, written.join(", ")]];
}

/**
 * Returns the schema of a query parameter whose members are written as parameters of their own: an object in the usual
 * form. Its required members are those of a required parameter.
 */
function spreadObject(source: ReadSource, { part }: LocatedPart): Part | undefined {
  const { in: slot, schema, style = "form", explode = true } = part;
  if (slot !== "query" || style !== "form" || explode !== true || !isSchemaObject(schema)) return undefined;
  const { type, properties, additionalProperties, required } = toPart(targetOf(source, schema));
  if (type !== "object" || !(isSchemaObject(properties) || isSchemaObject(additionalProperties))) return undefined;
  const members = namedSchemas(properties).map(([name, member]) => [name, withoutNull(source, member)] as const);
  return { properties: Object.fromEntries(members), additionalProperties, ...(part.required === true && { required }) };
}

/** Returns the schema of a form whose fields are not null, which no text is. */
function withoutNulls(source: ReadSource, schema: JsonSchema): JsonSchema {
  const target = toPart(targetOf(source, schema));
  if (!isSchemaObject(target.properties)) return schema;
  const fields = namedSchemas(target.properties).map(([name, field]) => [name, withoutNull(source, field)]);
  return { ...target, properties: Object.fromEntries(fields) };
}

/** Returns the schema of a parameter, or what it refers to, without null, which no text is. */
function withoutNull(source: ReadSource, schema: JsonSchema, hops = 0): JsonSchema {
  if (!isSchemaObject(schema)) return schema;
  const { $ref, ...beside } = schema;
  const target = typeof $ref === "string" && hops < mostHops ? findReferenced(source, $ref)?.value : undefined;
  if (isSchemaObject(target)) {
    const other = withoutNull(source, target, hops + 1);
    return other === target ? schema : { ...other as JsonSchemaObject, ...beside }; // an object stays one
  }
  const choices = (["anyOf", "oneOf"] as const).filter((keyword) => Array.isArray(schema[keyword]));
  const lists = choices.flatMap((keyword) => {
    const list = schemaList(schema[keyword]);
    const kept = list.filter((each) => toPart(each).type !== "null").map((each) => withoutNull(source, each, hops));
    const isSame = kept.length === list.length && kept.every((each, index) => each === list[index]);
    return kept.length === 0 || isSame ? [] : [[keyword, kept] as const];
  });
  return lists.length === 0 && !isNullable(schema)
    ? schema
    : { ...withoutNullType(schema), ...Object.fromEntries(lists) };
}

const mostHops = 20;

function isNullable({ nullable, "x-nullable": extended, type, enum: values }: Part): boolean {
  return nullable === true || extended === true || [type].flat().includes("null") || [values].flat().includes(null);
}

function withoutNullType(
  { nullable: _, "x-nullable": __, type, enum: values, ...rest }: JsonSchemaObject,
): JsonSchemaObject {
  const types = Array.isArray(type) && type.length > 1 ? type.filter((each) => each !== "null") : type;
  return {
    ...rest,
    ...(type !== undefined && { type: Array.isArray(types) && types.length === 1 ? types[0] : types }),
    ...(values !== undefined && { enum: Array.isArray(values) ? values.filter((each) => each !== null) : values }),
  };
}

function schemaOf(source: ReadSource, field: LocatedPart): JsonSchema {
  const [first] = listMembers(source, memberOf(field, "content"));
  const declared = toSchema(field.part.schema ?? (first && resolvePart(source, first[1]).part.schema) ?? true);
  if (!isSchemaObject(declared)) return declared && field.part.deprecated === true ? { deprecated: true } : declared;
  const { default: usual, ...own } = declared;
  return {
    ...own,
    ...(field.part.in !== "path" && usual !== undefined && { default: usual }), // a path parameter is never left out
    ...(field.part.deprecated === true && { deprecated: true }),
  };
}

function readRequestBody(source: ReadSource, located: Located, hidden: OmittedFlag): ApiRoute["body"] {
  const body = resolvePart(source, located);
  const read = readContents(source, body, hidden);
  const { contents, maxBytes } = takeLimit(read.contents);
  const limit = readLimit(body.part) ?? maxBytes;
  return { ...read, contents, isOptional: body.part.required !== true, maxBytes: limit };
}

function readContents(source: ReadSource, owner: LocatedPart, direction: OmittedFlag): ApiBody {
  const contents = listMembers(source, memberOf(owner, "content")).map(([type, located]): [string, ApiValue] => {
    const { schema, itemSchema } = resolvePart(source, located).part;
    const essence = mediaTypeEssence(type);
    const declared = toSchema(itemSchema ?? schema ?? true);
    const isForm = essence === "multipart/form-data" || essence === "application/x-www-form-urlencoded";
    return [
      essence,
      toBinaryBody(essence, toValue(source, isForm ? withoutNulls(source, declared) : declared, direction)),
    ];
  });
  return { contents: new Map(contents), representation: undefined };
}

function readResponse(source: ReadSource, located: Located): ApiResponse {
  const response = resolvePart(source, located);
  const fields = listMembers(source, memberOf(response, "headers")).map(([name, each]) => {
    const { part, place } = resolvePart(source, each);
    return withLowerCaseName({ part: { ...part, name }, place });
  }).filter(({ part }) => part.name !== "content-type"); // which OpenAPI ignores
  return {
    ...readContents(source, response, "writeOnly"),
    headers: toObject(source, fields, "writeOnly"),
    socket: readSocket(source, response),
  };
}

function readSocket(source: ReadSource, response: LocatedPart): ApiSocket | undefined {
  const located = memberOf(response, "x-websocket");
  if (!isSchemaObject(located.value)) return undefined;
  const { part, place } = resolvePart(source, located);
  const read = (side: string, hidden: OmittedFlag): ApiBody =>
    toBody(readContents(source, resolvePart(source, memberOf({ part, place }, side)), hidden));
  return {
    fromClient: read("fromClient", "readOnly"),
    fromServer: read("fromServer", "writeOnly"),
    closes: Object.keys(toPart(part.closes)),
    protocols: Array.isArray(part.protocols) ? textList(part.protocols) : usualProtocols,
    maxMessageBytes: typeof part.maxMessageBytes === "number" ? part.maxMessageBytes : undefined,
  };
}

/** Returns messages of any form, if a document does not describe them. */
function toBody(body: ApiBody): ApiBody {
  return body.contents.size > 0 ? body : { ...body, contents: new Map([["*/*", { schema: true }]]) };
}

/** Returns a schema of a document as a standalone schema. It is cached, because operations share schemas. */
function toValue(source: ReadSource, schema: JsonSchema, direction: OmittedFlag, read = toSent): ApiValue {
  return unlessTooDeep(() => {
    const text = JSON.stringify([read === toSent, direction, schema]);
    if (source.isCut && isCutText(text)) return { schema: true, problem: tooDeep };
    const value = source.values.get(text) ??
      readSchema(source, read(source, source.choose(schema), direction), direction);
    source.values.set(text, value);
    return value;
  }, (problem) => ({ schema: true, problem }));
}

function isCutText(text: string): boolean {
  return text.includes(`"${unknownKeyword}"`);
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

function readSchema(source: ReadSource, own: JsonSchema, direction: OmittedFlag): ApiValue {
  if (!isSchemaObject(own)) return { schema: own };
  const { [unknownKeyword]: problem, ...known } = own;
  if (typeof problem === "string") return { schema: true, problem };
  const $defs = source.definitions[direction];
  if (own.$defs !== undefined) return { schema: { ...known, $defs: { ...toPart(own.$defs), ...$defs } } };
  return { schema: Object.keys($defs).length === 0 ? known : { ...known, $defs } };
}

function readDefinitions(source: ReadSource, direction: OmittedFlag): void {
  const components = resolvePart(source, memberOf(documentPart(source), "components"));
  for (const [name, { value }] of listMembers(source, memberOf(components, "schemas"))) {
    Object.defineProperty(source.definitions[direction], name, {
      value: readDefinition(source, toSchema(value), direction),
      enumerable: true,
    });
  }
}

function readDefinition(source: ReadSource, schema: JsonSchema, direction: OmittedFlag): JsonSchema {
  if (source.isCut && isCutText(JSON.stringify(schema))) return tooDeepPart;
  return unlessTooDeep(() => toSent(source, schema, direction), (problem) => ({ [unknownKeyword]: problem }));
}

/** Returns a schema of the values that are sent in a direction, with its references as those to definitions. */
function toSent(source: ReadSource, schema: JsonSchema, direction: OmittedFlag): JsonSchema {
  const moved = mapReferences(schema, (reference) => toDefinition(source, reference, direction));
  const sent = mapObjects(moved, (written) => {
    const { properties, required, ...declared } = toDraft2020(written);
    const rest = boundFormat(declared);
    const kept = omitFlagged(source, toPart(properties), direction);
    const isSent = (name: string) => Object.hasOwn(kept, name) || !Object.hasOwn(toPart(properties), name);
    return {
      ...rest,
      ...(properties !== undefined && { properties: kept }),
      ...(Array.isArray(required) && { required: textList(required).filter(isSent) }),
    };
  });
  return omitIdle(sent);
}

/** Returns an object of parameters or headers. Each is sent, whatever the flags of its own schema are. */
function toSentFields(source: ReadSource, schema: JsonSchema, direction: OmittedFlag): JsonSchema {
  const { properties, ...rest } = toPart(schema);
  const fields = namedSchemas(properties).map(([name, field]) => [name, toSent(source, field, direction)] as const);
  return { ...toPart(toSent(source, rest, direction)), properties: Object.fromEntries(fields) };
}

const componentPrefix = "#/components/schemas/";

/** Returns the reference to a definition. The target of a reference to another place becomes one. */
function toDefinition(source: ReadSource, reference: string, direction: OmittedFlag): string {
  const isToPart = reference.includes("/", componentPrefix.length); // of a component, which may have another form here
  if (reference.startsWith(componentPrefix) && !isToPart) return `#/$defs/${reference.slice(componentPrefix.length)}`;
  const definitions = source.definitions[direction];
  if (!Object.hasOwn(definitions, reference)) {
    const target = findReferenced(source, reference);
    if (!target || !isJsonSchema(target.value)) return reference;
    definitions[reference] = true; // while it is read, because it may refer to itself
    definitions[reference] = readDefinition(source, target.value, direction);
  }
  return `#/$defs/${encodeURIComponent(formatStep(reference).slice(1))}`;
}

function findTarget(source: ReadSource, reference: string): Located | undefined {
  const prefix = "#/$defs/";
  const names = reference.startsWith(prefix) ? parseStep(reference.slice(prefix.length)) : [reference];
  return names.map((name) =>
    findReferenced(source, name.includes("#") ? name : componentPrefix + reference.slice(prefix.length))
  )
    .find((found) => found !== undefined);
}

/**
 * Rewrites the keywords of OpenAPI 3.0 that JSON Schema has in another form: `nullable`, which tools write as
 * `x-nullable` for Swagger 2.0, and bounds that are exclusive by a boolean. Draft 2020-12 does not define any of them.
 */
function toDraft2020({ exclusiveMinimum, exclusiveMaximum, ...schema }: Part): Part {
  const { nullable, "x-nullable": extended, minimum, maximum, ...rest } = schema;
  const bounds = {
    ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum, exclusiveMinimum }),
    ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum, exclusiveMaximum }),
  };
  const kept = Object.entries(bounds).filter(([, value]) => value !== undefined && value !== false);
  const bounded: Part = { ...rest, ...Object.fromEntries(kept) };
  return nullable === true || extended === true ? toNullable(bounded) : bounded;
}

function toNullable(schema: Part): Part {
  const { type, enum: values } = schema;
  const isApplied = ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => schema[keyword] !== undefined);
  if (typeof type !== "string" || isApplied) return { anyOf: [schema, { type: "null" }] };
  const isListed = Array.isArray(values) && !values.includes(null);
  return { ...schema, type: [type, "null"], ...(isListed && { enum: [...values, null] }) };
}

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

function omitFlagged(source: ReadSource, properties: Part, direction: OmittedFlag): Part {
  const targetOf = (reference: string) => findTarget(source, reference);
  return Object.fromEntries(Object.entries(properties).filter(([, each]) => !hasFlag(each, direction, targetOf)));
}
