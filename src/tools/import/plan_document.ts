/** Plans what the document of an imported contract says besides the contract: its prose, examples and extensions. */
import {
  basePathOf,
  below,
  describePlace,
  documentPart,
  fillVariables,
  localhost,
  type Operation,
  serverUrlOf,
} from "../openapi/operations.ts";
import { endsWithPath } from "../openapi/options.ts";
import { describeLimit, isPart, type Part, present, toList, toObject, toPart, toText } from "../openapi/part.ts";
import type { OpenApiServer } from "../openapi/types.ts";
import { createRaw, listFurther, type Raw, withWritten } from "./copied_parts.ts";
import { linkOf, listMetadata, toMetadata } from "./metadata.ts";
import { placeKey } from "./model.ts";
import {
  type BodyPlan,
  type DocumentOptions,
  findProperty,
  type GroupPlan,
  hasSchema,
  type ImportedDocument,
  type ImportPlan,
  type PlannedSchema,
  responseOf,
  type ResponsePlan,
  type RoutePlan,
  slotOf,
} from "./plan.ts";
import type { Reply } from "./read_operation.ts";
import { extensionsOf, notesOf, type NotesReader, said } from "./schema_notes.ts";
import type { Source } from "./source.ts";
import type { Docs, FieldDocs, ResponseDocs, SchemaNotes } from "../../contract/docs.ts";

/** Plans the options of the document. */
export function planDocument(plan: ImportPlan, options: DocumentOptions): ImportedDocument {
  const { source, groups, webhooks, schemas } = plan;
  const further = listFurther(plan);
  const raw = createRaw(plan, further);
  const { info, servers, tags, externalDocs, ...root } = documentPart(source).part;
  const { title, version, ...others } = toMetadata(toPart(raw(info)));
  const { "x-webhooks": _, "x-files": __, ...extensions } = extensionsOf(root);
  const base = basePathOf(source, wholeOf(source));
  const isKept = isBaseKept(toList(raw(servers))[0], base, plan);
  const basePath = isKept ? base : "";
  const targets = new Map(
    schemas.map(({ key, component, place }) => [key, { component, reference: describePlace(place) }]),
  );
  const targetOf = (key: string) => targets.get(key)!; // each reference has a schema
  const { responses } = plan;
  const prose: RouteProse = { source, responses, basePath, raw, direction: "input", targetOf, ...options };
  const docsIn = ({ routes }: GroupPlan): Part => toObject(routes.map((each) => [each.key, docsOf(each, prose)]));
  const components = withWritten(further, options.written ?? [], plan);
  const hasIds = groups.every(({ routes }) => routes.every(({ operationId }) => operationId !== undefined));
  const document = {
    ...extensions,
    info: { title: toText(title) ?? "API", version: toText(version) ?? "1.0.0", ...others },
    ...said({ servers: listServers(servers, base, basePath, raw) }),
    ...(isKept && { basePath }),
    ...(!hasIds && { operationIds: "declared" }),
    ...said({ tags: listMetadata(toList(raw(tags)), "name"), ...linkOf(externalDocs, raw) }),
    notes: toObject(schemas.flatMap((schema) => namedNotes(schema, prose))),
    docs: toObject(groups.map((group) => [group.key, docsIn(group)])),
    ...(webhooks && { webhooks: docsIn(webhooks) }),
    ...said({ components: said({ schemas: toObject([...components].map(([name, each]) => [name, raw(each)])) }) }),
  };
  return document as object as ImportedDocument; // of the members that its type has
}

/** Returns the URL of the server, without the base path; `undefined` if the document names none. */
export function baseUrlOf(source: Source): string | undefined {
  const { origin } = serverUrlOf(source, wholeOf(source));
  return origin === localhost || origin === "null" ? undefined : origin;
}

/** Returns the document as an operation, whose servers are its own. */
function wholeOf(source: Source): Operation {
  const whole = { part: {}, place: documentPart(source).place };
  return { method: "get", path: "", ...whole, item: whole };
}

/** Tests whether the base path of the contract stays at the end of the URLs of servers. */
function isBaseKept(server: unknown, base: string, plan: ImportPlan): boolean {
  const { url, variables } = toPart(server);
  const first = { url: String(url), variables: toPart(variables) as OpenApiServer["variables"] & Part };
  return base !== "" && base === encodeURI(plan.basePath) && endsWithPath(first, base);
}

/** Lists servers. Without `kept`, a path that all have, they are without their path, which is in those of the contract. */
function listServers(servers: unknown, basePath: string, kept: string, raw: Raw): Part[] {
  return listMetadata(toList(raw(servers)), "url").flatMap(({ url, ...rest }) => {
    if (kept !== "" && kept === basePath) return [{ url, ...rest }];
    const [, origin = "", path = ""] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)?(.*)$/i.exec(String(url)) ?? [];
    const filled = withoutEnd(fillVariables(path, rest["variables"]));
    const isLiteral = path === filled || path === `${filled}/`; // without variables
    const shortened = basePath === "" || !filled.endsWith(basePath)
      ? withoutEnd(path)
      : isLiteral
      ? filled.slice(0, -basePath.length)
      : "";
    const whole = `${origin}${shortened}`;
    return whole === "" ? [] : [{ url: whole, ...rest }];
  });
}

/** Returns a path without the slashes at its end. */
function withoutEnd(path: string): string {
  return path.match(/^(?:.*[^/])?/s)![0]; // it matches any text
}

/** What the prose of a route is read with. */
interface RouteProse extends NotesReader, Pick<ImportPlan, "responses"> {
  /** The base path, if the URLs of servers keep it. */
  readonly basePath: string;
}

function docsOf(route: RoutePlan, prose: RouteProse): Docs {
  const { parts: { operation }, summary, description, body, responses } = route;
  const { part, item } = operation;
  const { raw, source } = prose;
  const { externalDocs, callbacks } = part;
  const base = basePathOf(source, operation);
  const docs = {
    ...present({ summary, description }),
    ...extensionsOf(part),
    ...said({
      ...linkOf(externalDocs, raw),
      servers: listServers(part["servers"] ?? item.part["servers"], base, prose.basePath, raw),
      callbacks: isPart(callbacks) && raw(callbacks),
      ...parameterDocs(route, prose),
      body: body && bodyDocs(route, body, prose),
      responses: toObject(responses.flatMap(([status, each]) => responseDocs(status, each, route, prose))),
    }),
  };
  return docs as object as Docs; // of the members that its type has
}

function parameterDocs(route: RoutePlan, prose: RouteProse): Part {
  const docs: Record<string, Record<string, FieldDocs>> = {};
  for (const { part, place, name, content } of route.parts.parameters) {
    const slot = slotOf(part);
    if (slot === undefined) continue;
    const property = findProperty(route, part);
    const isInPath = slot === "params" && route.path.split("/").includes(`:${name}`);
    if (property === undefined && !isInPath) continue; // the report names it
    const own = property ?? { kind: "string", [placeKey]: below(place, "schema") } as const;
    const { description, deprecated: _, ...schema } = notesOf(own, prose);
    const field = { ...present({ description }), ...fieldDocs({ ...part, ...content?.part }, schema, prose) };
    if (Object.keys(field).length > 0) (docs[slot] ??= {})[name] = field;
  }
  return docs;
}

/** Returns the prose of a parameter or a header. */
function fieldDocs(part: Part, schema: SchemaNotes, { raw }: NotesReader): FieldDocs {
  return {
    ...present({ description: toText(part["description"]) }),
    ...(part["deprecated"] === true && { deprecated: true }),
    ...sampleDocs(part, raw),
    ...extensionsOf(part),
    ...said({ schema }),
  };
}

/** Returns the examples of a parameter or a media type. */
function sampleDocs({ example, examples }: Part, raw: Raw): Pick<FieldDocs, "example" | "examples"> {
  const named = toPart(raw(examples)) as Record<string, object>;
  const isNamed = Object.values(named).every(isPart) && Object.keys(named).length > 0;
  return { ...present({ example }), ...(isNamed && { examples: named }) };
}

function bodyDocs({ parts }: RoutePlan, { kind, model, maxBytes }: BodyPlan, prose: RouteProse): Part {
  const { part, media } = parts.body;
  const { "x-max-bytes": _, ...extensions } = extensionsOf(part);
  return {
    ...present({ description: withoutLimit(toText(part["description"]), maxBytes) }),
    ...sampleDocs(media?.part ?? {}, prose.raw),
    ...(maxBytes === undefined ? extensionsOf(part) : extensions),
    ...said({ schema: hasSchema(kind) && notesOf(model, prose) }),
  };
}

/** Returns a description without the sentence about the limit, which the document of the contract adds again. */
function withoutLimit(description: string | undefined, maxBytes: number | undefined): string | undefined {
  if (description === undefined || maxBytes === undefined) return description;
  const sentence = describeLimit(maxBytes);
  if (description === sentence) return undefined;
  return description.endsWith(` ${sentence}`) ? description.slice(0, -sentence.length - 1) : description;
}

function responseDocs(
  status: string,
  declared: ResponsePlan | string,
  { parts }: RoutePlan,
  of: RouteProse,
): readonly (readonly [string, ResponseDocs])[] {
  const prose: RouteProse = { ...of, direction: "output" };
  const { raw } = prose;
  const plan = responseOf(declared, prose);
  const reply = parts.responses.find((each) => each.status === status);
  if (reply === undefined) return [];
  const { description, links } = reply.part;
  const docs = {
    ...(typeof description === "string" && description !== "" && { description }),
    ...(plan.kind !== "empty" && sampleDocs(reply.media?.part ?? {}, raw)),
    ...(plan.socket ? {} : extensionsOf(reply.part)), // x-websocket is declared
    ...said({
      headers: headerDocs(reply, plan, prose),
      links: isPart(links) && raw(links),
      schema: hasSchema(plan.kind) && plan.kind !== "sse" && notesOf(plan.model, prose),
    }),
  };
  return Object.keys(docs).length === 0 ? [] : [[status, docs]];
}

function headerDocs(reply: Reply, { headers }: ResponsePlan, prose: RouteProse): Part {
  return toObject(
    reply.headers.flatMap(({ name, part }) => {
      const property = headers?.properties.find((each) => each.name === name.toLowerCase())?.model;
      if (property === undefined) return []; // the report names it
      const { description: _, deprecated: __, ...schema } = notesOf(property, prose);
      const field = fieldDocs(part, schema, prose);
      return Object.keys(field).length === 0 ? [] : [[name.toLowerCase(), field] as const];
    }),
  );
}

/** Returns the notes of a component, by its name; none if there is nothing to say. */
function namedNotes(
  { component, model, place, direction }: PlannedSchema,
  of: NotesReader,
): [string, SchemaNotes][] {
  const notes = notesOf({ ...model, [placeKey]: place }, { ...of, direction });
  return Object.keys(notes).length === 0 ? [] : [[component, notes]];
}
