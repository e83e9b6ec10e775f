/** Plans what the document of an imported contract says besides the contract: its prose, examples and extensions. */
import type { Direction } from "../openapi/definitions.ts";
import { spend } from "../json_schema/steps.ts";
import type { JsonSchemaObject } from "../json_schema/json.ts";
import {
  basePathOf,
  below,
  describePlace,
  documentPart,
  type DocumentPlace,
  find,
  localhost,
  type Operation,
  serverUrlOf,
} from "../openapi/operations.ts";
import { endsWithPath } from "../openapi/options.ts";
import { listReferences } from "../json_schema/references.ts";
import {
  describeLimit,
  isPart,
  ownMember,
  type Part,
  present,
  toList,
  toObject,
  toPart,
  toText,
} from "../openapi/part.ts";
import type { OpenApiServer } from "../openapi/types.ts";
import { hasFormat, joinedKey, type Model, placeKey, withoutNull } from "./model.ts";
import {
  type BodyPlan,
  discriminatorOf,
  type DocumentOptions,
  findProperty,
  type GroupPlan,
  groupsOf,
  hasSchema,
  type ImportedDocument,
  type ImportPlan,
  type PlannedSchema,
  type ReferenceTarget,
  responseOf,
  type ResponsePlan,
  type RoutePlan,
  slotOf,
} from "./plan.ts";
import type { Reply } from "./read_operation.ts";
import type { Source } from "./source.ts";
import type { Docs, FieldDocs, ResponseDocs, SchemaNotes } from "../../contract/docs.ts";

/** Plans the options of the document. */
export function planDocument(plan: ImportPlan, options: DocumentOptions): ImportedDocument {
  const { source, groups, webhooks, schemas } = plan;
  const further = listFurther(plan);
  const raw = createRaw(plan, further);
  const { info, servers, tags, externalDocs, ...root } = documentPart(source).part;
  const { title, version, ...others } = toPart(raw(info));
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
    ...said({ tags: toList(raw(tags)), externalDocs: isPart(externalDocs) && raw(externalDocs) }),
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

/** What the notes of schemas are read with. */
interface NotesReader extends DocumentOptions {
  readonly source: Source;
  readonly raw: Raw;
  readonly direction: Direction;
  readonly targetOf: (key: string) => ReferenceTarget;
  /** Whether what is read has no place in the document of the contract, so that it is reported. */
  readonly isLost?: true;
}

/** Returns a copy of a part of the document in which references are replaced by what they refer to. */
type Raw = (value: unknown) => unknown;

/** The types whose components every library keeps. */
const structures: readonly Model["kind"][] = ["object", "array", "tuple", "union", "intersection", "literal"];

/** Where the document has its schemas. */
const componentsPlace = "#/components/schemas/";

/** Returns the component that a type is in every library, by its name in the document; `undefined` for other types. */
function componentOf({ model, component, name }: PlannedSchema): string | undefined {
  return structures.includes(model.kind) && component === name ? component : undefined;
}

/**
 * Returns the schemas that operations refer to and that are no components of the contract: those that `allOf` merges,
 * other names of a schema, and those of media types, callbacks and extensions that a contract does not declare.
 */
function listFurther({ source, schemas, ...plan }: ImportPlan): ReadonlyMap<string, unknown> {
  const own = new Set(schemas.map(componentOf));
  const further = new Map<string, unknown>();
  const seen = new Set<string>();
  const pending: unknown[] = groupsOf(plan).flatMap(({ routes }) =>
    routes.flatMap(({ parts: { operation: { part, item } } }) => [part, item.part["parameters"]])
  );
  const follow = (reference: string): void => {
    if (seen.has(reference)) return;
    seen.add(reference);
    const target = find(source, reference);
    const name = reference.slice(componentsPlace.length);
    if (target === undefined) return;
    pending.push(target.value);
    if (!reference.startsWith(componentsPlace) || !/^[\w.-]+$/.test(name) || own.has(name)) return;
    further.set(name, target.value);
  };
  for (const value of pending) { // which grows
    if (typeof value !== "object" || value === null) continue;
    spend(1 / 100);
    for (const [key, part] of Object.entries(value)) {
      if (key === "$ref" && typeof part === "string") follow(part);
      else pending.push(part);
    }
  }
  return further;
}

/** Adds schemas that a library writes out, and those that they refer to. */
function withWritten(
  further: ReadonlyMap<string, unknown>,
  written: Iterable<PlannedSchema>,
  { source }: ImportPlan,
): ReadonlyMap<string, unknown> {
  const all = new Map(further);
  const names = new Set([...written].map(componentOf));
  for (const name of names) { // which grows
    const value = name === undefined ? undefined : find(source, componentsPlace + name)?.value;
    if (value === undefined || further.has(name!)) continue;
    all.set(name!, value);
    for (const each of listReferences(value)) {
      if (each.startsWith(componentsPlace)) names.add(each.slice(componentsPlace.length));
    }
  }
  return all;
}

function createRaw({ source, schemas }: ImportPlan, further: ReadonlyMap<string, unknown>): Raw {
  const names = [...schemas.map(componentOf), ...further.keys()];
  const kept = new Set(names.map((name) => `${componentsPlace}${name}`));
  let copied = 0;
  const copy = (value: unknown, inside: readonly string[]): unknown => {
    if (++copied > mostCopied) return {};
    if (Array.isArray(value)) return value.map((each) => copy(each, inside));
    if (!isPart(value)) return value;
    const { $ref, ...rest } = value;
    if (typeof $ref !== "string" || kept.has($ref)) {
      return upgrade(toObject(Object.entries(value).map(([name, each]) => [name, copy(each, inside)])));
    }
    const target = inside.includes($ref) || inside.length > 20 ? undefined : find(source, $ref);
    const found = target && copy(target.value, [...inside, $ref]);
    return { ...toPart(found), ...toPart(copy(rest, inside)) };
  };
  return (value) => {
    copied = 0;
    return copy(value, []);
  };
}

/** The most values of a part that is copied. References that repeat others would make it grow without end. */
const mostCopied = 20_000;

/** Writes what schemas of OpenAPI 3.0 have otherwise than those of 3.1. */
function upgrade(part: Record<string, unknown>): Record<string, unknown> {
  const { nullable, "x-nullable": old, ...others } = part;
  const rest = upgradeBounds(others);
  if (nullable !== true && old !== true) return rest;
  if (typeof rest["type"] === "string") return { ...rest, type: [rest["type"], "null"] };
  const isCombined = ["$ref", "allOf", "anyOf", "oneOf"].some((name) => rest[name] !== undefined);
  return isCombined ? { anyOf: [rest, { type: "null" }] } : rest;
}

/** Writes exclusive bounds as numbers. */
function upgradeBounds(part: Record<string, unknown>): Record<string, unknown> {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = part;
  if (typeof exclusiveMinimum !== "boolean" && typeof exclusiveMaximum !== "boolean") return part;
  const bounds = [
    ["exclusiveMinimum", exclusiveMinimum, "minimum", minimum],
    ["exclusiveMaximum", exclusiveMaximum, "maximum", maximum],
  ] as const;
  const written = bounds.flatMap(([exclusive, flag, inclusive, bound]) => [
    ...(bound === undefined ? [] : [[flag === true ? exclusive : inclusive, bound] as const]),
    ...(typeof flag === "number" ? [[exclusive, flag] as const] : []),
  ]);
  return { ...toObject(written), ...rest };
}

function extensionsOf(part: Part): Part {
  return toObject(Object.entries(part).filter(([name]) => name.startsWith("x-") && name !== "x-nullable"));
}

/** Lists servers. Without `kept`, a path that all have, they are without their path, which is in those of the contract. */
function listServers(servers: unknown, basePath: string, kept: string, raw: Raw): Part[] {
  return toList(raw(servers)).flatMap((server) => {
    const { url, ...rest } = toPart(server);
    if (typeof url !== "string") return [];
    if (kept !== "" && kept === basePath) return [{ url, ...rest }];
    const [, origin = "", path = ""] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)?(.*)$/i.exec(url) ?? [];
    const filled = withoutEnd(fill(path, rest["variables"]));
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

function fill(url: string, variables: unknown): string {
  return url.replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => String(toPart(ownMember(variables, name))["default"] ?? name),
  );
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
      externalDocs: isPart(externalDocs) && raw(externalDocs),
      servers: listServers(part["servers"] ?? item.part["servers"], base, prose.basePath, raw),
      callbacks: isPart(callbacks) && raw(callbacks),
      ...parameterDocs(route, prose),
      body: body && bodyDocs(route, body, prose),
      responses: toObject(responses.flatMap(([status, each]) => responseDocs(status, each, route, prose))),
    }),
  };
  return docs as object as Docs; // of the members that its type has
}

/** Returns the members of an object that say something. */
function said(members: Part): Part {
  return toObject(
    Object.entries(members).filter(([, value]) =>
      typeof value === "object" && value !== null && Object.keys(value).length > 0
    ),
  );
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

/**
 * Returns the annotations of a type that a document has, for a nullable one also those of the type beside null, and of
 * those inside it.
 */
function notesOf(model: Model, reader: NotesReader): SchemaNotes {
  const present = withoutNull(model);
  return {
    ...(present === model ? {} : ownNotes(present, reader)),
    ...ownNotes(model, reader),
    ...innerNotes(model, reader),
  };
}

/** Annotations that are kept as they are. */
const kept = ["title", "description", "externalDocs", "xml"];

/** Annotations that are kept if they are true. */
const flags = ["deprecated", "readOnly", "writeOnly"];

/** What each direction must not say about its values, because it has them all the same. */
const unenforced = { input: "readOnly", output: "writeOnly" } as const;

function ownNotes(model: Model, { source, raw, direction, isLost, lose, targetOf }: NotesReader): SchemaNotes {
  spend(1 / 100);
  const { [placeKey]: place, [joinedKey]: joined = [] } = model;
  const partAt = (at: DocumentPlace): Part => toPart(find(source, `${at.file}#${at.pointer}`)?.value);
  const others = joined.flatMap((each) => annotationsOf(partAt(each)));
  const found = { ...(place && partAt(place)), ...toObject(others.toReversed()) }; // the first wins
  const schema = withMembers(model.kind === "reference" ? found : withTarget(found, source));
  const { example, examples, format } = schema;
  const discriminator = discriminatorOf(found, model, targetOf);
  const listed = toList(examples).length > 0 ? toList(examples) : example === undefined ? [] : [example];
  const notes = {
    ...toObject(kept.flatMap((name) => isSaid(schema[name]) ? [[name, raw(schema[name])] as const] : [])),
    ...toObject(
      flags.filter((name) => schema[name] === true && name !== unenforced[direction]).map((name) =>
        [name, true] as const
      ),
    ),
    ...(listed.length > 0 && { examples: listed as JsonSchemaObject["example"][] }),
    ...(typeof format === "string" && hasFormat(model, format) && { format }),
    ...(discriminator && { discriminator }),
    ...extensionsOf(schema),
  };
  if (!isLost) return notes as SchemaNotes; // of the members that its type has
  for (const name of place ? Object.keys(notes) : []) lose(place!, name);
  return {};
}

/** Adds what the target of a reference says, for a type that does not refer to it. */
function withTarget(schema: Part, source: Source): Part {
  const { $ref, ...own } = schema;
  const target = typeof $ref === "string" ? find(source, $ref) : undefined;
  return target === undefined ? schema : { ...toObject(annotationsOf(toPart(target.value))), ...own };
}

/** Adds what the inline members of `allOf` say, such as the description beside a reference. */
function withMembers(schema: Part): Part {
  const members = toList(schema["allOf"]).map(toPart).filter((each) => each["$ref"] === undefined);
  return { ...toObject(members.flatMap(annotationsOf)), ...schema };
}

/** Returns the annotations of a schema. */
function annotationsOf(schema: Part): readonly (readonly [name: string, value: unknown])[] {
  const names = [...kept, ...flags, "example", "examples", "format"];
  return Object.entries(schema).filter(([name]) => names.includes(name) || name.startsWith("x-"));
}

function isSaid(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : isPart(value);
}

/** Returns the annotations of the types inside another one, where every library writes them in the same place. */
function innerNotes(model: Model, reader: NotesReader): SchemaNotes {
  const { rules } = reader;
  const inner = (part: Model): SchemaNotes => notesOf(part, reader);
  const listed = (name: string, parts: readonly Model[] | undefined, all: readonly Model[] = []): SchemaNotes => {
    const notes = (parts ?? all).map(inner);
    if (notes.every((each) => Object.keys(each).length === 0)) return {};
    if (parts !== undefined) return { [name]: notes };
    if (model[placeKey]) reader.lose(model[placeKey], "the annotations of its members");
    for (const part of all) notesOf(part, { ...reader, isLost: true });
    return {};
  };
  switch (model.kind) {
    case "array": {
      const isLost = rules.reduces && model.items.kind === "unknown";
      return said({ items: notesOf(model.items, isLost ? { ...reader, isLost } : reader) });
    }
    case "tuple":
      return { ...listed("prefixItems", model.items), ...said({ items: model.rest && inner(model.rest) }) };
    case "union": {
      const [present, ...further] = model.members.filter(({ kind }) => kind !== "null");
      if (present === undefined) return {};
      if (further.length === 0) return innerNotes(present, reader);
      const members = [present, ...further];
      return listed("anyOf", rules.listMembers(members), members);
    }
    case "intersection":
      return listed("allOf", rules.hasIntersections ? model.members : undefined, model.members);
    case "object": {
      const { properties, others } = model;
      return said({
        properties: said(toObject(properties.map((each) => [each.name, inner(each.model)]))),
        additionalProperties: typeof others === "object" && others.kind !== "unknown" && inner(others),
      });
    }
    default:
      return {};
  }
}
