/** Plans the parameters of operations, and the headers of responses. */
import { below } from "../openapi/operations.ts";
import { toOneLine } from "../../messages.ts";
import { isToken } from "../../wire/headers.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import {
  formOf,
  isExploded,
  isStyle,
  planSimple,
  spread,
  toListModel,
  toStyled,
  withNamedDefault,
  withNotesOf,
  withoutIdleDefault,
  withoutParts,
} from "./fields.ts";
import { isJsonType } from "./media_types.ts";
import type { ImportedPath, PathParameter } from "./path.ts";
import { ignoredHeaders } from "../openapi/parameters.ts";
import { toText } from "../openapi/part.ts";
import type { BodyPlan, DocumentReader } from "./plan.ts";
import { joinPlanned, type Planned, toPlanned } from "./planned.ts";
import type { Model, ObjectModel, Property } from "./model.ts";
import { type Field, type Reply, schemaOf } from "./read_operation.ts";
import { isAnyText, isOfModel, isSameType, toOneText, toSentText, toTextModel, withoutDefault } from "./text_model.ts";

/** The properties of a slot. */
type Properties = Planned<readonly Property[]>;

/** The type of a slot; `undefined` if it has no properties. */
type Slot = Planned<ObjectModel | undefined>;

/** Reads the schema of a parameter as text. */
function readText(field: Field, { schemas, request }: DocumentReader): Planned<Model> {
  const { part } = field;
  const text = toTextModel(schemas.read(schemaOf(field), request), { schemas, hasFiles: false });
  const model = withNotesOf(withNamedDefault(text, schemas), part);
  const fallback = model.default;
  if (fallback === undefined || isOfModel(model, fallback, schemas)) return toPlanned(model);
  const lost = fallback === null ? [] : [`the default of ${part.name} is not declared: ${JSON.stringify(fallback)}`];
  return toPlanned(withoutDefault(model), ...lost);
}

/** Returns the property of a parameter that is JSON. `undefined` for another one. */
function planJson(field: Field, name: string, { schemas, request }: DocumentReader): Properties | undefined {
  const { part, content } = field;
  if (content === undefined || !isJsonType(mediaTypeEssence(content.type))) return undefined;
  const model = withNotesOf(withoutDefault(schemas.read(schemaOf(field), request)), part);
  return toPlanned([{ name, model, isRequired: part.in === "path" || part.required === true, style: "json" }]);
}

/** Plans the parameters of a path. */
export function planParams(
  { parameters: segments }: ImportedPath,
  parameters: readonly Field[],
  reader: DocumentReader,
): Slot {
  const inPath = parameters.filter(({ part }) => part.in === "path");
  const used = new Set(segments.flatMap(({ parts }) => parts.map((part) => Object(part).parameter)));
  for (const { place } of inPath.filter((each) => !used.has(each.name))) {
    reader.reporter.add("unpublished", place, "the parameter, which the path does not have");
  }
  return toSlot(joinPlanned(segments.map((segment): Properties => {
    const { name, parts } = segment;
    if (parts.length > 1) return planTemplate(segment);
    const { parameter } = parts[0] as { parameter: string }; // a segment without one has no entry
    const { planned, changes } = planSegment(segment, inPath.find((each) => each.name === parameter), reader);
    const renamed = parameter === name ? [] : [`the parameter ${toOneLine(parameter)} is called ${name}`];
    return toPlanned(planned, ...renamed, ...changes);
  })));
}

/** Plans a segment of one parameter. */
function planSegment(
  { name, pattern }: PathParameter,
  declared: Field | undefined,
  reader: DocumentReader,
): Properties {
  const { schemas } = reader;
  const json = declared && pattern === undefined ? planJson(declared, name, reader) : undefined;
  if (json) return json;
  const given: Model = declared ? readText(declared, reader).planned : { kind: "string" };
  const read = withoutDefault(given);
  if (declared && given.default !== undefined) {
    const place = below(declared.place, "schema", "default");
    reader.reporter.add("unchecked", place, "the default of a path parameter");
  }
  const text = toOneText(read, schemas);
  const oneText = `the parameter ${name} is one text`;
  if (pattern !== undefined) { // there is text around it
    const model: Model = text.kind === "unknown" ? { kind: "string" } : text;
    return toPlanned([{ name, model, isRequired: true, style: pattern }], ...(isSameType(text, read) ? [] : [oneText]));
  }
  const { style = "simple", explode } = declared?.part ?? {};
  const isSimple = style === "simple";
  const { planned, changes } = isSimple
    ? planSimple(read, `parameter ${name}`, schemas)
    : toPlanned<Pick<Property, "model" | "style">>({ model: text }, `${oneText}, in the style ${style}`);
  const isDeclared = planned.style !== undefined || !isAnyText(planned.model);
  const told = isSimple && explode === true
    ? [`${oneText}, exploded`, ...changes.filter((change) => change !== oneText)]
    : changes;
  return toPlanned(isDeclared ? [{ name, ...planned, isRequired: true }] : [], ...told);
}

/** Plans a segment of several parameters. With many, each ends where the next text begins, to test them in time. */
function planTemplate({ name, parts, pattern }: PathParameter): Properties {
  const property: Property = { name, model: toTemplate(parts), isRequired: true, ...(pattern && { style: pattern }) };
  const text = parts.map((part) => typeof part === "string" ? part : `{${part.parameter}}`).join("");
  return toPlanned([property], `the segment ${text} is one parameter, :${name}`);
}

function toTemplate(parts: PathParameter["parts"]): Model {
  if (parts.filter((part) => typeof part !== "string").length <= 2) {
    return { kind: "template", parts: parts.map((part) => typeof part === "string" ? part : undefined) };
  }
  const escape = (text: string) => text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
  const pattern = parts.map((part, index) => {
    const next = parts[index + 1];
    if (typeof part === "string") return escape(part);
    return typeof next === "string" ? `[^${escape([...next][0]!)}]+` : "[^]+";
  });
  return { kind: "string", pattern: `^${pattern.join("")}$` };
}

/** Plans the headers of requests, which may have a body. */
export function planHeaders(
  parameters: readonly Field[],
  body: BodyPlan | undefined,
  reader: DocumentReader,
): Slot {
  const named = parameters.filter(({ part }) => part.in === "header").map((each) =>
    [each.name.toLowerCase(), each] as const
  ).filter(([name]) => !ignoredHeaders.has(name));
  const mayBeCoded = body === undefined || body.kind === "bytes";
  const headers = named.filter(([name]) => mayBeCoded || name !== "content-encoding");
  const coded = headers.length === named.length
    ? []
    : ["the header content-encoding is not declared: servers refuse coded bodies, but for bytes"];
  const cookies = parameters.filter(({ part }) => part.in === "cookie").map(({ name }) =>
    `the cookie ${JSON.stringify(name)} is not declared`
  );
  const { planned, changes } = joinPlanned(headers.map(([name, each]) => planHeader(name, each, reader)));
  return toSlot(toPlanned(planned, ...coded, ...changes, ...cookies));
}

function planHeader(name: string, field: Field, reader: DocumentReader): Properties {
  if (!isToken(name) || name === "cookie") {
    return toPlanned([], `the header ${JSON.stringify(field.name)} is not declared`);
  }
  const json = planJson(field, name, reader);
  if (json) return json;
  const { part: { style = "simple", required } } = field;
  const isRequired = required === true;
  if (style !== "simple") {
    const model = withNotesOf({ kind: "string" }, field.part);
    return toPlanned([{ name, model, isRequired }], `the header ${name} is one text, in the style ${style}`);
  }
  const read = readText(field, reader);
  const { planned, changes } = planSimple(read.planned, `header ${name}`, reader.schemas);
  return toPlanned([{ name, ...planned, isRequired }], ...read.changes, ...changes);
}

/** Plans the parameters of the query. Of two with one name, the last is declared. */
export function planQuery(parameters: readonly Field[], reader: DocumentReader): Slot {
  const inQuery = parameters.filter(({ part }) => part.in === "query");
  const { planned, changes } = joinPlanned(inQuery.map((each) => planQueryParameter(each, reader)));
  const hasWhole = parameters.some(({ part }) => part.in === "querystring");
  const properties = [...new Map(planned.map((property) => [property.name, property])).values()];
  const whole = hasWhole ? ["the query as a whole is not declared"] : [];
  return toSlot(withoutParts(toPlanned(properties, ...changes, ...whole)));
}

function planQueryParameter(field: Field, reader: DocumentReader): Properties {
  const { name, part } = field;
  const { schemas } = reader;
  const what = `the query parameter ${name}`;
  const json = planJson(field, name, reader);
  if (json) return json;
  const isRequired = part.required === true;
  const read = readText(field, reader);
  const isFilled = part.allowEmptyValue === true && !isAnyText(read.planned);
  const { planned: model, changes } = isExploded(part)
    ? toPlanned(read.planned)
    : toListModel(read.planned, `query parameter ${name}`, schemas);
  const told = [
    ...read.changes,
    ...(isFilled ? [`${what} is never empty, which allowEmptyValue allows`] : []),
    ...changes,
  ];
  const target = schemas.resolve(model);
  const form = formOf(field, target, schemas);
  if (form === undefined) {
    const text = toOneText(model, schemas, true);
    const lost = isSameType(text, model) ? [] : [`${what} is text`];
    return toPlanned([{ name, model: text, isRequired }], ...told, ...lost);
  }
  if (isStyle(form)) {
    return toPlanned([{ name, model: toStyled(model, form, schemas), isRequired, style: form }], ...told);
  }
  if (form === "properties") {
    reader.reporter.add("unpublished", field.place, "its properties are parameters of their own");
    const { planned, changes: lost } = spread(target as ObjectModel, isRequired, schemas); // formOf() has seen it
    return toPlanned(planned, ...told, ...lost);
  }
  const text = withNotesOf({ kind: "string" }, part);
  return toPlanned([{ name, model: text, isRequired }], ...told, `${what} is one text, ${form}`);
}

/** Fields of a connection (RFC 9110, section 7.6.1). */
const ofConnection: readonly string[] = ["connection", "keep-alive", "trailer", "transfer-encoding", "upgrade"];

/** Plans the headers of a response, which arrive as text. */
export function planResponseHeaders({ status, headers }: Reply, { schemas }: DocumentReader): Slot {
  const properties = new Map<string, Property>();
  const changes: string[] = [];
  for (const field of headers) {
    const { part } = field;
    const name = field.name.toLowerCase();
    if (!isToken(name) || name === "content-type" || name === "set-cookie") continue;
    if (ofConnection.includes(name) && !(name === "upgrade" && status === "426")) {
      changes.push(`the header ${name} of responses is not declared, because the server decides it`);
      continue;
    }
    const read = schemas.read(schemaOf(field), "output");
    const sent = toSentText(read, schemas);
    if (!sent) changes.push(`the header ${name} of responses is text`);
    const earlier = properties.get(name);
    if (earlier) changes.push(`the header ${name} of the response ${status} is declared twice; it is one`);
    if (earlier?.isRequired) continue;
    const description = toText(part.description) ?? read.description;
    const model = withNotesOf(sent ?? { kind: "string" }, { description });
    properties.set(name, { name, model, isRequired: part.required === true });
  }
  return toSlot(toPlanned([...properties.values()], ...changes));
}

function toSlot({ planned, changes }: Properties): Slot {
  const slot: ObjectModel = { kind: "object", properties: planned.map(withoutIdleDefault), others: "ignored" };
  return toPlanned(planned.length === 0 ? undefined : slot, ...changes);
}
