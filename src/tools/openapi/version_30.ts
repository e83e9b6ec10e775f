/** `toOpenApi30()`: documents for tools that read OpenAPI 3.0 only. */
import { describeValue } from "../../messages.ts";
import { dataKeywords } from "../json_schema/json.ts";
import { below, describePlace, type DocumentFiles, type DocumentPlace, findReferenced } from "./operations.ts";
import { findExcess } from "./excess.ts";
import { listReferences } from "../json_schema/references.ts";
import { define, isPart, ownMember, toList, toObject, toPart } from "./part.ts";
import { type Conversion30, toSchema30 } from "./schema_30.ts";

/** Something that OpenAPI 3.0 cannot say. */
export interface OpenApiLoss {
  /** The JSON Pointer of its place in the original document. */
  readonly pointer: string;
  /** What is lost, such as `patternProperties`. */
  readonly what: string;
}

/** A document of OpenAPI 3.0, and what it does not say. */
export interface OpenApi30 {
  /** The document, as plain JSON. */
  readonly document: OpenApi30Document;
  /** What is lost, in the order of the document. */
  readonly losses: readonly OpenApiLoss[];
}

/** A document of OpenAPI 3.0. */
export interface OpenApi30Document {
  /** The version of the specification. */
  readonly openapi: "3.0.3";
  /** The description of the API. */
  readonly info: object;
  /** The operations, by path and method. */
  readonly paths: object;
  /** Everything that operations refer to. */
  readonly components?: object;
}

/**
 * Converts a document of OpenAPI 3.1 or 3.2 to OpenAPI 3.0. A schema only becomes wider: what the original accepts, the
 * result accepts, too. Everything that 3.0 cannot say is left out and listed: the order of tuples, `patternProperties`,
 * conditions, webhooks, the method QUERY, mutual TLS and others.
 *
 * @example For a generator that reads OpenAPI 3.0
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { openApiDocument, toOpenApi30 } from "@scope/api/openapi";
 * import { assertEquals } from "@std/assert";
 * import * as z from "zod";
 *
 * const Point = z.tuple([z.number(), z.string()]);
 * const contract = defineContract({ routes: { point: route.get("/", { responses: { 200: response.json(Point) } }) } });
 *
 * const { document, losses } = toOpenApi30(openApiDocument(contract, { info: { title: "Points", version: "1" } }));
 *
 * assertEquals(document.openapi, "3.0.3");
 * assertEquals(losses.map(({ what }) => what), ["prefixItems"]);
 * ```
 *
 * @throws {TypeError} If the document is not one of OpenAPI 3.1 or 3.2, or has more than 1,100 levels.
 */
export function toOpenApi30(document: { readonly openapi: string }): OpenApi30 {
  const version: unknown = ownMember(document, "openapi");
  if (typeof version !== "string" || !/^3\.[12]\./.test(version)) {
    throw new TypeError(
      `toOpenApi30(): the document must have the version 3.1 or 3.2 of OpenAPI, got ${describeValue(version)}`,
    );
  }
  const excess = findExcess(document);
  if (excess) throw new TypeError(`toOpenApi30(): the document ${excess.description}`);
  const inexact = findInexact(document);
  const losses: OpenApiLoss[] = [];
  const lose = (place: DocumentPlace, what: string): void => {
    losses.push({ pointer: describePlace(place), what });
  };
  const isExact = (reference: string): boolean => !inexact.has(toComponent(reference));
  const schemes = toPart(toPart(ownMember(document, "components"))["securitySchemes"]);
  const { openapi: _, ...rest } = toPart(document);
  const { info, paths = {}, ...others } = toPart(convertDocument(rest, rootPlace, { lose, isExact, schemes }));
  const converted = { openapi: "3.0.3", info, paths, ...others };
  const whole = dropDangling(converted, rootPlace, { files: new Map([["", converted]]) }, lose);
  return { document: whole as OpenApi30Document, losses }; // as it was converted
}

const rootPlace: DocumentPlace = { file: "", pointer: "" };

/** Returns references to the components that become wider, directly or by what they refer to. */
function findInexact(document: object): ReadonlySet<string> {
  const schemas = Object.entries(toPart(toPart(ownMember(document, "components"))["schemas"]));
  const users = new Map<string, string[]>(); // the components that refer to each component
  const inexact = new Set<string>();
  for (const [name, schema] of schemas) {
    const { pointer } = below(rootPlace, "components", "schemas", name);
    for (const target of listReferences(schema)) {
      const component = toComponent(target);
      users.set(component, [...users.get(component) ?? [], `#${pointer}`]);
    }
    const { isExact } = toSchema30(schema, rootPlace, { lose: () => {}, isExact: () => true, schemes: {} });
    if (!isExact) inexact.add(`#${pointer}`);
  }
  for (const reference of inexact) { // which grows
    for (const user of users.get(reference) ?? []) inexact.add(user);
  }
  return inexact;
}

/** Returns the reference to the component that a reference leads into. */
function toComponent(reference: string): string {
  return reference.split("/").slice(0, 4).join("/");
}

/** Replaces references whose target is gone, such as the first item of a tuple, by a schema of anything. */
function dropDangling(value: unknown, place: DocumentPlace, files: DocumentFiles, lose: Conversion30["lose"]): unknown {
  if (Array.isArray(value)) return value.map((part, index) => dropDangling(part, below(place, index), files, lose));
  if (!isPart(value)) return value;
  const { $ref } = value;
  if (typeof $ref === "string" && $ref.startsWith("#") && findReferenced(files, $ref) === undefined) {
    lose(place, `the reference ${$ref}`);
    return {};
  }
  return toObject(
    Object.entries(value).map(([name, part]) =>
      dataKeywords.includes(name) ? [name, part] : [name, dropDangling(part, below(place, name), files, lose)]
    ),
  );
}

/** Converts the member of an object at its place. */
type Convert = (value: unknown, place: DocumentPlace, conversion: Conversion30) => unknown;

/** How the members of an object are converted: those without an entry stay; `"lost"` ones are left out and listed. */
type Members = Readonly<Record<string, Convert | "lost">>;

/** Converts the members of an object. References stay alone. */
function convertMembers(members: Members): Convert {
  return (value, place, conversion) => {
    if (!isPart(value)) return value;
    const isReference = typeof value["$ref"] === "string";
    const converted: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) {
      const where = below(place, name);
      const convert = ownMember(members, name) as Members[string] | undefined;
      if (isReference && name !== "$ref") conversion.lose(where, `${name} beside $ref`);
      else if (convert === "lost") conversion.lose(where, name);
      else define(converted, name, convert ? convert(each, where, conversion) : each);
    }
    return converted;
  };
}

/** Converts all members of an object. */
function each(convert: Convert): Convert {
  return (value, place, conversion) =>
    isPart(value)
      ? toObject(Object.entries(value).map(([name, part]) => [name, convert(part, below(place, name), conversion)]))
      : value;
}

/** Converts all items of a list. */
function every(convert: Convert): Convert {
  return (value, place, conversion) =>
    Array.isArray(value) ? value.map((part, index) => convert(part, below(place, index), conversion)) : value;
}

const schema: Convert = (value, place, conversion) => toSchema30(value, place, conversion).schema;
const headers: Convert = each((value, place, conversion) => field(value, place, conversion));
const encoding: Convert = each(convertMembers({ headers }));
const content: Convert = each(
  convertMembers({ schema, encoding, itemSchema: "lost", itemEncoding: "lost", prefixEncoding: "lost" }),
);
const field = convertMembers({ schema, content });
const server = convertMembers({ name: "lost" });
const tag = convertMembers({ summary: "lost", parent: "lost", kind: "lost" });
const requestBody = convertMembers({ content });

const describedResponse = convertMembers({ headers, content, summary: "lost", links: each((link) => link) });

const response: Convert = (value, place, conversion) => {
  const converted = toPart(describedResponse(value, place, conversion));
  return converted["$ref"] === undefined ? { description: "", ...converted } : converted;
};

/** Converts parameters. 3.0 has none for a whole query string. */
const parameters: Convert = (value, place, conversion) =>
  toList(value).flatMap((part, index) => {
    const where = below(place, index);
    if (toPart(part)["in"] !== "querystring") return [field(part, where, conversion)];
    conversion.lose(where, "a parameter in querystring");
    return [];
  });

const callbacks: Convert = each((value, place, conversion) =>
  isPart(value) && typeof value["$ref"] === "string" ? value : each(pathItem)(value, place, conversion)
);

/** Converts requirements: without schemes that 3.0 does not have, and without roles where it has none. */
const security: Convert = every((value, place, { lose, schemes }) =>
  toObject(
    Object.entries(toPart(value)).flatMap(([name, roles]): [string, unknown][] => {
      const { type } = toPart(ownMember(schemes, name));
      const where = below(place, name);
      if (type === "mutualTLS") {
        lose(where, "mutualTLS");
        return [];
      }
      const hasRoles = type === undefined || type === "oauth2" || type === "openIdConnect";
      if (hasRoles || toList(roles).length === 0) return [[name, roles]];
      lose(where, "the roles of a scheme without scopes");
      return [[name, []]];
    }),
  )
);

const operation = convertMembers({
  parameters,
  requestBody,
  responses: each(response),
  callbacks: (value, place, conversion) => callbacks(value, place, conversion),
  servers: every(server),
  security,
});

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

const pathItem = convertMembers({
  ...Object.fromEntries(methods.map((method) => [method, operation])),
  parameters,
  servers: every(server),
  query: "lost",
  additionalOperations: "lost",
});

/** Converts security schemes, without those of a kind that 3.0 does not have. */
const securitySchemes: Convert = (value, place, conversion) =>
  toObject(
    Object.entries(toPart(value)).flatMap(([name, scheme]): [string, unknown][] => {
      const where = below(place, name);
      if (toPart(scheme)["type"] !== "mutualTLS") return [[name, convertScheme(scheme, where, conversion)]];
      conversion.lose(where, "mutualTLS");
      return [];
    }),
  );

const convertScheme = convertMembers({
  flows: convertMembers({ deviceAuthorization: "lost" }),
  deprecated: "lost",
  oauth2MetadataUrl: "lost",
});

const components = convertMembers({
  schemas: each(schema),
  responses: each(response),
  parameters: each(field),
  requestBodies: each(requestBody),
  headers,
  callbacks,
  securitySchemes,
  pathItems: "lost",
  mediaTypes: "lost",
});

const convertDocument = convertMembers({
  info: convertMembers({ summary: "lost", license: convertMembers({ identifier: "lost" }) }),
  servers: every(server),
  tags: every(tag),
  paths: each(pathItem),
  components,
  security,
  webhooks: "lost",
  jsonSchemaDialect: "lost",
  $self: "lost",
});
