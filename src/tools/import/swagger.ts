/** Swagger 2.0, rewritten as OpenAPI 3.0. */
import { mapInside } from "../json_schema/references.ts";
import { documentPlace, listItems, resolvePart } from "../openapi/operations.ts";
import { isPart, ownMember, type Part, toList, toObject, toPart, toText } from "../openapi/part.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/** The files of a document by URL, without the document itself. */
type Files = ReadonlyMap<string, unknown>;

/**
 * Returns a document of Swagger 2.0 as one of OpenAPI 3.0, and any other as it is. Its paths and operations contain
 * what they referred to, because a part of another file is upgraded for its place.
 */
export function upgradeSwagger(document: Part, files: Files): { readonly root: Part; readonly files: Files } {
  if (versionOf(document.swagger) === undefined) return { root: document, files };
  const moved = new Map([...files].map(([url, file]) => [url, moveReferences(file)] as const));
  return { root: upgradeDocument(document, new Map([...files, ["", document]])), files: moved };
}

function upgradeDocument(document: Part, files: Files): Part {
  const { definitions, parameters, responses, securityDefinitions, host, basePath, schemes, paths, ...rest } = document;
  const upgrade: Upgrade = {
    resolvePart: (value) => resolvePart({ files }, { value, place: documentPlace }).part,
    items: (value) => listItems({ files }, { value, place: documentPlace }).map((item) => item.value),
    consumes: listTexts(document.consumes) ?? ["application/json"],
    produces: listTexts(document.produces) ?? ["application/json"],
  };
  return moveReferences({
    ...rest,
    openapi: "3.0.3",
    servers: [{ url: toServerUrl(toText(host), toText(basePath), listTexts(schemes)) }],
    paths: mapMembers(tryFollow(paths, upgrade), (item) => upgradeItem(tryFollow(item, upgrade), upgrade)),
    components: {
      schemas: definitions,
      parameters: mapMembers(parameters, (each) => upgradeParameter(tryFollow(each, upgrade))),
      responses: mapMembers(responses, (each) => upgradeResponse(tryFollow(each, upgrade), upgrade.produces)),
      securitySchemes: mapMembers(
        tryFollow(securityDefinitions, upgrade),
        (each) => upgradeScheme(tryFollow(each, upgrade)),
      ),
    },
  }) as Part;
}

/** Returns the version of a document. YAML without quotes makes it a number. */
export function versionOf(value: unknown): string | undefined {
  return typeof value === "number" ? value.toFixed(1) : typeof value === "string" ? value : undefined;
}

/** How a document is read, and the media types of operations that name none. */
interface Upgrade {
  /** Follows the references of a part. Throws a `TypeError` for one that leads nowhere. */
  readonly resolvePart: (value: unknown) => Part;
  /** Returns the items of a list, or of the list that a reference leads to. */
  readonly items: (value: unknown) => readonly unknown[];
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
  const shared = tryFollowList(item.parameters, upgrade);
  const operations = methods.filter((method) => isPart(item[method])).map((method): [string, Part] => [
    method,
    upgradeOperation(tryFollow(item[method], upgrade), shared, upgrade),
  ]);
  const { parameters: _, ...rest } = item;
  return { ...rest, ...toObject(operations) };
}

/** Moves the parameters of a body into `requestBody`, also those of the path item. */
function upgradeOperation(operation: Part, shared: readonly unknown[], types: Upgrade): Part {
  const { consumes, produces, parameters, responses, ...rest } = operation;
  const listed = [...shared, ...tryFollowList(parameters, types)]
    .map((each) => [each, tryFollow(each, types)] as const);
  const isInBody = (part: Part) => part.in === "body" || part.in === "formData";
  const requestBody = toRequestBody(
    listed.map(([, part]) => part).filter(isInBody),
    listTexts(consumes) ?? types.consumes,
  );
  return {
    ...rest,
    parameters: listed.filter(([, part]) => !isInBody(part)).map(([each, part]) =>
      isMoved(each) ? each : upgradeParameter(part)
    ),
    ...(requestBody && { requestBody }),
    responses: mapMembers(
      tryFollow(responses, types),
      (each) => isMoved(each) ? each : upgradeResponse(tryFollow(each, types), listTexts(produces) ?? types.produces),
    ),
  };
}

/** Follows the references of a part. One that leads nowhere stays, for the report. */
function tryFollow(value: unknown, { resolvePart }: Upgrade): Part {
  try {
    return resolvePart(value);
  } catch {
    return toPart(value);
  }
}

/** Returns the items of a list, or of the list that a reference leads to. */
function tryFollowList(value: unknown, { items }: Upgrade): readonly unknown[] {
  try {
    return items(value);
  } catch {
    return [];
  }
}

/** Tests whether a part is a reference to one that is upgraded among the components. */
function isMoved(value: unknown): boolean {
  const reference = toPart(value).$ref;
  return typeof reference === "string" && moved.some(([before]) => reference.startsWith(before));
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
  const styled = parameters.flatMap((each) => {
    const style = styleOf(each);
    return style && each.collectionFormat !== "multi" ? [[String(each.name), style] as const] : [];
  });
  const encoding = styled.length === 0 ? {} : { encoding: toObject(styled) };
  return { required: schema.required.length > 0, content: { [type]: { schema, ...encoding } } };
}

/** Returns the keywords of a parameter that belong to its schema. */
function toSchema({ in: _in, name: _name, required: _required, collectionFormat: _format, ...schema }: Part): Part {
  return schema.type === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

/** The style of each `collectionFormat`. OpenAPI 3 has none for lists that are separated by tabs. */
const styles: Readonly<Record<string, Part>> = {
  csv: { explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { explode: true },
};

/** Returns the style of a list. Those of paths and headers have commas unless they say otherwise. */
function styleOf({ in: place, type, collectionFormat = "csv" }: Part): Part | undefined {
  if (type !== "array" || (collectionFormat === "csv" && place !== "query" && place !== "formData")) return undefined;
  return ownMember(styles, String(collectionFormat)) as Part | undefined;
}

function upgradeParameter(parameter: Part): Part {
  const { in: place, name, required, description, ...schema } = parameter;
  if (place === "body" || place === "formData") return parameter; // operations move it into their body
  return { in: place, name, required, description, schema: toSchema(schema), ...styleOf(parameter) };
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
  const name = ownMember(names, String(flow));
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
  const mapMember = (part: unknown, name?: string): unknown => {
    if (name !== "$ref" || typeof part !== "string") return moveReferences(part);
    const [before, after] = moved.find(([before]) => part.startsWith(before)) ?? ["", ""];
    return after + part.slice(before.length);
  };
  return mapInside(value, mapMember, isOfStatuses);
}

/** Tests whether the members of a part are the responses of statuses, also where it is a file of its own. */
export function isOfStatuses(part: Part): boolean {
  return Object.keys(part).every((name) => /^(?:[1-5](?:\d\d|xx)|default|x-.*)$/i.test(name));
}
