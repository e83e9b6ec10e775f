/** Reads a contract as an API. */
import { messageOf } from "../../messages.ts";
import { isCodec, stylesOf } from "../../contract/codec.ts";
import type { Contract } from "../../contract/contract.ts";
import { type RouteNode, routesOf } from "../../contract/node.ts";
import { webhooksOf } from "../../contract/router.ts";
import type { RequestBody } from "../../contract/request.ts";
import type { ResponseDeclaration } from "../../contract/response.ts";
import { formatTemplate, valueNames } from "../openapi/parameters.ts";
import { describeSchemes, describeSecurity } from "../openapi/security.ts";
import { isOpaque, openApiStyles } from "../openapi/representations.ts";
import {
  type DocumentedSlot,
  listSlots,
  type SchemaProvider,
  type SchemaSlot,
  toSlotSchema,
} from "../openapi/slot_schemas.ts";
import { parameterNames } from "../../path.ts";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, namedSchemas, textList } from "../json_schema/json.ts";
import { type Conversions, createConversions } from "../openapi/conversions.ts";
import { addDefinition, type Direction } from "../openapi/definitions.ts";
import { toPart, toText } from "../openapi/part.ts";
import { type Definitions, listTargets, mapObjects } from "../json_schema/references.ts";
import type { Schema } from "../../schema.ts";
import { type FieldStyle, isPattern } from "../../wire/field_styles.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { toPattern } from "../import/pattern.ts";
import { toBinaryFormat, toEncoding } from "./binary.ts";
import { messageType, socketOf, type socketSides } from "../openapi/sockets.ts";
import type { Api, ApiBody, ApiRequirement, ApiResponse, ApiRoute, ApiSocket, ApiValue } from "./api.ts";

export function readContract(contract: Contract, supply: SchemaProvider | undefined): Api {
  const known: KnownValues = {
    supply,
    input: new Map(),
    output: new Map(),
    conversions: createConversions(),
    definitions: new Map(),
  };
  return {
    routes: routesOf(contract.routes).map((route) => readRoute(route, known)),
    webhooks: webhooksOf(contract).map((hook) => ({
      ...readRoute(hook, known, "output"),
      key: `webhooks.${hook.key}`,
      path: hook.key,
    })),
    callbacks: undefined,
  };
}

interface KnownValues extends Readonly<Record<Direction, Map<Schema, ApiValue>>> {
  readonly supply: SchemaProvider | undefined;
  readonly conversions: Conversions;
  /** The definitions without idle keywords, by the object of the original ones, which schemas share. */
  readonly definitions: Map<unknown, Record<string, JsonSchema>>;
}

/** Returns a schema without idle keywords. Schemas with the same object of definitions have one object of them again. */
export function toComparable(schema: JsonSchemaObject, { definitions: known }: KnownValues): JsonSchema {
  const { $defs, ...own } = schema;
  if (!isSchemaObject($defs)) return omitIdle(schema);
  const all = $defs as Definitions; // converted schemas are valid
  const kept = known.get($defs) ?? {};
  known.set($defs, kept);
  const names = listTargets(own, all);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (Object.hasOwn(kept, name)) continue;
    addDefinition(kept, name, omitIdle(all[name] ?? true));
    names.push(...listTargets(all[name], all));
  }
  return { ...omitIdle(own) as JsonSchemaObject, $defs: kept }; // an object stays one
}

/** Reads a route. `sent` is the side of its request that is on the wire. */
function readRoute(route: RouteNode, known: KnownValues, sent?: Direction): ApiRoute {
  const values = new Map(
    [...listSlots(route, sent), ...listOpaqueSlots(route)].flatMap((declared): [SchemaSlot, ApiValue][] => {
      const value = readValue(route, declared, known);
      return value ? [[declared.slot, value]] : [];
    }),
  );
  const { key, method, path, body, responses } = route;
  return {
    key,
    isUnnamed: false,
    tags: route.docs.tags ?? [(route.origin?.key ?? key).split(".")[0]!],
    method,
    path: formatTemplate(path, route.params),
    params: splitValues(
      addUndeclared(values.get("params") ?? { schema: { type: "object" } }, parameterNames(path)),
      route,
    ),
    query: values.get("query"),
    headers: values.get("headers"),
    styles: readStyles(route),
    body: body && { ...readBody(body, values.get("body")), isOptional: body.optional, maxBytes: body.maxBytes },
    responses: new Map(
      Object.entries(responses).map(([status, declared]) => [status, readResponse(status, declared, values)]),
    ),
    deprecation: readDeprecation(route),
    security: toRequirements(describeSecurity(route.security), describeSchemes([route]) ?? {}),
  };
}

/**
 * Returns a schema without keywords that no JSON value of other programs breaks: names of members are texts, and
 * integers beyond the safe ones lose precision anyway. Bytes and patterns are written in one form.
 */
export function omitIdle(schema: JsonSchema): JsonSchema {
  return mapObjects(schema, ({ propertyNames, minimum, maximum, ...rest }) => ({
    ...toBinaryFormat(toEncoding(withOnePattern(rest))),
    ...(propertyNames !== undefined && !isIdleName(propertyNames) && { propertyNames }),
    ...(minimum !== undefined && !isBeyond(minimum, Number.MIN_SAFE_INTEGER, rest) && { minimum }),
    ...(maximum !== undefined && !isBeyond(maximum, Number.MAX_SAFE_INTEGER, rest) && { maximum }),
  }));
}

function withOnePattern(schema: JsonSchemaObject): JsonSchemaObject {
  const { pattern } = schema;
  return typeof pattern === "string" ? { ...schema, pattern: withoutIdleEscapes(pattern) } : schema;
}

/** Tests whether a bound is that of the safe integers, or for integers one beyond. */
function isBeyond(bound: unknown, safe: number, { type }: JsonSchemaObject): boolean {
  const isInteger = [type].flat().every((each) => each === "integer" || each === "null");
  return bound === safe || (isInteger && typeof bound === "number" && (safe < 0 ? bound < safe : bound > safe));
}

/** Returns a pattern as an import writes it, without the escapes of slashes that only literals in code need. */
function withoutIdleEscapes(pattern: string): string {
  return (toPattern(pattern) ?? pattern).replaceAll(/\\[^]/g, (escape) => escape === "\\/" ? "/" : escape);
}

function isIdleName(names: unknown): boolean {
  return names === true || JSON.stringify(names) === '{"type":"string"}';
}

export function schemaMembers(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return isSchemaObject(schema) ? Object.fromEntries(namedSchemas(schema.properties)) : {};
}

/** Returns the schemas of parameters that no schema describes. */
function toTexts(names: readonly string[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, { type: "string" }]));
}

/** The keywords that can describe a member besides `properties`. */
const otherMembers = ["additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf", "$ref"];

/** Adds the parameters of a path that a schema leaves out, which are strings. */
export function addUndeclared({ schema, ...value }: ApiValue, names: readonly string[]): ApiValue {
  if (typeof schema !== "object" || otherMembers.some((keyword) => schema[keyword])) return { ...value, schema };
  const properties = schemaMembers(schema);
  const missing = names.filter((name) => !Object.hasOwn(properties, name));
  return {
    ...value,
    schema: {
      ...schema,
      properties: { ...properties, ...toTexts(missing) },
      required: [...textList(schema.required), ...missing],
    },
  };
}

/** Replaces the parameters of segments with several values by these, which are strings in documents too. */
function splitValues({ schema, ...value }: ApiValue, { path, params }: RouteNode): ApiValue {
  const styles = stylesOf(params);
  const names = parameterNames(path);
  const split = new Map(names.map((name) => [name, valueNames(name, styles[name], names)]));
  if (typeof schema !== "object" || [...split.values()].every(({ length }) => length === 1)) {
    return { ...value, schema };
  }
  const isKept = (name: string) => split.get(name)?.length === 1;
  const texts = names.flatMap((name) => isKept(name) ? [] : split.get(name)!);
  const kept = Object.entries(schemaMembers(schema)).filter(([name]) => isKept(name));
  return {
    ...value,
    live: undefined, // it validates whole segments
    schema: {
      ...schema,
      properties: { ...Object.fromEntries(kept), ...toTexts(texts) },
      required: [...textList(schema.required).filter(isKept), ...texts],
    },
  };
}

function readDeprecation({ deprecated }: RouteNode): ApiRoute["deprecation"] {
  return deprecated ? { sunset: typeof deprecated === "object" ? deprecated.sunset : undefined } : undefined;
}

/** Returns the styles of a route's parameters, in the words of {@linkcode ApiRoute.styles}. */
function readStyles({ params, query, headers }: RouteNode): ReadonlyMap<string, string> {
  const named = Object.entries({ params, query, headers }).flatMap(([slot, schema]) =>
    Object.entries(stylesOf(schema)).map(([name, style]) => [`${slot} /${name}`, toStyle(style, slot)] as const)
  );
  return new Map(named.flatMap(([name, style]) => style === undefined ? [] : [[name, style]]));
}

function toStyle(style: FieldStyle | undefined, slot: string): string | undefined {
  if (style === undefined || isPattern(style) || (style === "comma" && slot !== "query")) return undefined;
  return style === "json" ? style : formatStyle(openApiStyles[style], "form", false);
}

export function formatStyle(
  { style, explode }: { readonly style?: unknown; readonly explode?: unknown },
  usual: "form" | "simple",
  isSingle: boolean,
): string | undefined {
  const isUsuallyExploded = ["form", "deepObject"].includes(String(style ?? usual));
  const written = [
    ...(style !== undefined && style !== usual ? [String(style)] : []),
    ...((explode ?? isUsuallyExploded) !== isUsuallyExploded && !isSingle
      ? [explode === true ? "exploded" : "one value"]
      : []),
  ];
  return written.length === 0 ? undefined : written.join(", ");
}

type ApiValues = ReadonlyMap<SchemaSlot, ApiValue>;

function readValue(route: RouteNode, declared: DocumentedSlot, known: KnownValues): ApiValue | undefined {
  const { slot, schema, direction } = declared;
  const live = schema && (isCodec(schema) ? schema.wire : schema);
  try {
    const supplied = known.supply?.(route, slot);
    const before = schema && !supplied ? known[direction].get(schema) : undefined;
    if (before) return before;
    const options = { supply: () => supplied, action: "compare", conversions: known.conversions };
    const found = toSlotSchema(route, declared, options);
    const value = found && { schema: toComparable(found.converted, known), live };
    if (value && schema && !supplied) known[direction].set(schema, value);
    return value;
  } catch (error) {
    return { schema: true, problem: messageOf(error), live };
  }
}

/** Lists the bodies whose schemas documents omit, because their content is not JSON. */
function listOpaqueSlots({ body, responses }: RouteNode): DocumentedSlot[] {
  const declared = Object.entries(responses).filter(([, each]) => isOpaque(each) && each.schema);
  const slots = declared.map((
    [status, { schema }],
  ) => ({ slot: Number(status), schema, direction: "output" } as const));
  const own = body?.schema && isOpaque(body)
    ? [{ slot: "body", schema: body.schema, direction: "input" } as const]
    : [];
  return [...own, ...slots].map((each) => ({ ...each, isFields: false }));
}

function readBody(
  { kind, contentType = undeclaredTypes[kind] ?? [] }: RequestBody | ResponseDeclaration,
  value: ApiValue = { schema: true },
): ApiBody {
  const types = typeof contentType === "string" ? [mediaTypeEssence(contentType)] : contentType;
  return { contents: new Map(types.map((type) => [type, value])), representation: wireNames[kind] ?? kind };
}

/** The media types of kinds that declare none. All other kinds without one have an empty body. */
const undeclaredTypes: Readonly<Record<string, string>> = { raw: "*/*" };

/** The kinds that are equal to another kind on the wire. */
const wireNames: Readonly<Record<string, string>> = { stream: "bytes" };

function readResponse(status: string, declared: ResponseDeclaration, values: ApiValues): ApiResponse {
  return {
    ...readBody(declared, values.get(Number(status))),
    headers: values.get(`${Number(status)}.headers`),
    socket: readSocket(declared, values),
  };
}

function readSocket(declared: ResponseDeclaration, values: ApiValues): ApiSocket | undefined {
  const facts = socketOf(declared);
  if (!facts) return undefined;
  const read = (side: typeof socketSides[number]): ApiBody => ({
    contents: new Map([[mediaTypeEssence(messageType(facts[side])), values.get(`101.${side}`) ?? { schema: true }]]),
    representation: facts[side].kind,
  });
  return {
    fromClient: read("fromClient"),
    fromServer: read("fromServer"),
    closes: Object.keys(facts.closes),
    protocols: facts.protocols ?? usualProtocols,
    maxMessageBytes: facts.maxMessageBytes,
  };
}

export const usualProtocols: readonly string[] = ["json"];

/** Returns the requirements that a document lists. Without any, all callers are accepted. */
export function toRequirements(listed: unknown, schemes: Readonly<Record<string, unknown>>): ApiRequirement[] {
  if (!Array.isArray(listed) || listed.length === 0) return [new Map()];
  return listed.map((requirement) =>
    new Map(
      Object.entries(Object(requirement)).map(([name, scopes]) => {
        const { type: kind, in: at, name: written, scheme } = toPart(schemes[name]);
        const [type, place, field] = [toText(kind), toText(at), toText(written)];
        const named = place === "header" ? field?.toLowerCase() : field; // names of headers have no case
        const isInAuthorization = type === "apiKey"
          ? place === "header" && named === "authorization"
          : type === "http" || type === "oauth2" || type === "openIdConnect";
        const details = type === "apiKey" ? [place, named] : type === "http" ? [toText(scheme)?.toLowerCase()] : [];
        return [name, {
          transport: [type, ...details].join(" "),
          isInAuthorization,
          scopes: textList(scopes), // some documents have `null`
        }];
      }),
    )
  );
}
