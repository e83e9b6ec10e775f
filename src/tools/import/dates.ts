/** Dates of an import: which values of its plan are converted, and which stay text. */
import { spend } from "../json_schema/steps.ts";
import { Names } from "./names.ts";
import type { ImportPlan, PlannedSchema, ResponsePlan, RoutePlan } from "./plan.ts";
import { type ObjectShape, partsOf, type Shape } from "./shape.ts";

/** Returns the type of a schema by its key. */
type ShapeOf = (key: string) => Shape;

/** Whether a value is a `Date` in the program or the text of the document. */
type Form = "date" | "text";

/**
 * Converts the dates of bodies. Parameters, headers and forms keep text: a schema that they share with a body becomes
 * two.
 */
export function withDates(plan: ImportPlan): ImportPlan {
  const schemas = new Map(plan.schemas.map((schema) => [schema.key, schema]));
  const shapeOf: ShapeOf = (key) => schemas.get(key)!.shape;
  const dated = datedSchemas(plan.schemas, shapeOf);
  const used: Record<Form, Set<string>> = { date: new Set(), text: new Set() };

  const convert = <Of extends Shape>(shape: Of, form: Form): Of => convertShape(shape, form) as Of; // of the same kind
  const convertShape = (shape: Shape, form: Form): Shape => {
    switch (shape.kind) {
      case "string":
        return form === "date" && isDate(shape) ? { ...shape, isDate: true } : shape;
      case "reference": {
        const own = dated.has(shape.key) ? form : "date";
        used[own].add(shape.key);
        return own === "date" ? shape : { ...shape, key: textKey(shape.key) };
      }
      case "array":
        return { ...shape, items: convert(shape.items, form) };
      case "tuple":
        return {
          ...shape,
          items: shape.items.map((item) => convert(item, form)),
          rest: shape.rest && convert(shape.rest, form),
        };
      case "object":
        return {
          ...shape,
          properties: shape.properties.map((each) => ({ ...each, shape: convert(each.shape, form) })),
          others: typeof shape.others === "object" ? convert(shape.others, form) : shape.others,
        };
      case "union":
        return { ...shape, members: shape.members.map((member) => convert(member, form)) };
      case "intersection": {
        const own = isMergeable(shape.members, shapeOf) ? form : "text";
        return { ...shape, members: shape.members.map((member) => convert(member, own)) };
      }
      default:
        return shape;
    }
  };
  const toText = (shape: ObjectShape | undefined) => shape && convert(shape, "text");
  const convertResponse = (response: ResponsePlan): ResponsePlan => ({
    ...response,
    shape: convert(response.shape, "date"),
    headers: toText(response.headers),
  });
  const convertRoute = (route: RoutePlan): RoutePlan => ({
    ...route,
    params: toText(route.params),
    query: toText(route.query),
    headers: toText(route.headers),
    body: route.body &&
      { ...route.body, shape: convert(route.body.shape, route.body.kind === "json" ? "date" : "text") },
    responses: route.responses.map(([status, each]) =>
      [status, typeof each === "string" ? each : convertResponse(each)] as const
    ),
  });

  const groups = plan.groups.map((group) => ({ ...group, routes: group.routes.map(convertRoute) }));
  const responses = plan.responses.map(({ response, ...rest }) => ({ ...rest, response: convertResponse(response) }));
  const written: Record<Form, Map<string, Shape>> = { date: new Map(), text: new Map() };
  for (let before = -1; before < written.date.size + written.text.size;) {
    before = written.date.size + written.text.size;
    for (const form of ["date", "text"] as const) {
      for (const key of used[form]) { // which grows
        if (!written[form].has(key)) written[form].set(key, convert(shapeOf(key), form));
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
        shape: date,
        hasDates: dated.has(key),
        ...(dated.has(key) && schema.isCyclic && { jsonIdentifier: names.take(`${identifier}Json`) }),
      };
      const name = own ? names.take(`${identifier}Text`) : identifier;
      return [
        ...(text ? [{ ...schema, key: textKey(key), identifier: name, shape: text }] : []),
        ...(own ? [own] : []),
      ];
    }),
  };
}

/** Returns whether the values of a type contain a date. */
export function hasDates(shape: Shape, schemas: ReadonlyMap<string, PlannedSchema>): boolean {
  if (shape.kind === "reference") return schemas.get(shape.key)?.hasDates === true;
  return shape.kind === "string" ? shape.isDate === true : partsOf(shape).some((part) => hasDates(part, schemas));
}

/** Returns the key of a schema whose dates are text. */
function textKey(key: string): string {
  return `${key} as text`;
}

/** Returns whether a text is converted. With a further rule it stays text, because that of a `Date` may break it. */
function isDate(shape: Shape): boolean {
  return shape.kind === "string" && (shape.format === "date-time" || shape.format === "date") &&
    shape.pattern === undefined && shape.minLength === undefined && shape.maxLength === undefined;
}

/** Returns the keys of the schemas that contain a date. */
function datedSchemas(schemas: readonly PlannedSchema[], shapeOf: ShapeOf): ReadonlySet<string> {
  const dated = new Set<string>();
  const reaches = (shape: Shape): boolean =>
    isDate(shape) ||
    (shape.kind === "reference" && dated.has(shape.key)) ||
    ((shape.kind !== "intersection" || isMergeable(shape.members, shapeOf)) && partsOf(shape).some(reaches));
  for (let before = -1; before < dated.size;) {
    before = dated.size;
    for (const { key, shape } of schemas) if (reaches(shape)) dated.add(key);
  }
  return dated;
}

/**
 * Returns whether the values that several schemas return can be joined again. Zod refuses to join a `Date` with the
 * text that another schema returns for the same property.
 */
function isMergeable(members: readonly Shape[], shapeOf: ShapeOf): boolean {
  const objects = members.map((member) => objectsOf(member, shapeOf));
  const known: ObjectShape[] = [];
  for (const own of objects) {
    if (own === undefined || own.some((each) => known.some((other) => !agrees(each, other)))) return false;
    known.push(...own);
  }
  return true;
}

/** Returns the objects that a type can be, if all of them return only their own properties. Otherwise `undefined`. */
function objectsOf(shape: Shape, shapeOf: ShapeOf): readonly ObjectShape[] | undefined {
  const found: ObjectShape[] = [];
  const waiting = new Set([shape]);
  for (const each of waiting) { // which grows
    spend(1 / 10);
    if (each.kind === "object" && each.others === "ignored") found.push(each);
    else if (each.kind === "reference") waiting.add(shapeOf(each.key));
    else if (each.kind !== "union") return undefined;
    else for (const member of each.members) waiting.add(member);
  }
  return found;
}

/** Returns whether the properties that two objects share are the same. */
function agrees(one: ObjectShape, other: ObjectShape): boolean {
  const shapes = new Map(other.properties.map(({ name, shape }) => [name, JSON.stringify(shape)]));
  return one.properties.every(({ name, shape }) =>
    (shapes.get(name) ?? JSON.stringify(shape)) === JSON.stringify(shape)
  );
}
