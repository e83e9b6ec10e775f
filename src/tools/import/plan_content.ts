/** Plans the content of operations: request bodies and responses. */
import { below, listMembers, type Located, memberOf, resolvePart } from "../openapi/operations.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { isJsonType, isLinesType, isTextType, toJsonType, unlessUsual } from "./media_types.ts";
import { readLimit, toObject, toPart, toText } from "../openapi/part.ts";
import type { BodyPlan, DocumentReader, ResponsePlan } from "./plan.ts";
import { type Planned, toPlanned } from "./planned.ts";
import { planForm } from "./plan_form.ts";
import { planResponseHeaders } from "./plan_parameters.ts";
import { planImportedSocket } from "./plan_socket.ts";
import { itemSchemaOf, type MediaContent, type OperationParts, type Reply } from "./read_operation.ts";
import { type Model, unknown } from "./model.ts";
import { isPlain } from "./text_model.ts";

/** The kind, the media type and the type of content. */
type ContentPlan<Plan extends BodyPlan | ResponsePlan> = Planned<Pick<Plan, "kind" | "contentType" | "model">>;

function toContent<Kind extends string>(
  kind: Kind,
  contentType: string | undefined,
  model: Model,
  ...changes: readonly string[]
): Planned<{ readonly kind: Kind; readonly contentType: string | undefined; readonly model: Model }> {
  return toPlanned({ kind, contentType, model }, ...changes);
}

/** Plans the request body of an operation. */
export function planBody(
  { operation: { method }, body: { part, media, changes } }: OperationParts,
  reader: DocumentReader,
): Planned<BodyPlan | undefined> {
  if (media === undefined) return toPlanned(undefined, ...changes);
  const isRequired = part.required === true;
  if (method === "get" || method === "head") {
    const name = method.toUpperCase();
    if (isRequired) throw new TypeError(`it requires a body, which fetch does not send with ${name}`);
    return toPlanned(undefined, ...changes, `the body is not declared: fetch does not send one with ${name}`);
  }
  const content = planBodyContent(media, reader);
  const planned = { ...content.planned, isOptional: !isRequired, maxBytes: readLimit(part) };
  return toPlanned(planned, ...changes, ...content.changes);
}

function planBodyContent(media: MediaContent, reader: DocumentReader): ContentPlan<BodyPlan> {
  const { source, schemas, request } = reader;
  const { type } = media;
  const essence = mediaTypeEssence(type);
  const isLines = isLinesType(essence);
  const located = isLines ? itemSchemaOf(media) : memberOf(media, "schema");
  const model = schemas.read(located, request);
  if (isLines && (model.kind === "unknown" || !isPlain(model))) {
    return toContent("ndjson", unlessUsual(essence, "application/x-ndjson"), model);
  }
  const encoding = toObject(
    listMembers(source, memberOf(media, "encoding")).map(([name, each]) =>
      [name, resolvePart(source, each).part] as const
    ),
  );
  if (isJsonType(essence)) return toContent("json", toJsonType(type), model);
  const form = { model, encoding, place: located.place };
  if (essence === "application/x-www-form-urlencoded") return planForm({ kind: "form", ...form }, reader);
  if (essence === "multipart/form-data") return planForm({ kind: "formData", ...form }, reader);
  const lost = isPlain(model) ? [] : [`the body is ${essence}, whose schema is not declared`];
  return isTextType(essence)
    ? toContent("text", unlessUsual(type, "text/plain"), unknown, ...lost)
    : toContent("bytes", unlessUsual(essence, "application/octet-stream"), unknown, ...lost);
}

/** A response of an operation, with the reference that it has in the document. */
export interface DocumentResponse {
  readonly status: string;
  readonly reference: string | undefined;
  readonly response: ResponsePlan;
}

/** Plans the responses of an operation. */
export function planResponses(
  { operation: { method }, responses }: OperationParts,
  reader: DocumentReader,
): Planned<readonly DocumentResponse[]> {
  const changes = new Set<string>(); // several responses may have one header that is text
  const planned: DocumentResponse[] = [];
  for (const reply of responses) {
    const { name, status } = reply;
    const socket = status === "101" ? planImportedSocket(reply, method, reader) : undefined;
    const isDeclared = /^([2-5]\d\d|[2-5]XX|default)$/.test(status);
    const found = socket ?? (isDeclared ? planResponse(reply, method, reader) : undefined);
    for (const change of found?.changes ?? [`the response ${name} is not declared`]) changes.add(change);
    if (found) planned.push({ status, reference: socket ? undefined : reply.reference, response: found.planned });
  }
  if (planned.length > 0) return toPlanned(planned, ...changes);
  const content = { kind: "bytes", contentType: "*/*", model: unknown } as const;
  const response = { ...content, headers: undefined, description: undefined };
  return toPlanned(
    [{ status: "200", reference: undefined, response }],
    ...changes,
    "it has no responses; 200 with any content is declared",
  );
}

function planResponse(reply: Reply, method: string, reader: DocumentReader): Planned<ResponsePlan> {
  const { status, media, part } = reply;
  const headers = planResponseHeaders(reply, reader);
  const content: ContentPlan<ResponsePlan> = media === undefined
    ? toContent("empty", undefined, unknown)
    : isBodilessStatus(status)
    ? toContent("empty", undefined, unknown, `the response ${status} has no content`)
    : planResponseContent(media, { status, isHead: method === "head" }, reader);
  return toPlanned(
    { ...content.planned, headers: headers.planned, description: toText(part.description) },
    ...headers.changes,
    ...reply.changes,
    ...content.changes,
  );
}

/** Tests whether responses of a status have no content. */
export function isBodilessStatus(status: string): boolean {
  return ["204", "205", "304"].includes(status);
}

function planResponseContent(
  media: MediaContent,
  { status, isHead }: { readonly status: string; readonly isHead: boolean },
  reader: DocumentReader,
): ContentPlan<ResponsePlan> {
  const { type } = media;
  const essence = mediaTypeEssence(type);
  const located = itemSchemaOf(media);
  if (essence === "text/event-stream" && !isHead) {
    const { planned: data, changes } = findData(located, status, reader);
    return toContent("sse", undefined, reader.schemas.read(data, "output"), ...changes);
  }
  const model = reader.schemas.read(located, "output");
  if (isLinesType(essence) && !isHead) return toContent("ndjson", unlessUsual(essence, "application/x-ndjson"), model);
  if (isJsonType(essence) && model.kind !== "file") return toContent("json", toJsonType(type), model);
  if (essence === "*/*" && !["file", "unknown", "string"].includes(model.kind)) {
    return toContent("json", undefined, model, `the response ${status} is application/json, not */*`);
  }
  const lost = isPlain(model) ? [] : [`the response ${status} is ${essence}, whose schema is not declared`];
  return isTextType(essence)
    ? toContent("text", unlessUsual(essence, "text/plain"), unknown, ...lost)
    : toContent("bytes", unlessUsual(essence, "application/octet-stream"), unknown, ...lost);
}

/** Returns the schema of the data of events. Documents describe them as objects, or only their data. */
function findData(located: Located, status: string, { source }: DocumentReader): Planned<Located> {
  const { part, place } = resolvePart(source, located);
  const { data, ...others } = toPart(part.properties);
  if (data === undefined || Object.keys(others).some((name) => !["event", "id", "retry"].includes(name))) {
    return toPlanned(located);
  }
  const { contentMediaType, contentSchema } = toPart(data);
  if (contentMediaType === "application/json") {
    return toPlanned({ value: contentSchema, place: below(place, "properties", "data", "contentSchema") });
  }
  return toPlanned(
    { value: data, place: below(place, "properties", "data") },
    `the events of the response ${status} declare their data, not their other fields`,
  );
}
