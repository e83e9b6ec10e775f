/** The parts of a document that are copied as they are, and the schemas that they refer to. */
import { spend } from "../json_schema/steps.ts";
import { listReferences } from "../json_schema/references.ts";
import { findReferenced } from "../openapi/operations.ts";
import { isPart, toObject, toPart } from "../openapi/part.ts";
import type { Model } from "./model.ts";
import { groupsOf, type ImportPlan, type PlannedSchema } from "./plan.ts";
import { isJoined } from "./value_types.ts";

/** Returns a copy of a part of the document in which references are replaced by what they refer to. */
export type Raw = (value: unknown) => unknown;

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
export function listFurther({ source, schemas, ...plan }: ImportPlan): ReadonlyMap<string, unknown> {
  const own = new Set(schemas.map(componentOf));
  const further = new Map<string, unknown>();
  const seen = new Set<string>();
  const pending: unknown[] = groupsOf(plan).flatMap(({ routes }) =>
    routes.flatMap(({ parts: { operation: { part, item } } }) => [part, item.part["parameters"]])
  );
  const follow = (reference: string): void => {
    if (seen.has(reference)) return;
    seen.add(reference);
    const target = findReferenced(source, reference);
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
export function withWritten(
  further: ReadonlyMap<string, unknown>,
  written: Iterable<PlannedSchema>,
  { source }: ImportPlan,
): ReadonlyMap<string, unknown> {
  const all = new Map(further);
  const names = new Set([...written].map(componentOf));
  for (const name of names) { // which grows
    const value = name === undefined ? undefined : findReferenced(source, componentsPlace + name)?.value;
    if (value === undefined || further.has(name!)) continue;
    all.set(name!, value);
    for (const each of listReferences(value)) {
      if (each.startsWith(componentsPlace)) names.add(each.slice(componentsPlace.length));
    }
  }
  return all;
}

/** Returns what copies parts of a document. `further` are schemas that it keeps besides those of the contract. */
export function createRaw({ source, schemas }: ImportPlan, further: ReadonlyMap<string, unknown>): Raw {
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
    const target = inside.includes($ref) || inside.length > 20 ? undefined : findReferenced(source, $ref);
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
  return isJoined(rest) ? { anyOf: [rest, { type: "null" }] } : rest;
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
