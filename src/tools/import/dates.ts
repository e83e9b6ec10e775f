/** Dates of an import: which values of its plan are converted, and which stay text. */
import { Names } from "../code/names.ts";
import type { GroupPlan, ImportPlan, MessagePlan, PlannedSchema, ResponsePlan, RoutePlan } from "./plan.ts";
import {
  behind,
  innerModels,
  mapInner,
  type Model,
  modelAlternatives,
  type ModelOf,
  type ObjectModel,
} from "./model.ts";

/** Whether a value is a `Date` in the program or the text of the document. */
type Form = "date" | "text";

interface Conversion {
  readonly modelOf: ModelOf;
  /** The keys of the schemas that contain a date. */
  readonly dated: ReadonlySet<string>;
  /** The keys of the schemas that converted types refer to, in each form. Converting adds to them. */
  readonly used: Readonly<Record<Form, Set<string>>>;
}

/**
 * Converts the dates of bodies. Parameters, headers and forms keep text: a schema that they share with a body becomes
 * two.
 */
export function withDates(plan: ImportPlan): ImportPlan {
  const schemas = new Map(plan.schemas.map((schema) => [schema.key, schema]));
  const modelOf: ModelOf = (key) => schemas.get(key)!.model;
  const dated = datedSchemas(plan.schemas, modelOf);
  const conversion: Conversion = { modelOf, dated, used: { date: new Set(), text: new Set() } };
  const convertGroup = (group: GroupPlan): GroupPlan => ({
    ...group,
    routes: group.routes.map((route) => convertRoute(route, conversion)),
  });
  const groups = plan.groups.map(convertGroup);
  const webhooks = plan.webhooks && convertGroup(plan.webhooks);
  const responses = plan.responses.map(({ response, ...rest }) => ({
    ...rest,
    response: convertResponse(response, conversion),
  }));
  const written = convertUsed(conversion);
  const names = new Names([
    ...plan.schemas.map(({ identifier }) => identifier),
    ...plan.responses.map(({ identifier }) => identifier),
  ]);
  return {
    ...plan,
    groups,
    webhooks,
    responses,
    schemas: plan.schemas.flatMap((schema) => toForms(schema, written, dated.has(schema.key), names)),
  };
}

function convertRoute(route: RoutePlan, conversion: Conversion): RoutePlan {
  const { params, query, headers, body, responses } = route;
  return {
    ...route,
    params: params && convert(params, "text", conversion),
    query: query && convert(query, "text", conversion),
    headers: headers && convert(headers, "text", conversion),
    body: body && {
      ...body,
      model: convert(body.model, body.kind === "json" || body.kind === "ndjson" ? "date" : "text", conversion),
    },
    responses: responses.map(([status, each]) =>
      [status, typeof each === "string" ? each : convertResponse(each, conversion)] as const
    ),
  };
}

function convertResponse(response: ResponsePlan, conversion: Conversion): ResponsePlan {
  const { model, headers, socket } = response;
  const convertMessages = (messages: MessagePlan): MessagePlan => ({
    ...messages,
    model: convert(messages.model, "date", conversion),
  });
  return {
    ...response,
    ...(socket && {
      socket: {
        ...socket,
        fromClient: convertMessages(socket.fromClient),
        fromServer: convertMessages(socket.fromServer),
      },
    }),
    model: convert(model, "date", conversion),
    headers: headers && convert(headers, "text", conversion),
  };
}

function convert<Of extends Model>(model: Of, form: Form, conversion: Conversion): Of;
function convert(model: Model, form: Form, conversion: Conversion): Model { // returns one of the same kind
  const { modelOf, dated, used } = conversion;
  switch (model.kind) {
    case "string":
      return form === "date" && isDate(model) ? { ...model, isDate: true } : model;
    case "reference": {
      const own = dated.has(model.key) ? form : "date";
      used[own].add(model.key);
      return own === "date" ? model : { ...model, key: textKey(model.key) };
    }
    default: {
      const own = model.kind !== "intersection" || isMergeable(model.members, modelOf) ? form : "text";
      return mapInner(model, (part) => convert(part, own, conversion));
    }
  }
}

type WrittenForms = Readonly<Record<Form, ReadonlyMap<string, Model>>>;

/** Converts the schemas that are used, and those that these use. */
function convertUsed(conversion: Conversion): WrittenForms {
  const written: Record<Form, Map<string, Model>> = { date: new Map(), text: new Map() };
  for (let before = -1; before < written.date.size + written.text.size;) {
    before = written.date.size + written.text.size;
    for (const form of ["date", "text"] as const) {
      for (const key of conversion.used[form]) { // which grows
        if (!written[form].has(key)) written[form].set(key, convert(conversion.modelOf(key), form, conversion));
      }
    }
  }
  return written;
}

/** Returns a schema in the forms in which it is used. */
function toForms(schema: PlannedSchema, written: WrittenForms, hasDates: boolean, names: Names): PlannedSchema[] {
  const { key, identifier, isCyclic } = schema;
  const [text, date] = [written.text.get(key), written.date.get(key)];
  const jsonIdentifier = date && hasDates && isCyclic ? { jsonIdentifier: names.take(`${identifier}Json`) } : {};
  const name = date ? names.take(`${identifier}Text`) : identifier;
  return [
    ...(text ? [{ ...schema, key: textKey(key), identifier: name, model: text }] : []),
    ...(date ? [{ ...schema, model: date, hasDates, ...jsonIdentifier }] : []),
  ];
}

/** Returns whether the values of a type contain a date. */
export function hasDates(model: Model, schemas: ReadonlyMap<string, PlannedSchema>): boolean {
  if (model.kind === "reference") return schemas.get(model.key)?.hasDates === true;
  return model.kind === "string" ? model.isDate === true : innerModels(model).some((part) => hasDates(part, schemas));
}

/** Returns the key of a schema whose dates are text. */
function textKey(key: string): string {
  return `${key} as text`;
}

/** Returns whether a text is converted. With a further rule it stays text, because that of a `Date` may break it. */
function isDate(model: Model): boolean {
  return model.kind === "string" && (model.format === "date-time" || model.format === "date") &&
    model.pattern === undefined && model.minLength === undefined && model.maxLength === undefined;
}

function datedSchemas(schemas: readonly PlannedSchema[], modelOf: ModelOf): ReadonlySet<string> {
  const dated = new Set<string>();
  const reaches = (model: Model): boolean =>
    isDate(model) ||
    (model.kind === "reference" && dated.has(model.key)) ||
    ((model.kind !== "intersection" || isMergeable(model.members, modelOf)) && innerModels(model).some(reaches));
  for (let before = -1; before < dated.size;) {
    before = dated.size;
    for (const { key, model } of schemas) if (reaches(model)) dated.add(key);
  }
  return dated;
}

/**
 * Returns whether the values that several schemas return can be joined again. Zod refuses to join a `Date` with the
 * text that another schema returns for the same property.
 */
function isMergeable(members: readonly Model[], modelOf: ModelOf): boolean {
  const objects = members.map((member) => objectsOf(member, modelOf));
  const known: ObjectModel[] = [];
  for (const own of objects) {
    if (own === undefined || own.some((each) => known.some((other) => !agrees(each, other)))) return false;
    known.push(...own);
  }
  return true;
}

/** Returns the objects that a type can be, if all of them return only their own properties. Otherwise `undefined`. */
function objectsOf(model: Model, modelOf: ModelOf): readonly ObjectModel[] | undefined {
  const found = [...modelAlternatives(model, (each) => behind(each, modelOf))];
  const isPlain = (each: Model | undefined): each is ObjectModel =>
    each?.kind === "object" && each.others === "ignored";
  return found.every(isPlain) ? found : undefined;
}

/** Returns whether the properties that two objects share are the same. */
function agrees(one: ObjectModel, other: ObjectModel): boolean {
  const models = new Map(other.properties.map(({ name, model }) => [name, JSON.stringify(model)]));
  return one.properties.every(({ name, model }) =>
    (models.get(name) ?? JSON.stringify(model)) === JSON.stringify(model)
  );
}
