/** The options of `openApiDocument()`, and their checks. */
import { type Contract, describeNonContract } from "../../contract/contract.ts";
import {
  aBoolean,
  aFunction,
  anObject,
  checkObject,
  checkOptions,
  checkRules,
  failAt,
  findNearest,
  isListOfTexts,
  type OptionRules,
} from "../../options.ts";
import type { RouteNode } from "../../contract/node.ts";
import { isMarked, type Marked } from "../../mark.ts";
import { describeValue } from "../../messages.ts";
import type { JsonSchema, JsonSchemaObject } from "../json_schema/json.ts";
import { isPart, type Part } from "./part.ts";
import type { SchemaProvider } from "./slot_schemas.ts";
import type { OpenApiInfo, OpenApiServer, OpenApiTag } from "./types.ts";
import type { Docs, Extensions, ExternalDocs, SchemaNotes } from "../../contract/docs.ts";

/** The options of {@linkcode openApiDocument}. Those that begin with `x-` become members of the document. */
export interface OpenApiOptions<Described extends Contract = Contract> extends Extensions {
  /**
   * The description of the API: at least its `title` and `version`. The summary and description default to the
   * contract's `docs`.
   */
  readonly info: OpenApiInfo;
  /** The version of the OpenAPI Specification. Default: 3.1. Only 3.2 can describe QUERY and the items of streams. */
  readonly version?: "3.1" | "3.2";
  /**
   * The servers of the API. Default: the server of the document. Paths begin with the contract's base path, unless the
   * option `basePath` says that the URLs end with it.
   */
  readonly servers?: readonly OpenApiServer[];
  /**
   * The path that the URLs of `servers` end with, such as `/v1`. The paths of the document do not have it. The first
   * server must end with it, and the path of every route must begin with it. Default: none.
   */
  readonly basePath?: string;
  /**
   * The operations that have an `operationId`: `"all"`, by default the dotted key of the route, or only those whose
   * `docs` declare one (`"declared"`). Default: `"all"`.
   */
  readonly operationIds?: "all" | "declared";
  /** Descriptions of the tags, which group the operations. */
  readonly tags?: readonly OpenApiTag[];
  /** A link to further documentation. */
  readonly externalDocs?: ExternalDocs;
  /**
   * Whether to list the responses that the server sends without a handler, such as 400, unless the contract declares
   * them. Default: `true`.
   */
  readonly refusals?: boolean;
  /**
   * Schemas by name, such as the exports of a module (`import * as schemas from "./schemas.ts"`): the names of their
   * components, wherever they occur. Exports that are not schemas are skipped. The first of two names of one schema
   * wins. Default: none, so that only the ids of schemas name components.
   */
  readonly schemas?: object;
  /**
   * Returns the JSON Schema of a slot whose schema does not convert, or a replacement for a converted one. Default:
   * none.
   */
  readonly schema?: SchemaProvider;
  /**
   * Returns the JSON Schema of a schema inside others, such as `z.date()`, wherever it occurs; `undefined` to convert it
   * as usual. Called with each schema of Zod and Valibot, and with each part of ArkType that JSON Schema cannot
   * express, as ArkType's own option `fallback` is. Default: none.
   */
  readonly part?: (part: unknown) => JsonSchemaObject | undefined;
  /**
   * Prose by route, as a tree like the contract's `routes`. It adds to the `docs` of the contract, and wins over them and
   * over the metadata of schemas. A module of its own keeps it out of the bundles of pages. Default: none.
   */
  readonly docs?: DocsTree<Described["routes"]>;
  /** Annotations by the name of a component. They win over the metadata of schemas. Default: none. */
  readonly notes?: Readonly<Record<string, SchemaNotes>>;
  /**
   * Schemas as OpenAPI has them, by the name of a component that no route refers to: generated clients have a class of
   * it all the same. A component of the contract wins over one of the same name. With `audience`, only those that the
   * document refers to are listed. Default: none.
   */
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> };
  /**
   * The readers of the document: it lists operations whose `docs` have one of these audiences, and those without one.
   * It hides descriptions, not routes. Default: all operations.
   */
  readonly audience?: readonly string[];
  /** Prose by webhook, as `docs` has it by route. Default: none. */
  readonly webhooks?: DocsTree<NonNullable<Described["webhooks"]>>;
}

/** Prose by route: a tree like that of the routes. */
export type DocsTree<Routes> = string extends keyof Routes ? object
  : {
    readonly [Key in keyof Routes as Key extends `~${string}` ? never : Key]?: Routes[Key] extends Marked<"route">
      ? Docs
      : DocsTree<Routes[Key]>;
  };

/** The prose of every route of a contract. */
export type RouteDocs = ReadonlyMap<RouteNode, Docs>;

/** The options, checked. */
export interface CheckedDocumentOptions extends OpenApiOptions {
  readonly version: "3.1" | "3.2";
  readonly refusals: boolean;
}

const where = "openApiDocument()";

const names = [
  ...["info", "version", "servers", "tags", "externalDocs", "refusals", "schemas", "schema", "part", "docs", "notes"],
  ...["components", "audience", "webhooks", "basePath", "operationIds"],
];

const rules: OptionRules = {
  refusals: aBoolean,
  operationIds: ['"all" or "declared"', (value) => value === "all" || value === "declared"],
  schema: aFunction,
  part: aFunction,
  schemas: anObject,
  docs: anObject,
  notes: anObject,
  webhooks: anObject,
  components: anObject,
  audience: ['a list like ["partner"]', isListOfTexts],
  servers: ['a list like [{ url: "https://api.example.com" }]', isListOfParts],
  tags: ['a list like [{ name: "Users" }]', isListOfParts],
  externalDocs: anObject,
};

function isListOfParts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPart);
}

/** Throws the `TypeError` for a contract that cannot be described: what is wrong, and what to do instead. */
export function cannotDescribe(state: string): never {
  failAt(where, state);
}

/** Returns what a message says of an unknown name: the nearest that exists, if one is near. */
export function suggestName(unknown: string, known: readonly string[]): string {
  const nearest = known.length === 0 ? undefined : findNearest(unknown, known);
  return nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
}

/** Returns the members of an object whose names begin with `x-`, or the others. */
export function extensionsOf(object: object, isOther = false): Extensions {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name.startsWith("x-") !== isOther));
}

/** Throws a `TypeError` for a value that is not an object. */
export function checkProseObject(value: unknown, place: string, what = "an object"): asserts value is Part {
  if (!isPart(value)) cannotDescribe(`${place} must be ${what}, got ${describeValue(value)}`);
}

/** Throws a `TypeError` for a member that an object cannot have. Extensions are allowed. */
export function checkProseNames(value: object, allowed: readonly string[], place: string, what = "option"): void {
  const unknown = Object.keys(value).find((name) => !allowed.includes(name) && !name.startsWith("x-"));
  if (unknown === undefined) return;
  const names = `${suggestName(unknown, allowed)} (allowed: ${allowed.join(", ")})`;
  cannotDescribe(`unknown ${what} ${JSON.stringify(unknown)} in ${place}${names}`);
}

/** Returns the options with their defaults. Throws a `TypeError` if one is invalid. */
export function checkDocumentOptions(contract: Contract, options: OpenApiOptions): CheckedDocumentOptions {
  if (!isMarked(contract, "contract")) cannotDescribe(describeNonContract(contract));
  checkOptions(extensionsOf(checkObject(options, where), true), names, where);
  const { info, version = "3.1", refusals = true, components, servers, basePath } = options;
  const { title, version: edition } = checkObject(info, where, '"info"');
  if (typeof title !== "string" || typeof edition !== "string") {
    cannotDescribe('"info" must have a title and a version, like { title: "…", version: "1.0.0" }');
  }
  if (version !== "3.1" && version !== "3.2") {
    const hint = String(version).startsWith("3.0") ? "; pass the document to toOpenApi30()" : "";
    cannotDescribe(`"version" must be "3.1" or "3.2", got ${describeValue(version)}${hint}`);
  }
  checkRules(options, rules, where);
  if (basePath !== undefined) checkBasePath(basePath, servers);
  if (components) checkOptions(components, ["schemas"], where, '"components"');
  return { ...options, version, refusals };
}

/** Throws a `TypeError` if a base path is not a path, or the first server does not end with it. */
function checkBasePath(basePath: unknown, servers: OpenApiOptions["servers"]): void {
  if (typeof basePath !== "string" || !/^\/.*[^/]$/s.test(basePath)) {
    cannotDescribe(`"basePath" must be a path like "/v1", without a slash at its end, got ${describeValue(basePath)}`);
  }
  const [first] = servers ?? [];
  if (first !== undefined && endsWithPath(first, basePath)) return;
  cannotDescribe(
    `"servers" must begin with a URL that ends with ${basePath}, the "basePath", got ${describeValue(first?.url)}`,
  );
}

/** Tests whether the URL of a server, with its default variables, ends with a path. A slash at its end is ignored. */
export function endsWithPath({ url, variables }: OpenApiServer, path: string): boolean {
  const filled = url.replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => String(Object(variables?.[name]).default ?? name),
  );
  return [filled, filled.slice(0, filled.endsWith("/") ? -1 : undefined)].some((each) => each.endsWith(path));
}
