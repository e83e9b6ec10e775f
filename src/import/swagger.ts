/** Swagger 2.0, rewritten as OpenAPI 3.0. */
import { isPart, memberOf, type Part, toList, toObject, toPart, toText } from "./part.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/** Returns a document of Swagger 2.0 as one of OpenAPI 3.0, and any other as it is. */
export function upgradeSwagger(document: Part): Part {
  if (versionOf(document.swagger) === undefined) return document;
  const { definitions, parameters, responses, securityDefinitions, host, basePath, schemes, paths, ...rest } = document;
  const upgrade: Upgrade = {
    document,
    consumes: listTexts(document.consumes) ?? ["application/json"],
    produces: listTexts(document.produces) ?? ["application/json"],
  };
  return moveReferences({
    ...rest,
    openapi: "3.0.3",
    servers: [{ url: toServerUrl(toText(host), toText(basePath), listTexts(schemes)) }],
    paths: mapMembers(paths, (item) => upgradeItem(toPart(item), upgrade)),
    components: {
      schemas: definitions,
      parameters: mapMembers(parameters, (each) => upgradeParameter(toPart(each))),
      responses: mapMembers(responses, (each) => upgradeResponse(toPart(each), upgrade.produces)),
      securitySchemes: mapMembers(securityDefinitions, (each) => upgradeScheme(toPart(each))),
    },
  }) as Part;
}

/** Returns the version of a document. YAML without quotes makes it a number. */
export function versionOf(value: unknown): string | undefined {
  return typeof value === "number" ? value.toFixed(1) : typeof value === "string" ? value : undefined;
}

/** The document, and the media types of operations that name none. */
interface Upgrade {
  readonly document: Part;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
}

function listTexts(value: unknown): string[] | undefined {
  const texts = toList(value).filter((each): each is string => typeof each === "string");
  return texts.length === 0 ? undefined : texts;
}

function mapMembers(value: unknown, map: (member: unknown) => unknown): Record<string, unknown> {
  return toObject(Object.entries(toPart(value)).map(([name, member]) => [name, map(member)]));
}

function toServerUrl(host: string | undefined, basePath = "/", schemes: readonly string[] = ["https"]): string {
  return host === undefined ? basePath : `${schemes.includes("https") ? "https" : schemes[0]}://${host}${basePath}`;
}

function upgradeItem(item: Part, upgrade: Upgrade): Part {
  const shared = toList(item.parameters);
  const operations = methods.filter((method) => isPart(item[method])).map((method): [string, Part] => [
    method,
    upgradeOperation(toPart(item[method]), shared, upgrade),
  ]);
  const { parameters: _, ...rest } = item;
  return { ...rest, ...toObject(operations) };
}

/** Moves the parameters of a body into `requestBody`, also those of the path item. */
function upgradeOperation(operation: Part, shared: readonly unknown[], { document, ...types }: Upgrade): Part {
  const { consumes, produces, parameters, responses, ...rest } = operation;
  const listed = [...shared, ...toList(parameters)].map((each) => [each, followParameter(each, document)] as const);
  const isInBody = (part: Part) => part.in === "body" || part.in === "formData";
  const requestBody = toRequestBody(
    listed.map(([, part]) => part).filter(isInBody),
    listTexts(consumes) ?? types.consumes,
  );
  return {
    ...rest,
    parameters: listed.filter(([, part]) => !isInBody(part)).map(([each, part]) =>
      typeof toPart(each).$ref === "string" ? each : upgradeParameter(part)
    ),
    ...(requestBody && { requestBody }),
    responses: mapMembers(responses, (each) => upgradeResponse(toPart(each), listTexts(produces) ?? types.produces)),
  };
}

function followParameter(parameter: unknown, document: Part): Part {
  const reference = toPart(parameter).$ref;
  const name = typeof reference === "string" ? /^#\/parameters\/(.+)$/.exec(reference)?.[1] : undefined;
  return toPart(name === undefined ? parameter : memberOf(document.parameters, name));
}

function toRequestBody(parameters: readonly Part[], consumes: readonly string[]): Part | undefined {
  const body = parameters.find((each) => each.in === "body");
  if (body) {
    const content = toObject(consumes.map((type) => [type, { schema: body.schema }]));
    return { description: body.description, required: body.required === true, content };
  }
  if (parameters.length === 0) return undefined;
  const schema = {
    type: "object",
    properties: toObject(parameters.map((each) => [String(each.name), toSchema(each)])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => String(name)),
  };
  const hasFile = parameters.some(({ type }) => type === "file") || consumes.includes("multipart/form-data");
  const type = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return { required: schema.required.length > 0, content: { [type]: { schema } } };
}

/** Returns the keywords of a parameter that belong to its schema. */
function toSchema({ in: _in, name: _name, required: _required, collectionFormat: _format, ...schema }: Part): Part {
  return schema.type === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

/** The style of each `collectionFormat`. Tab-separated lists have none. */
const styles: Readonly<Record<string, Part>> = {
  csv: { explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { explode: true },
};

function upgradeParameter(parameter: Part): Part {
  const { in: place, name, required, description, collectionFormat, ...schema } = parameter;
  if (place === "body" || place === "formData") return parameter; // operations move it into their body
  const isList = schema.type === "array";
  const format = typeof collectionFormat === "string" ? collectionFormat : "csv";
  const style = isList && place === "query" ? memberOf(styles, format) as Part | undefined : undefined;
  return { in: place, name, required, description, schema: toSchema(schema), ...style };
}

function upgradeResponse(response: Part, produces: readonly string[]): Part {
  const { schema, headers, ...rest } = response;
  const types = isPart(schema) && schema.type === "file" && produces.includes("application/json")
    ? ["application/octet-stream"]
    : produces;
  return {
    ...rest,
    headers: mapMembers(headers, (each) => {
      const { description, ...own } = toPart(each);
      return { description, schema: own };
    }),
    ...(isPart(schema) && { content: toObject(types.map((type) => [type, { schema: toSchema(schema) }])) }),
  };
}

function upgradeScheme(scheme: Part): Part {
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme;
  if (type === "basic") return { ...rest, type: "http", scheme: "basic" };
  if (type !== "oauth2") return scheme;
  const names: Readonly<Record<string, string>> = {
    accessCode: "authorizationCode",
    application: "clientCredentials",
    implicit: "implicit",
    password: "password",
  };
  const name = memberOf(names, String(flow));
  return {
    ...rest,
    type,
    flows: name === undefined ? {} : { [String(name)]: { authorizationUrl, tokenUrl, scopes: toPart(scopes) } },
  };
}

/** The places that have moved. */
const moved: readonly (readonly [string, string])[] = [
  ["#/definitions/", "#/components/schemas/"],
  ["#/parameters/", "#/components/parameters/"],
  ["#/responses/", "#/components/responses/"],
];

function moveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moveReferences);
  if (!isPart(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(value)) {
    const found = name === "$ref" && typeof member === "string"
      ? moved.find(([before]) => member.startsWith(before))
      : undefined;
    const written = found ? found[1] + (member as string).slice(found[0].length) : moveReferences(member);
    Object.defineProperty(copy, name, { value: written });
  }
  return copy;
}
