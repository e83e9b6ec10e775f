/** Plans the content of operations: request bodies and responses. */
import {
  below,
  listMembers,
  type Located,
  type LocatedPart,
  memberOf,
  type Operation,
  resolvePart,
} from "../openapi/operations.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { chooseMediaType, isJsonType, isLinesType, isTextType, toJsonType, unlessUsual } from "./media_types.ts";
import { readLimit, toObject, toPart, toText } from "../openapi/part.ts";
import type { BodyPlan, DocumentReader, Planned, ResponsePlan } from "./plan.ts";
import { planForm } from "./plan_form.ts";
import { contentsOf, planResponseHeaders } from "./plan_parameters.ts";
import { planSocket } from "./plan_socket.ts";
import type { Model } from "./model.ts";
import { isPlain } from "./text_model.ts";

/** The kind, the media type and the type of content. */
type ContentPlan<Plan extends BodyPlan | ResponsePlan> = Planned<Pick<Plan, "kind" | "contentType" | "model">>;

const unknown: Model = { kind: "unknown" };

/** Plans the request body of an operation. */
export function planBody(
  { method, part, place }: Operation,
  reader: DocumentReader,
): Planned<BodyPlan | undefined> {
  if (part.requestBody === undefined) return { planned: undefined, changes: [] };
  const { source, options } = reader;
  const body = resolvePart(source, memberOf({ part, place }, "requestBody"));
  const contents = contentsOf(source, body);
  const isRequired = body.part.required === true;
  const { planned: type, changes } = chooseMediaType(contents.map((each) => each.type), "request", options.prefer);
  const media = contents.find((each) => each.type === type);
  if (media === undefined) return { planned: undefined, changes };
  if (method === "get" || method === "head") {
    const name = method.toUpperCase();
    if (isRequired) throw new TypeError(`it requires a body, which fetch does not send with ${name}`);
    return {
      planned: undefined,
      changes: [...changes, `the body is not declared: fetch does not send one with ${name}`],
    };
  }
  const content = planBodyContent(media, media.type, reader);
  return {
    planned: { ...content.planned, isOptional: !isRequired, maxBytes: readLimit(body.part) },
    changes: [...changes, ...content.changes],
  };
}

function planBodyContent(media: LocatedPart, type: string, reader: DocumentReader): ContentPlan<BodyPlan> {
  const { source, schemas, request } = reader;
  const essence = mediaTypeEssence(type);
  const isLines = isLinesType(essence);
  const located = memberOf(media, isLines && media.part.itemSchema !== undefined ? "itemSchema" : "schema");
  const model = schemas.read(located, request);
  if (isLines && (model.kind === "unknown" || !isPlain(model))) {
    return {
      planned: { kind: "ndjson", contentType: unlessUsual(essence, "application/x-ndjson"), model },
      changes: [],
    };
  }
  const encoding = toObject(
    listMembers(source, memberOf(media, "encoding")).map(([name, each]) =>
      [name, resolvePart(source, each).part] as const
    ),
  );
  if (isJsonType(essence)) {
    return { planned: { kind: "json", contentType: toJsonType(type), model }, changes: [] };
  }
  const form = { model, encoding, place: located.place };
  if (essence === "application/x-www-form-urlencoded") return planForm({ kind: "form", ...form }, reader);
  if (essence === "multipart/form-data") return planForm({ kind: "formData", ...form }, reader);
  return {
    planned: isTextType(essence)
      ? { kind: "text", contentType: unlessUsual(type, "text/plain"), model: unknown }
      : { kind: "bytes", contentType: unlessUsual(essence, "application/octet-stream"), model: unknown },
    changes: isPlain(model) ? [] : [`the body is ${essence}, whose schema is not declared`],
  };
}

/** A response of an operation, with the reference that it has in the document. */
export interface DocumentResponse {
  readonly status: string;
  readonly reference: string | undefined;
  readonly response: ResponsePlan;
}

/** Plans the responses of an operation. */
export function planResponses(operation: Operation, reader: DocumentReader): Planned<readonly DocumentResponse[]> {
  const changes = new Set<string>(); // several responses may have one header that is text
  const planned: DocumentResponse[] = [];
  for (const [name, located] of listMembers(reader.source, memberOf(operation, "responses"))) {
    if (name.startsWith("x-")) continue;
    const status = /^[1-5]xx$/i.test(name) ? name.toUpperCase() : name;
    const socket = status === "101"
      ? planSocket(resolvePart(reader.source, located), operation.method, reader)
      : undefined;
    if (socket) {
      for (const change of socket.changes) changes.add(change);
      planned.push({ status, reference: undefined, response: socket.planned });
      continue;
    }
    if (!/^([2-5]\d\d|[2-5]XX|default)$/.test(status)) {
      changes.add(`the response ${name} is not declared`);
      continue;
    }
    const { $ref } = toPart(located.value);
    const response = planResponse(status, resolvePart(reader.source, located), operation.method, reader);
    for (const change of response.changes) changes.add(change);
    planned.push({ status, reference: typeof $ref === "string" ? $ref : undefined, response: response.planned });
  }
  if (planned.length > 0) return { planned, changes: [...changes] };
  const response = {
    kind: "bytes",
    contentType: "*/*",
    model: unknown,
    headers: undefined,
    description: undefined,
  } as const;
  return {
    planned: [{ status: "200", reference: undefined, response }],
    changes: [...changes, "it has no responses; 200 with any content is declared"],
  };
}

function planResponse(
  status: string,
  response: LocatedPart,
  method: string,
  reader: DocumentReader,
): Planned<ResponsePlan> {
  const { source, options } = reader;
  const headers = planResponseHeaders(status, response, reader);
  const contents = contentsOf(source, response);
  const type = chooseMediaType(contents.map((each) => each.type), `response ${status}`, options.prefer);
  const media = contents.find((each) => each.type === type.planned);
  const isBodiless = isBodilessStatus(status);
  const content: ContentPlan<ResponsePlan> = media === undefined || isBodiless
    ? {
      planned: { kind: "empty", contentType: undefined, model: unknown },
      changes: media === undefined ? [] : [`the response ${status} has no content`],
    }
    : planResponseContent(media, { type: media.type, status, isHead: method === "head" }, reader);
  return {
    planned: { ...content.planned, headers: headers.planned, description: toText(response.part.description) },
    changes: [...headers.changes, ...type.changes, ...content.changes],
  };
}

/** Tests whether responses of a status have no content. */
export function isBodilessStatus(status: string): boolean {
  return ["204", "205", "304"].includes(status);
}

function planResponseContent(
  media: LocatedPart,
  { type, status, isHead }: { readonly type: string; readonly status: string; readonly isHead: boolean },
  reader: DocumentReader,
): ContentPlan<ResponsePlan> {
  const essence = mediaTypeEssence(type);
  const located = memberOf(media, media.part.itemSchema === undefined ? "schema" : "itemSchema");
  if (essence === "text/event-stream" && !isHead) {
    const { planned: data, changes } = findData(located, status, reader);
    return { planned: { kind: "sse", contentType: undefined, model: reader.schemas.read(data, "output") }, changes };
  }
  const model = reader.schemas.read(located, "output");
  const plan = (kind: ResponsePlan["kind"], contentType: string | undefined, of: Model, ...changes: string[]) => ({
    planned: { kind, contentType, model: of },
    changes,
  });
  if (isLinesType(essence) && !isHead) return plan("ndjson", unlessUsual(essence, "application/x-ndjson"), model);
  if (isJsonType(essence) && model.kind !== "file") return plan("json", toJsonType(type), model);
  if (essence === "*/*" && !["file", "unknown", "string"].includes(model.kind)) {
    return plan("json", undefined, model, `the response ${status} is application/json, not */*`);
  }
  const changes = isPlain(model) ? [] : [`the response ${status} is ${essence}, whose schema is not declared`];
  return isTextType(essence)
    ? plan("text", unlessUsual(essence, "text/plain"), unknown, ...changes)
    : plan("bytes", unlessUsual(essence, "application/octet-stream"), unknown, ...changes);
}

/** Returns the schema of the data of events. Documents describe them as objects, or only their data. */
function findData(located: Located, status: string, { source }: DocumentReader): Planned<Located> {
  const { part, place } = resolvePart(source, located);
  const { data, ...others } = toPart(part.properties);
  if (data === undefined || Object.keys(others).some((name) => !["event", "id", "retry"].includes(name))) {
    return { planned: located, changes: [] };
  }
  const { contentMediaType, contentSchema } = toPart(data);
  if (contentMediaType === "application/json") {
    return {
      planned: { value: contentSchema, place: below(place, "properties", "data", "contentSchema") },
      changes: [],
    };
  }
  return {
    planned: { value: data, place: below(place, "properties", "data") },
    changes: [`the events of the response ${status} declare their data, not their other fields`],
  };
}
