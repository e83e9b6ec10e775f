/** What a plan declares. One walk tells it to a target, which calls the functions of the toolkit, or writes the calls. */
import { type Model, type ObjectModel, stylesIn } from "./model.ts";
import {
  type BodyPlan,
  hasSchema,
  mapSecurity,
  type MessagePlan,
  rankStatus,
  type ResponsePlan,
  type RoutePlan,
  type SecurityPlan,
  type SocketPlan,
} from "./plan.ts";

/** Where the values of a schema are: fields of text, fields of text that are sent, a form with files, or a whole value. */
export type ValuePlace = "fields" | "sent" | "files" | "value";

/** Declares, as values or as code. */
export interface DeclarationTarget<Out> {
  readonly schema: (model: Model, place: ValuePlace) => Out;
  /** Calls a function of `request` or `response`. */
  readonly declare: (side: "request" | "response", kind: string, args: readonly Out[]) => Out;
  /** Calls another function of the toolkit. */
  readonly call: (name: "styled" | "security.all", args: readonly Out[]) => Out;
  readonly literal: (value: unknown) => Out;
  /** Returns an object of the members that there are. */
  readonly object: (members: Readonly<Record<string, Out | undefined>>) => Out;
  readonly list: (items: readonly Out[]) => Out;
  /** Returns an object of texts by numbers. */
  readonly numbered: (texts: Readonly<Record<string, string>>) => Out;
  /** Returns responses by status. Those of ranges come first. */
  readonly responses: (entries: readonly (readonly [status: string, response: Out])[]) => Out;
  /** Returns a response that several routes share. */
  readonly shared: (identifier: string) => Out;
  readonly scheme: (identifier: string, scopes: readonly string[]) => Out;
  readonly noSecurity: () => Out;
  /** Returns prose; nothing if it stands in comments. */
  readonly prose: (text: string | undefined) => Out | undefined;
}

/** Declares the options of a route. */
export function declareOptions<Out>(plan: RoutePlan, to: DeclarationTarget<Out>): Out {
  const { body, security, tags, operationId } = plan;
  const fields = (model: ObjectModel | undefined) => model && declareSchema(model, "fields", to);
  const docs = details({
    summary: to.prose(plan.summary),
    description: to.prose(plan.description),
    operationId: literal(operationId, to),
    tags: literal(tags.length > 0 ? tags : undefined, to),
  }, to);
  return to.object({
    trailingSlash: literal(plan.hasTrailingSlash || undefined, to),
    params: fields(plan.params),
    query: fields(plan.query),
    headers: fields(plan.headers),
    body: body && declareBody(body, to),
    responses: declareResponses(plan.responses, to),
    security: security && declareSecurity(security, to),
    deprecated: literal(plan.deprecated || undefined, to),
    docs: docs[0],
  });
}

/** Returns the schema of values, with the styles of its fields. */
function declareSchema<Out>(model: Model, place: ValuePlace, to: DeclarationTarget<Out>): Out {
  const schema = to.schema(model, place);
  const styles = model.kind === "object" ? stylesIn(model) : undefined;
  return styles ? to.call("styled", [schema, to.literal(styles)]) : schema;
}

function declareBody<Out>(
  { kind, contentType, isOptional, maxBytes, model }: BodyPlan,
  to: DeclarationTarget<Out>,
): Out {
  const place = kind === "formData" ? "files" : kind === "form" ? "fields" : "value";
  const options = { contentType, optional: isOptional || undefined, maxBytes };
  return to.declare("request", kind, [
    ...(hasSchema(kind) ? [declareSchema(model, place, to)] : []),
    ...details(mapLiterals(options, to), to),
  ]);
}

/** Ranges come first, because statuses of their own replace those. */
function declareResponses<Out>(responses: RoutePlan["responses"], to: DeclarationTarget<Out>): Out {
  const sorted = responses.toSorted(([one], [other]) => rankStatus(one) - rankStatus(other));
  return to.responses(
    sorted.map(([status, each]) => [status, typeof each === "string" ? to.shared(each) : declareResponse(each, to)]),
  );
}

/** Declares a response. */
export function declareResponse<Out>(
  { kind, contentType, model, headers, description, socket }: ResponsePlan,
  to: DeclarationTarget<Out>,
): Out {
  if (socket) return declareSocket(socket, description, to);
  return to.declare("response", kind, [
    ...(hasSchema(kind) ? [to.schema(model, "value")] : []),
    ...details({
      contentType: literal(contentType, to),
      description: to.prose(description),
      headers: headers && to.schema(headers, "sent"),
    }, to),
  ]);
}

function declareSocket<Out>(
  { fromClient, fromServer, closes, protocols, maxMessageBytes }: SocketPlan,
  description: string | undefined,
  to: DeclarationTarget<Out>,
): Out {
  const messages = ({ kind, model }: MessagePlan, side: "request" | "response"): Out =>
    kind === "json" ? to.schema(model, "value") : to.declare(side, kind, []);
  return to.declare("response", "socket", [to.object({
    fromClient: messages(fromClient, "request"),
    fromServer: messages(fromServer, "response"),
    closes: Object.keys(closes).length > 0 ? to.numbered(closes) : undefined,
    ...mapLiterals({ protocols, maxMessageBytes }, to),
    description: to.prose(description),
  })]);
}

/** Declares the alternatives of a route or a contract. */
export function declareSecurity<Out>(plan: SecurityPlan, to: DeclarationTarget<Out>): Out {
  return to.list(mapSecurity<Out>(plan, {
    none: to.noSecurity,
    all: (entries) => to.call("security.all", entries),
    scheme: ({ identifier, scopes }) => to.scheme(identifier, scopes),
  }));
}

/** Returns the argument with options; none if there are none. */
function details<Out>(members: Readonly<Record<string, Out | undefined>>, to: DeclarationTarget<Out>): Out[] {
  return Object.values(members).some((each) => each !== undefined) ? [to.object(members)] : [];
}

function literal<Out>(value: unknown, to: DeclarationTarget<Out>): Out | undefined {
  return value === undefined ? undefined : to.literal(value);
}

function mapLiterals<Out>(members: object, to: DeclarationTarget<Out>): Record<string, Out | undefined> {
  return Object.fromEntries(Object.entries(members).map(([name, each]) => [name, literal(each, to)]));
}
