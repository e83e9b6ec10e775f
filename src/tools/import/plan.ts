/** The plan of an import: what the written code declares, as data. */
import type { Direction } from "../openapi/definitions.ts";
import type { Json, JsonObject } from "../json_schema/json.ts";
import type { OperationParts } from "./read_operation.ts";
import type { ImportReport, Reporter } from "./report.ts";
import type { NamedSchema, Schemas } from "./schemas.ts";
import { type Model, type ObjectModel, type UnionModel, withoutNull } from "./model.ts";
import type { OpenApiOptions } from "../openapi/options.ts";
import type { DocumentPlace } from "../openapi/operations.ts";
import { ownMember, type Part, toObject, toPart } from "../openapi/part.ts";
import type { Source } from "./source.ts";

/** What a part of a document is planned with. */
export interface DocumentReader {
  readonly source: Source;
  readonly schemas: Schemas;
  readonly reporter: Reporter;
  readonly options: ImportOptions;
  /** How the schemas of requests are read: those of a webhook as what the API sends. */
  readonly request: Direction;
}

/** The options of a document, besides the names of schemas. */
export type ImportedDocument = Omit<OpenApiOptions, "schemas">;

/** How a library writes the schemas that notes are about. */
export interface NotesRules {
  /**
   * Whether a member of a union is left out, because another one includes it. Such a library also writes out unions
   * inside unions.
   */
  readonly reduces?: (union: UnionModel) => boolean;
  /** Whether the members of `allOf` stay apart. */
  readonly hasIntersections: boolean;
  /** Returns the members of a union besides null, in the order in which they are written; `undefined` if they change. */
  readonly listMembers: (members: readonly Model[]) => readonly Model[] | undefined;
}

/** How the options of a document are planned. */
export interface DocumentOptions {
  readonly rules: NotesRules;
  /** The schemas that may be no components of the contract, because the library writes them out. */
  readonly written?: Iterable<PlannedSchema>;
  /** Reports an annotation that has no place in what the library writes. */
  readonly lose: (place: DocumentPlace, what: string) => void;
}

/** What an import declares. */
export interface ImportPlan {
  readonly title: string;
  readonly description: string | undefined;
  readonly basePath: string;
  /** The security schemes that routes use, in the document's order. */
  readonly schemes: readonly SchemePlan[];
  /** The security of routes that have none of their own. `undefined` if no route has security. */
  readonly security: SecurityPlan | undefined;
  /** The routes by tag. */
  readonly groups: readonly GroupPlan[];
  /** The webhooks; `undefined` if there are none. Their keys are the names of the document. */
  readonly webhooks: GroupPlan | undefined;
  /** Responses that several routes have, in the order of their first use. */
  readonly responses: readonly SharedResponse[];
  /** The schemas with names that the routes use; each stands after those that it refers to, unless they are cyclic. */
  readonly schemas: readonly PlannedSchema[];
  readonly source: Source;
  /** The URL of the server, without the base path; `undefined` if the document names none. */
  readonly baseUrl: string | undefined;
  readonly report: ImportReport;
}

/** Returns the groups whose routes have schemas: those of routes, and that of webhooks. */
export function groupsOf({ groups, webhooks }: Pick<ImportPlan, "groups" | "webhooks">): readonly GroupPlan[] {
  return webhooks ? [...groups, webhooks] : groups;
}

/** A schema with the name that the written code gives it. */
export interface PlannedSchema extends NamedSchema {
  readonly identifier: string;
  /** The name of its component in documents: that of the document, where that is possible. */
  readonly component: string;
  /** Whether it refers to itself, directly or not. */
  readonly isCyclic: boolean;
  /** The group whose routes are the first to use it. */
  readonly group: string;
  /** Whether its values contain a `Date`. */
  readonly hasDates?: boolean;
  /** The name of its type in JSON, if it contains a `Date` and refers to itself. */
  readonly jsonIdentifier?: string;
}

export interface SharedResponse {
  readonly identifier: string;
  readonly response: ResponsePlan;
}

/** A security scheme: the function of `security` that declares it, and its arguments. */
export interface SchemePlan {
  readonly identifier: string;
  readonly name: string;
  readonly kind: "bearer" | "basic" | "apiKey" | "cookie" | "custom";
  readonly options: { readonly [name: string]: Json };
  readonly description: string | undefined;
}

/** The alternatives that a route accepts: schemes that it needs together, or none for a call without a credential. */
export type SecurityPlan = readonly (readonly RequirementPlan[])[];

/** Returns what declares each alternative: `none` a call without a credential, and `all` several schemes together. */
export function mapSecurity<Entry>(plan: SecurityPlan, { none, scheme, all }: {
  readonly none: () => Entry;
  readonly scheme: (requirement: RequirementPlan) => Entry;
  readonly all: (entries: readonly Entry[]) => Entry;
}): Entry[] {
  return plan.map((needed) => {
    const [first, ...others] = needed.map(scheme);
    return first === undefined ? none() : others.length === 0 ? first : all([first, ...others]);
  });
}

/** A scheme with the scopes that a route requires. */
export interface RequirementPlan {
  readonly identifier: string;
  readonly scopes: readonly string[];
}

/** The routes of a tag. */
export interface GroupPlan {
  /** The key of its router, and the name of its file. */
  readonly key: string;
  /** The tag of the document. */
  readonly tag: string;
  readonly description: string | undefined;
  readonly routes: readonly RoutePlan[];
}

/** The methods of contracts. */
export const methods = ["get", "head", "post", "put", "patch", "delete", "options", "query"] as const;

export interface RoutePlan {
  readonly key: string;
  /** The operation of the document. */
  readonly parts: OperationParts;
  readonly method: (typeof methods)[number];
  /** The path in the form of contracts: `/users/:id`. */
  readonly path: string;
  readonly hasTrailingSlash: boolean;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly operationId: string | undefined;
  /** The tags, if they are not only that of the group. */
  readonly tags: readonly string[];
  readonly params: ObjectModel | undefined;
  readonly query: ObjectModel | undefined;
  readonly headers: ObjectModel | undefined;
  readonly body: BodyPlan | undefined;
  readonly responses: readonly (readonly [status: string, response: ResponsePlan | string])[];
  /** The security, if it is not that of the contract. */
  readonly security: SecurityPlan | undefined;
}

const slots = { path: "params", query: "query", header: "headers" } as const;

/** Returns the slot of a parameter of the document; `undefined` if contracts have none. */
export function slotOf(parameter: Part): (typeof slots)[keyof typeof slots] | undefined {
  return ownMember(slots, String(parameter["in"])) as (typeof slots)[keyof typeof slots] | undefined; // a member of it
}

/** Returns the type of a parameter of the document; `undefined` if the contract has none. */
export function findProperty(route: RoutePlan, parameter: Part): Model | undefined {
  const slot = slotOf(parameter);
  const name = String(parameter["name"]);
  const own = slot === "headers" ? name.toLowerCase() : name;
  return slot && route[slot]?.properties.find((each) => each.name === own)?.model;
}

/** What a reference of a type leads to. */
export interface ReferenceTarget {
  readonly reference: string;
  /** The name of its component. */
  readonly component: string;
}

/** Returns the discriminator of a schema with the names of components; `undefined` if its type is no choice of them. */
export function discriminatorOf(
  { discriminator }: Part,
  model: Model,
  targetOf: (key: string) => ReferenceTarget,
): JsonObject | undefined {
  const union = withoutNull(model);
  const { propertyName, mapping } = toPart(discriminator);
  if (typeof propertyName !== "string" || union.kind !== "union" || union.discriminator !== propertyName) {
    return undefined;
  }
  const members = union.members.filter(({ kind }) => kind !== "null");
  const keys = members.flatMap((member) => member.kind === "reference" ? [member.key] : []);
  const names = new Map(keys.map(targetOf).map(({ reference, component }) => [reference, component] as const));
  const mapped = Object.entries(toPart(mapping)).map(([value, target]) => {
    const isName = !String(target).includes("#");
    return [value, names.get(isName ? `#/components/schemas/${target}` : String(target))] as const;
  });
  if (keys.length < members.length || mapped.some(([, name]) => name === undefined)) return undefined;
  const isRenamed = [...names].some(([reference, name]) => reference !== `#/components/schemas/${name}`);
  if (mapped.length === 0) return isRenamed ? undefined : { propertyName };
  return { propertyName, mapping: toObject(mapped.map(([value, name]) => [value, `#/components/schemas/${name}`])) };
}

export interface BodyPlan {
  readonly kind: "json" | "form" | "formData" | "text" | "bytes" | "ndjson";
  /** The media type, if it is not that of the kind. */
  readonly contentType: string | undefined;
  readonly isOptional: boolean;
  /** The most bytes, if the document says so. */
  readonly maxBytes: number | undefined;
  readonly model: Model;
}

export interface ResponsePlan {
  readonly kind: "json" | "text" | "bytes" | "empty" | "sse" | "ndjson" | "socket";
  /** The media type, if it is not that of the kind. */
  readonly contentType: string | undefined;
  readonly model: Model;
  readonly headers: ObjectModel | undefined;
  readonly description: string | undefined;
  /** Its connections, if it is a socket. */
  readonly socket?: SocketPlan;
}

/** The connections of a route. */
export interface SocketPlan {
  readonly fromClient: MessagePlan;
  readonly fromServer: MessagePlan;
  /** What the close codes mean, by code. */
  readonly closes: Readonly<Record<string, string>>;
  readonly protocols: readonly string[] | undefined;
  readonly maxMessageBytes: number | undefined;
}

export interface MessagePlan {
  readonly kind: "json" | "text" | "bytes";
  readonly model: Model;
}

/** Tests whether a body or a response of a kind has a schema. */
export function hasSchema(kind: BodyPlan["kind"] | ResponsePlan["kind"]): boolean {
  return kind !== "text" && kind !== "bytes" && kind !== "empty" && kind !== "socket";
}

/** Returns a response of a route: its own, or the one that it shares with others. */
export function responseOf(
  declared: ResponsePlan | string,
  { responses }: Pick<ImportPlan, "responses">,
): ResponsePlan {
  return typeof declared === "string"
    ? responses.find(({ identifier }) => identifier === declared)!.response // which the plan has
    : declared;
}

/** Returns the types of a response: of its body, or of its messages. */
export function modelsIn({ model, socket }: ResponsePlan): readonly Model[] {
  return socket ? [socket.fromClient.model, socket.fromServer.model] : [model];
}

/** Returns the rank of a status: `default` covers all errors, a range those of its class, and a status itself alone. */
export function rankStatus(status: string): number {
  return status === "default" ? 0 : status.endsWith("XX") ? 1 : 2;
}

/** The options of an import. */
export interface ImportOptions {
  /** The operations to import: paths, tags or operation ids. Default: all. */
  readonly only?: readonly string[];
  /** Media types that are chosen where an operation has several, the most wanted first. Default: JSON. */
  readonly prefer?: readonly string[];
}
