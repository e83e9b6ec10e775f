/** Dates of an import: which values of its plan are converted, and which stay text. */
import { spend } from "../json_schema/steps.ts";
import { Names } from "./names.ts";
import type { ImportPlan, PlannedSchema, ResponsePlan, RoutePlan } from "./plan.ts";
import { type Model, type ObjectModel, partsOf } from "./model.ts";

/** Returns the type of a schema by its key. */
type ModelOf = (key: string) => Model;

/** Whether a value is a `Date` in the program or the text of the document. */
type Form = "date" | "text";

/**
 * Converts the dates of bodies. Parameters, headers and forms keep text: a schema that they share with a body becomes
 * two.
 */
export function withDates(plan: ImportPlan): ImportPlan {
  const schemas = new Map(plan.schemas.map((schema) => [schema.key, schema]));
  const modelOf: ModelOf = (key) => schemas.get(key)!.model;
  const dated = datedSchemas(plan.schemas, modelOf);
  const used: Record<Form, Set<string>> = { date: new Set(), text: new Set() };

  const convert = <Of extends Model>(model: Of, form: Form): Of => convertModel(model, form) as Of; // of the same kind
  const convertModel = (model: Model, form: Form): Model => {
    switch (model.kind) {
      case "string":
        return form === "date" && isDate(model) ? { ...model, isDate: true } : model;
      case "reference": {
        const own = dated.has(model.key) ? form : "date";
        used[own].add(model.key);
        return own === "date" ? model : { ...model, key: textKey(model.key) };
      }
      case "array":
        return { ...model, items: convert(model.items, form) };
      case "tuple":
        return {
          ...model,
          items: model.items.map((item) => convert(item, form)),
          rest: model.rest && convert(model.rest, form),
        };
      case "object":
        return {
          ...model,
          properties: model.properties.map((each) => ({ ...each, model: convert(each.model, form) })),
          others: typeof model.others === "object" ? convert(model.others, form) : model.others,
        };
      case "union":
        return { ...model, members: model.members.map((member) => convert(member, form)) };
      case "intersection": {
        const own = isMergeable(model.members, modelOf) ? form : "text";
        return { ...model, members: model.members.map((member) => convert(member, own)) };
      }
      default:
        return model;
    }
  };
  const toText = (model: ObjectModel | undefined) => model && convert(model, "text");
  const convertResponse = (response: ResponsePlan): ResponsePlan => ({
    ...response,
    model: convert(response.model, "date"),
    headers: toText(response.headers),
  });
  const convertRoute = (route: RoutePlan): RoutePlan => ({
    ...route,
    params: toText(route.params),
    query: toText(route.query),
    headers: toText(route.headers),
    body: route.body &&
      { ...route.body, model: convert(route.body.model, route.body.kind === "json" ? "date" : "text") },
    responses: route.responses.map(([status, each]) =>
      [status, typeof each === "string" ? each : convertResponse(each)] as const
    ),
  });

  const groups = plan.groups.map((group) => ({ ...group, routes: group.routes.map(convertRoute) }));
  const responses = plan.responses.map(({ response, ...rest }) => ({ ...rest, response: convertResponse(response) }));
  const written: Record<Form, Map<string, Model>> = { date: new Map(), text: new Map() };
  for (let before = -1; before < written.date.size + written.text.size;) {
    before = written.date.size + written.text.size;
    for (const form of ["date", "text"] as const) {
      for (const key of used[form]) { // which grows
        if (!written[form].has(key)) written[form].set(key, convert(modelOf(key), form));
      }
    }
  }
  const names = new Names([
    ...plan.schemas.map(({ identifier }) => identifier),
    ...plan.responses.map(({ identifier }) => identifier),
  ]);
  return {
    ...plan,
    groups,
    responses,
    schemas: plan.schemas.flatMap((schema): PlannedSchema[] => {
      const { key, identifier } = schema;
      const [text, date] = [written.text.get(key), written.date.get(key)];
      const own = date && {
        ...schema,
        model: date,
        hasDates: dated.has(key),
        ...(dated.has(key) && schema.isCyclic && { jsonIdentifier: names.take(`${identifier}Json`) }),
      };
      const name = own ? names.take(`${identifier}Text`) : identifier;
      return [
        ...(text ? [{ ...schema, key: textKey(key), identifier: name, model: text }] : []),
        ...(own ? [own] : []),
      ];
    }),
  };
}

/** Returns whether the values of a type contain a date. */
export function hasDates(model: Model, schemas: ReadonlyMap<string, PlannedSchema>): boolean {
  if (model.kind === "reference") return schemas.get(model.key)?.hasDates === true;
  return model.kind === "string" ? model.isDate === true : partsOf(model).some((part) => hasDates(part, schemas));
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

/** Returns the keys of the schemas that contain a date. */
function datedSchemas(schemas: readonly PlannedSchema[], modelOf: ModelOf): ReadonlySet<string> {
  const dated = new Set<string>();
  const reaches = (model: Model): boolean =>
    isDate(model) ||
    (model.kind === "reference" && dated.has(model.key)) ||
    ((model.kind !== "intersection" || isMergeable(model.members, modelOf)) && partsOf(model).some(reaches));
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
  const found: ObjectModel[] = [];
  const waiting = new Set([model]);
  for (const each of waiting) { // which grows
    spend(1 / 10);
    if (each.kind === "object" && each.others === "ignored") found.push(each);
    else if (each.kind === "reference") waiting.add(modelOf(each.key));
    else if (each.kind !== "union") return undefined;
    else for (const member of each.members) waiting.add(member);
  }
  return found;
}

/** Returns whether the properties that two objects share are the same. */
function agrees(one: ObjectModel, other: ObjectModel): boolean {
  const models = new Map(other.properties.map(({ name, model }) => [name, JSON.stringify(model)]));
  return one.properties.every(({ name, model }) =>
    (models.get(name) ?? JSON.stringify(model)) === JSON.stringify(model)
  );
}
