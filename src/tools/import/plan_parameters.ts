/** Plans the parameters of operations, and the headers of responses. */
import {
  below,
  listMembers,
  listParameters,
  type LocatedPart,
  memberOf,
  type Operation,
  resolvePart,
} from "../openapi/operations.ts";
import { toOneLine } from "../../messages.ts";
import { isToken } from "../../wire/headers.ts";
import { mediaTypeEssence } from "../../wire/media_type.ts";
import {
  type Content,
  formOf,
  isExploded,
  isStyle,
  planSimple,
  spread,
  toList,
  toStyled,
  withNamedDefault,
  withNotesOf,
  withoutIdleDefault,
  withoutParts,
} from "./fields.ts";
import { isJsonType } from "./media_types.ts";
import type { ImportedPath, PathParameter } from "./path.ts";
import { toText } from "../openapi/part.ts";
import { type DocumentReader, joinPlanned, type Planned } from "./plan.ts";
import type { Model, ObjectModel, Property } from "./model.ts";
import type { Source } from "./source.ts";
import { isAnyText, isOfModel, isSame, toOneText, toSentText, toTextModel, withoutDefault } from "./text_model.ts";

/** A parameter of an operation. */
export interface Parameter extends LocatedPart {
  readonly name: string;
  /** Its content, if that has a media type of its own. */
  readonly content: Content | undefined;
}

/** The properties of a slot. */
type Properties = Planned<readonly Property[]>;

/** Reads the parameters of an operation, including those of its path, which its own replace. */
export function readParameters(source: Source, operation: Operation): Planned<readonly Parameter[]> {
  const changes: string[] = [];
  const parameters = listParameters(source, operation, (one, other) => {
    changes.push(`the header ${toOneLine(one)} is also declared as ${toOneLine(other)}; it is one`);
  });
  const planned = parameters.map(({ part, place }) => {
    const [content] = contentsOf(source, { part, place });
    return { part, place, name: String(part.name), content };
  });
  return { planned, changes };
}

/** Returns the content of a part by media type. The part, its content and each media type may be references. */
export function contentsOf(source: Source, located: LocatedPart): Content[] {
  return listMembers(source, memberOf(located, "content")).map(([type, each]) => ({
    type,
    ...resolvePart(source, each),
  }));
}

/** Reads the schema of a parameter as text. */
function readText({ part, place, content }: Parameter, { schemas, reporter, request }: DocumentReader): Planned<Model> {
  const located = memberOf(content ?? { part, place }, "schema");
  const text = toTextModel(schemas.read(located, request), { schemas, reporter, hasFiles: false });
  const model = withNotesOf(withNamedDefault(text, schemas), part);
  const fallback = model.default;
  if (fallback === undefined || isOfModel(model, fallback, schemas)) return { planned: model, changes: [] };
  return {
    planned: withoutDefault(model),
    changes: fallback === null ? [] : [`the default of ${part.name} is not declared: ${JSON.stringify(fallback)}`],
  };
}

/** Returns the property of a parameter that is JSON. `undefined` for another one. */
function planJson(
  { part, content }: Parameter,
  name: string,
  { schemas, request }: DocumentReader,
): Property | undefined {
  if (content === undefined || !isJsonType(mediaTypeEssence(content.type))) return undefined;
  const model = withNotesOf(withoutDefault(schemas.read(memberOf(content, "schema"), request)), part);
  return { name, model, isRequired: part.in === "path" || part.required === true, style: "json" };
}

/** Plans the parameters of a path. */
export function planParams(
  { parameters: segments }: ImportedPath,
  parameters: readonly Parameter[],
  reader: DocumentReader,
): Planned<ObjectModel | undefined> {
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
    return { planned, changes: [...renamed, ...changes] };
  })));
}

/** Plans a segment of one parameter. */
function planSegment(
  { name, pattern }: PathParameter,
  declared: Parameter | undefined,
  reader: DocumentReader,
): Properties {
  const { schemas } = reader;
  const json = declared && pattern === undefined ? planJson(declared, name, reader) : undefined;
  if (json) return { planned: [json], changes: [] };
  const given: Model = declared ? readText(declared, reader).planned : { kind: "string" };
  const read = withoutDefault(given);
  if (declared && given.default !== undefined) {
    reader.reporter.add("unchecked", below(declared.place, "schema", "default"), "the default of a path parameter");
  }
  const text = toOneText(read, schemas);
  if (pattern !== undefined) { // there is text around it
    const model: Model = text.kind === "unknown" ? { kind: "string" } : text;
    const changes = isSame(text, read) ? [] : [`the parameter ${name} is one text`];
    return { planned: [{ name, model, isRequired: true, style: pattern }], changes };
  }
  const { style = "simple", explode } = declared?.part ?? {};
  const { planned, changes } = style === "simple"
    ? planSimple(read, `parameter ${name}`, schemas)
    : { planned: { model: text }, changes: [`the parameter ${name} is one text, in the style ${style}`] };
  const isDeclared = planned.style !== undefined || !isAnyText(planned.model);
  const told = style === "simple" && explode === true
    ? [
      `the parameter ${name} is one text, exploded`,
      ...changes.filter((change) => change !== `the parameter ${name} is one text`),
    ]
    : changes;
  return { planned: isDeclared ? [{ name, ...planned, isRequired: true }] : [], changes: told };
}

/** Plans a segment of several parameters. With many, each ends where the next text begins, to test them in time. */
function planTemplate({ name, parts, pattern }: PathParameter): Properties {
  const property: Property = { name, model: toTemplate(parts), isRequired: true, ...(pattern && { style: pattern }) };
  const text = parts.map((part) => typeof part === "string" ? part : `{${part.parameter}}`).join("");
  return { planned: [property], changes: [`the segment ${text} is one parameter, :${name}`] };
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

/** Plans the headers of requests. */
export function planHeaders(
  parameters: readonly Parameter[],
  reader: DocumentReader,
): Planned<ObjectModel | undefined> {
  const ignored = ["accept", "content-type", "authorization"]; // the document must not describe them as parameters
  const headers = parameters.filter(({ part, name }) => part.in === "header" && !ignored.includes(name.toLowerCase()));
  const cookies = parameters.filter(({ part }) => part.in === "cookie").map(({ name }) => JSON.stringify(name));
  const { planned, changes } = joinPlanned(headers.map((each) => planHeader(each, reader)));
  return toSlot({ planned, changes: [...changes, ...cookies.map((name) => `the cookie ${name} is not declared`)] });
}

function planHeader(parameter: Parameter, reader: DocumentReader): Properties {
  const name = parameter.name.toLowerCase();
  if (!isToken(name) || name === "cookie") {
    return { planned: [], changes: [`the header ${JSON.stringify(parameter.name)} is not declared`] };
  }
  const json = planJson(parameter, name, reader);
  if (json) return { planned: [json], changes: [] };
  const { part: { style = "simple", required } } = parameter;
  const isRequired = required === true;
  if (style !== "simple") {
    const model = withNotesOf({ kind: "string" }, parameter.part);
    return {
      planned: [{ name, model, isRequired }],
      changes: [`the header ${name} is one text, in the style ${style}`],
    };
  }
  const read = readText(parameter, reader);
  const { planned, changes } = planSimple(read.planned, `header ${name}`, reader.schemas);
  return { planned: [{ name, ...planned, isRequired }], changes: [...read.changes, ...changes] };
}

/** Plans the parameters of the query. Of two with one name, the last is declared. */
export function planQuery(parameters: readonly Parameter[], reader: DocumentReader): Planned<ObjectModel | undefined> {
  const inQuery = parameters.filter(({ part }) => part.in === "query");
  const { planned, changes } = joinPlanned(inQuery.map((each) => planQueryParameter(each, reader)));
  const hasWhole = parameters.some(({ part }) => part.in === "querystring");
  return toSlot(withoutParts({
    planned: [...new Map(planned.map((property) => [property.name, property])).values()],
    changes: [...changes, ...(hasWhole ? ["the query as a whole is not declared"] : [])],
  }));
}

function planQueryParameter(parameter: Parameter, reader: DocumentReader): Properties {
  const { name, part } = parameter;
  const { schemas } = reader;
  const json = planJson(parameter, name, reader);
  if (json) return { planned: [json], changes: [] };
  const isRequired = part.required === true;
  const read = readText(parameter, reader);
  const isFilled = part.allowEmptyValue === true && !isAnyText(read.planned);
  const { planned: model, changes } = isExploded(part)
    ? { planned: read.planned, changes: [] }
    : toList(read.planned, `query parameter ${name}`, schemas);
  const told = [
    ...read.changes,
    ...(isFilled ? [`the query parameter ${name} is never empty, which allowEmptyValue allows`] : []),
    ...changes,
  ];
  const target = schemas.resolve(model);
  const form = formOf(parameter, target, schemas);
  if (form === undefined) {
    const text = toOneText(model, schemas, true);
    if (!isSame(text, model)) told.push(`the query parameter ${name} is text`);
    return { planned: [{ name, model: text, isRequired }], changes: told };
  }
  if (isStyle(form)) {
    return { planned: [{ name, model: toStyled(model, form, schemas), isRequired, style: form }], changes: told };
  }
  if (form === "properties") {
    reader.reporter.add("unpublished", parameter.place, "its properties are parameters of their own");
    const { planned, changes: lost } = spread(target as ObjectModel, isRequired, schemas); // formOf() has seen it
    return { planned, changes: [...told, ...lost] };
  }
  return {
    planned: [{ name, model: withNotesOf({ kind: "string" }, part), isRequired }],
    changes: [...told, `the query parameter ${name} is one text, ${form}`],
  };
}

/** Fields of a connection (RFC 9110, section 7.6.1). */
const ofConnection: readonly string[] = ["connection", "keep-alive", "trailer", "transfer-encoding", "upgrade"];

/** Plans the headers of a response, which arrive as text. */
export function planResponseHeaders(
  status: string,
  response: LocatedPart,
  { schemas, source }: DocumentReader,
): Planned<ObjectModel | undefined> {
  const properties = new Map<string, Property>();
  const changes: string[] = [];
  for (const [header, located] of listMembers(source, memberOf(response, "headers"))) {
    const name = header.toLowerCase();
    if (!isToken(name) || name === "content-type" || name === "set-cookie") continue;
    if (ofConnection.includes(name) && !(name === "upgrade" && status === "426")) {
      changes.push(`the header ${name} of responses is not declared, because the server decides it`);
      continue;
    }
    const { part, place } = resolvePart(source, located);
    const [content] = contentsOf(source, { part, place });
    const read = schemas.read(memberOf(content ?? { part, place }, "schema"), "output");
    const sent = toSentText(read, schemas);
    if (!sent) changes.push(`the header ${name} of responses is text`);
    const earlier = properties.get(name);
    if (earlier) changes.push(`the header ${name} of the response ${status} is declared twice; it is one`);
    if (earlier?.isRequired) continue;
    const model = withNotesOf(sent ?? { kind: "string" }, {
      description: toText(part.description) ?? read.description,
    });
    properties.set(name, { name, model, isRequired: part.required === true });
  }
  return toSlot({ planned: [...properties.values()], changes });
}

function toSlot({ planned, changes }: Properties): Planned<ObjectModel | undefined> {
  const slot: ObjectModel = { kind: "object", properties: planned.map(withoutIdleDefault), others: "ignored" };
  return { planned: planned.length === 0 ? undefined : slot, changes };
}
