/** Declares the contract of a plan at run time, with schemas that validate by JSON Schema. */
import { type Contract, defineContract } from "../../contract/contract.ts";
import * as request from "../../contract/request.ts";
import * as response from "../../contract/response.ts";
import type { ResponseDeclaration, Responses } from "../../contract/response.ts";
import { route } from "../../contract/route.ts";
import { router, webhooks } from "../../contract/router.ts";
import { security } from "../../contract/security.ts";
import type { SecurityScheme } from "../../contract/security_scheme.ts";
import { socket } from "../../contract/socket.ts";
import { styled } from "../../contract/codec.ts";
import type { Json, JsonObject } from "../json_schema/json.ts";
import { type LocatedSchema, locatePart, locateSchema } from "../json_schema/locate.ts";
import { StepLimitError } from "../json_schema/steps.ts";
import { listFailures } from "../json_schema/validate.ts";
import { once, remember } from "../openapi/definitions.ts";
import { isInstance } from "../../mark.ts";
import type { StatusRange } from "../../native_response.ts";
import type { Checked, Issue, Schema } from "../../schema.ts";
import { define, isPart, present, toObject } from "../openapi/part.ts";
import {
  type DeclarationTarget,
  declareOptions,
  declareResponse,
  declareSecurity,
  type ValuePlace,
} from "./declaration.ts";
import { groupsOf, type ImportPlan, type PlannedSchema, rankStatus, type RoutePlan } from "./plan.ts";
import { keysIn, type Model } from "./model.ts";
import { toJsonSchema } from "./write_json_schema.ts";

export function declareContract(plan: ImportPlan): Contract {
  const declared = declareShared(plan);
  const groups = plan.groups.map((group) => {
    const routes = group.routes.map((each) => [each.key, declareRoute(each, declared)] as const);
    return [group.key, router("/", { docs: { tags: [group.tag] }, routes: toObject(routes) as never })] as const;
  });
  const hooks = plan.webhooks?.routes.map((each) => [each.key, declareRoute(each, declared)] as const);
  return declare(plan, declared, toObject(groups), hooks && toObject(hooks));
}

/** Returns why routes of a plan cannot be declared, by their keys. Their schemas need no names for that. */
export function listProblems(
  plan: Omit<DeclaredPlan, "schemas"> & Pick<ImportPlan, "groups" | "webhooks">,
): ReadonlyMap<string, string> {
  const declared = declareShared({ ...plan, schemas: [] });
  const problems = new Map<string, string>();
  for (const group of groupsOf(plan)) {
    for (const route of group.routes) {
      try {
        const own = declareRoute(route, declared);
        if (group === plan.webhooks) webhooks({ [route.key]: own } as never);
        else declare(plan, declared, { route: own });
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        problems.set(`${group.key}.${route.key}`, error.message);
      }
    }
  }
  return problems;
}

/** What routes of a plan share. */
type DeclaredPlan = Pick<ImportPlan, "basePath" | "security" | "schemes" | "responses" | "schemas">;

function declare(
  { basePath, security }: Pick<ImportPlan, "basePath" | "security">,
  declared: DeclaredWith,
  routes: object,
  hooks?: object,
): Contract {
  const options = {
    basePath,
    ...(security && { security: declareSecurity(security, declared.target) }),
    routes,
    ...(hooks && { webhooks: webhooks(hooks as never) }), // the types of the routes are not known
  };
  return defineContract(options as never) as unknown as Contract; // the types of the routes are not known
}

/** Declares what the routes of a plan share. */
function declareShared(plan: DeclaredPlan): DeclaredWith {
  const schemas = shareSchemas(new Map(plan.schemas.map((schema) => [schema.key, schema])));
  const schemes = toObject(plan.schemes.map(({ identifier, name, kind, options }) =>
    [
      identifier,
      (security[kind] as (name: string, options: object) => SecurityScheme)(name, options), // each kind has its own options
    ] as const
  ));
  const shared = new Map<string, unknown>();
  const target = createTarget(schemas, schemes, shared);
  for (const { identifier, response: each } of plan.responses) shared.set(identifier, declareResponse(each, target));
  return { target };
}

/** What routes are declared with. */
interface DeclaredWith {
  readonly target: DeclarationTarget<unknown>;
}

function declareRoute(plan: RoutePlan, { target }: DeclaredWith): unknown {
  const declare = route[plan.method] as (path: string, options: unknown) => unknown;
  return declare(plan.path, declareOptions(plan, target));
}

/** Any function of the toolkit. */
type Declare = (...args: readonly unknown[]) => unknown;

/** Returns what calls the functions of the toolkit. */
function createTarget(
  schemas: SharedSchemas,
  schemes: Readonly<Record<string, SecurityScheme>>,
  shared: ReadonlyMap<string, unknown>,
): DeclarationTarget<unknown> {
  const sides: Readonly<Record<string, object>> = { request, response: { ...response, socket } };
  return {
    schema: (model, place) => createSchema(model, schemas, place),
    declare: (side, kind, args) => (Reflect.get(sides[side]!, kind) as Declare)(...args), // the plan has no other kinds
    call: (name, args) => ((name === "styled" ? styled : security.all) as Declare)(...args),
    literal: (value) => value,
    object: present,
    list: (items) => items,
    numbered: (texts) => texts,
    responses: (entries) => {
      const declared: Responses = {};
      for (const [status, each] of entries as [string, ResponseDeclaration][]) {
        if (rankStatus(status) === 2) define(declared, status, each);
        else Object.assign(declared, response.statuses(status as StatusRange, each));
      }
      return declared;
    },
    shared: (identifier) => shared.get(identifier),
    scheme: (identifier, scopes) => {
      const scheme = schemes[identifier]!;
      return scopes.length === 0 ? scheme : (scheme.scoped as Declare)(...scopes);
    },
    noSecurity: () => security.none,
    prose: (text) => text,
  };
}

/** The schemas that types refer to, as definitions of JSON Schema that all types share. */
interface SharedSchemas {
  readonly planned: ReadonlyMap<string, PlannedSchema>;
  /** Returns the JSON Schema of a type, without definitions. */
  readonly convert: (model: Model) => JsonObject;
  /** Returns the definitions of all schemas, always the same object. */
  readonly define: () => JsonObject;
  /** Returns the JSON Schema of a type, to check values. */
  readonly locate: (model: Model) => LocatedSchema;
}

function shareSchemas(planned: ReadonlyMap<string, PlannedSchema>): SharedSchemas {
  const parts = new Map<Model, LocatedSchema>();
  const convert = (model: Model) => toJsonSchema(model, (key) => planned.get(key)!.component);
  const define = once(() =>
    toObject([...planned.values()].map(({ component, model }) => [component, convert(model)] as const))
  );
  const whole = once(() => locateSchema({ $defs: define() }));
  const locate = (model: Model) => remember(parts, model, () => locatePart(whole(), convert(model)));
  return { planned, convert, define, locate };
}

/** Returns a Standard Schema that validates a type by its JSON Schema. */
function createSchema(
  model: Model,
  schemas: SharedSchemas,
  place: ValuePlace,
): Schema {
  const isSlot = place !== "value";
  const reader: TextReader = {
    schemas: schemas.planned,
    isOf: (part, value) => findFailures(schemas.locate(part), toChecked(value)).length === 0,
  };
  const convert = (options?: ConverterOptions): JsonObject => {
    if (options?.libraryOptions?.isShared) return { ...schemas.convert(model), $defs: schemas.define() };
    const $defs = reachableDefinitions(model, schemas);
    return { ...schemas.convert(model), ...(Object.keys($defs).length > 0 && { $defs }) };
  };
  const check = (value: unknown): Checked => {
    const converted = isSlot ? fromText(model, value, reader) : value;
    const failures = findFailures(schemas.locate(model), toChecked(converted));
    if (failures.length === 0) return { value: place === "sent" ? toSentFields(converted) : converted };
    return { issues: failures.map(({ path, message }) => ({ path, message })) };
  };
  return {
    "~standard": {
      version: 1,
      vendor: "@scope/api/import",
      validate: check,
      jsonSchema: { input: convert, output: convert },
    } as Schema["~standard"],
  };
}

/** The options of Standard JSON Schema that are read here. */
interface ConverterOptions {
  /** `isShared`: whether `$defs` is the same object for all schemas of a contract, with the definitions of all. */
  readonly libraryOptions?: { readonly isShared?: boolean };
}

/** Lists what is wrong with a value. One that would take too long to check is refused, whatever it is. */
function findFailures(located: LocatedSchema, value: Json): readonly Issue[] {
  try {
    return listFailures(located, value);
  } catch (error) {
    if (!isInstance(error, StepLimitError)) throw error;
    return [{ path: [], message: "takes too long to check" }];
  }
}

/** Returns header fields as they are sent: all are text. */
function toSentFields(fields: unknown): unknown {
  return toObject(
    Object.entries(Object(fields)).map(([name, each]) =>
      [name, typeof each === "number" || typeof each === "boolean" ? String(each) : each] as const
    ),
  );
}

/** Returns the value that is checked: a file is text in JSON Schema. */
function toChecked(value: unknown): Json {
  if (value instanceof Blob) return "";
  if (Array.isArray(value)) return value.map(toChecked);
  return isPart(value) ? toObject(Object.entries(value).map(([name, each]) => [name, toChecked(each)])) : value as Json;
}

function reachableDefinitions(model: Model, { planned, define }: SharedSchemas): JsonObject {
  const keys = new Set(keysIn(model));
  for (const key of keys) { // which grows
    for (const next of keysIn(planned.get(key)!.model)) keys.add(next);
  }
  const names = [...keys].map((key) => planned.get(key)!.component);
  return toObject(names.map((name) => [name, define()[name]!] as const));
}

/** How text is converted. */
interface TextReader {
  readonly schemas: ReadonlyMap<string, PlannedSchema>;
  /** Whether a value is of a type. */
  readonly isOf: (model: Model, value: unknown) => boolean;
  /** Whether the value is inside a field, where defaults are annotations. */
  readonly isInside?: true;
}

/** Converts text to the numbers and booleans of a type, and adds the defaults of fields. */
function fromText(model: Model, value: unknown, reader: TextReader): unknown {
  const inside: TextReader = reader.isInside ? reader : { ...reader, isInside: true };
  switch (model.kind) {
    case "text":
      return typeof value === "string" ? parseText(model.of.kind, value) : value;
    case "array":
      return Array.isArray(value) ? value.map((item) => fromText(model.items, item, inside)) : value;
    case "union": {
      const read = model.members.map((member) => ({ member, converted: fromText(member, value, reader) }));
      const found = read.find(({ member, converted }) => reader.isOf(member, converted));
      return found ? found.converted : value;
    }
    case "intersection":
      return model.members.reduce((each, member) => fromText(member, each, reader), value);
    case "reference":
      return fromText(reader.schemas.get(model.key)!.model, value, reader);
    case "object": {
      if (!isPart(value)) return value;
      const copy: Record<string, unknown> = { ...value };
      for (const { name, model: property } of model.properties) {
        const present = Object.hasOwn(copy, name) && copy[name] !== undefined;
        if (present) define(copy, name, fromText(property, copy[name], inside));
        else if (!reader.isInside && property.default !== undefined) define(copy, name, property.default);
      }
      if (typeof model.others !== "object") return copy;
      const declared = new Set(model.properties.map(({ name }) => name));
      for (const name of Object.keys(copy).filter((each) => !declared.has(each))) {
        define(copy, name, fromText(model.others, copy[name], inside));
      }
      return copy;
    }
    default:
      return value;
  }
}

function parseText(kind: string, text: string): unknown {
  if (text === "true" || text === "false") return kind === "number" ? text : text === "true";
  const number = text.trim() === "" ? NaN : Number(text);
  return kind === "boolean" || Number.isNaN(number) ? text : number;
}
