/** The options of contract tests. */
import { checkCredentials, type ClientCredentials, type RouteKey } from "../../client/settings.ts";
import { codecClientOf, unstyled } from "../../contract/codec.ts";
import { type EntryOf, requirementsOf, type SecurityEntry } from "../../contract/security_scheme.ts";
import type { TextValue } from "../../contract/infer.ts";
import type { RouteBelow, RouteNode, SecurityBelow } from "../../contract/node.ts";
import type { RequestBody } from "../../contract/request.ts";
import type { ClientSlot, DeclaredSlot } from "../../contract/slots.ts";
import { describeValue } from "../../messages.ts";
import type { SchemaProvider } from "../openapi/slot_schemas.ts";
import type { ParameterName } from "../../path.ts";
import type { InputOf, Schema } from "../../schema.ts";
import type { GivenValues } from "./draw_slots.ts";
import type { Caller } from "./encode_request.ts";
import { type Rule, rules } from "./finding.ts";
import { readOwned } from "./owned_routes.ts";
import type { FieldSlot } from "./route_plan.ts";
import { createGuard, isReading } from "./foreign.ts";
import { readSigners, type SignContent, type Signers } from "./sign_request.ts";
import { type OpenTarget, openTarget, type Target } from "./target.ts";
import {
  aBoolean,
  aCount,
  aFunction,
  anObject,
  aPositiveCount,
  checkNames,
  checkRules,
  failAt,
  type OptionRules,
} from "../../options.ts";

/** The options of `contractTests`. `Routes` is the type of the contract's routes. */
export interface ContractTestOptions<Routes = never> {
  /**
   * The server to test. Pass a handler, or a function without parameters that returns a new handler for each test. Or
   * pass the URL of a running server, in any language.
   */
  readonly target: Target;
  /**
   * Values that the server accepts, such as the ids of things that exist, by route key, slot and name. Default: none.
   */
  readonly values?: TestValues<Routes> | undefined;
  /**
   * The credentials of a caller who may call every route, by the names of the contract's security schemes. Messages
   * never contain them. A function is called for each test, and again after a 401. Default: none.
   */
  readonly credentials?: ClientCredentials<Routes> | undefined;
  /**
   * Functions that sign the content of requests, by the names of the contract's `security.signature()` schemes, such as
   * `standardWebhooks(…).sign`. Each returns the header fields of the scheme. Default: none.
   */
  readonly sign?: TestSigners<Routes> | undefined;
  /**
   * The credentials of another caller, in the same form. What the caller of `credentials` creates must not exist for this
   * one on the routes of `owned`. A function is called before each visit of a route. Default: none.
   */
  readonly strangers?: ClientCredentials<Routes> | undefined;
  /**
   * The routes to things that belong to the caller who created them, by their keys. In a pattern, `*` is any one key, and
   * `**` any number of keys: `["orgs.**"]`. These routes must answer the caller of `strangers` with 403 or 404. Requires
   * `strangers`. Default: none.
   */
  readonly owned?: readonly OwnedRoutes<Routes>[] | undefined;
  /** Header fields for every request. Messages never contain their values. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns the JSON Schema of a slot whose schema does not convert; `undefined` for all others. Default: none. */
  readonly schema?: SchemaProvider | undefined;
  /** The number of random requests in each phase of a route's tests, from 0. Default: 100. */
  readonly runs?: number | undefined;
  /** The seed of the random requests: a non-negative integer. The same seed generates the same requests. Default: 0. */
  readonly seed?: number | undefined;
  /** The most milliseconds that a response may take, from 1. Default: 5000. */
  readonly limit?: number | undefined;
  /** Whether a server at a URL may receive requests that change something. Default: false. */
  readonly mutates?: boolean | undefined;
  /**
   * `"http"` for a server that does not use this package. It may refuse invalid requests with any 4xx and any body,
   * redirect unknown paths, and respond to undeclared methods with 501. Undeclared members become warnings.
   *
   * `"foreign"` for a server that someone else wrote, with the contract of its document. It is as lenient, and what only
   * this package promises becomes a warning: the status of unknown paths, HEAD, the rejection of malformed requests, the
   * effects of sequences. A server at a URL receives GET and HEAD; with `mutates`, also the methods that the contract
   * declares for the path, and never any other. A 400 or 422 for a valid request is a finding even where it is declared,
   * if the route accepted another request. Members that an open schema does not describe are warnings, unless their
   * names are those of secrets, such as `password`.
   *
   * Default: as strict as this package's adapter.
   */
  readonly profile?: "http" | "foreign" | undefined;
  /** Another server, which must respond to valid requests in the same way. Default: none. */
  readonly against?: Target | undefined;
  /** Rules to ignore: `true` for all routes, or a list of route keys. Default: none. */
  readonly ignore?: Readonly<Partial<Record<Rule, true | readonly (RouteKey<Routes> | "*")[]>>> | undefined;
  /**
   * Called with the message of a warning, which only the profiles have: with `"http"`, a member that the contract does
   * not declare.
   * Default: `console.warn`.
   */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * The key of a route, or a pattern of keys. It is any string: the keys are for editors.
 *
 * @internal
 */
type OwnedRoutes<Routes> = RouteKey<Routes> | (string & Record<never, never>);

/**
 * The functions that sign, by the names of the signature schemes of some routes.
 *
 * @internal
 */
type TestSigners<Routes> = [Routes] extends [never] ? AnySigners
  : SecurityBelow<Routes> extends infer Secured ? [Secured] extends [never] ? AnySigners : SignersOf<EntryOf<Secured>>
  : never;

/**
 * Functions that sign, for schemes whose names are not known.
 *
 * @internal
 */
type AnySigners = Readonly<Record<string, SignContent | undefined>>;

/**
 * The functions that sign, by the names of those entries that are signatures.
 *
 * @internal
 */
type SignersOf<Entry extends SecurityEntry> = string extends Entry["name"] ? AnySigners
  : [SignatureName<Entry>] extends [never] ? Readonly<Record<string, never>>
  : { readonly [Each in Entry as SignatureName<Each>]?: SignContent | undefined };

/**
 * The name of an entry that is a signature.
 *
 * @internal
 */
type SignatureName<Entry extends SecurityEntry> = Entry extends unknown
  ? "content" extends keyof NonNullable<Entry["types"]> ? Entry["name"] : never
  : never;

/** Values that a server accepts, by route key. */
export type TestValues<Routes> = [Routes] extends [never] ? Readonly<Record<string, AnyRouteValues>>
  : RouteBelow<Routes> extends infer Nodes extends RouteNode ? ValuesByKey<Nodes>
  : never;

/**
 * Values for some routes, by their keys.
 *
 * @internal
 */
type ValuesByKey<Nodes extends RouteNode> = { readonly [Node in Nodes as Node["key"]]?: RouteValues<Node> };

/**
 * Values for a route whose type is not known.
 *
 * @internal
 */
type AnyRouteValues =
  & Readonly<Partial<Record<FieldSlot, Readonly<Record<string, readonly TextValue[]>>>>>
  & { readonly body?: readonly unknown[] };

/**
 * Values that a server accepts for one route: lists of texts by slot and name, and a list of bodies in the form that a
 * client takes.
 */
export type RouteValues<Route extends RouteNode> = {
  readonly [Slot in DeclaredSlot<Route>]?: Slot extends FieldSlot
    ? { readonly [Name in FieldName<Route, Slot>]?: readonly TextValue[] }
    : readonly NonNullable<ClientSlot<Route>["body"]>[];
};

/**
 * The names in a slot of text fields.
 *
 * @internal
 */
type FieldName<Route extends RouteNode, Slot extends FieldSlot> = Route[Slot] extends Schema
  ? keyof InputOf<Route[Slot]> & string
  : ParameterName<Route["path"]>;

type AnyTestOptions = {
  readonly [Name in keyof ContractTestOptions]: Name extends "credentials" | "strangers" | "owned" | "values" | "ignore"
    ? unknown
    : ContractTestOptions[Name];
};

export interface TestSettings {
  readonly runs: number;
  readonly seed: number;
  readonly limit: number;
  readonly warn: (message: string) => void;
  readonly target: OpenTarget;
  readonly against: OpenTarget | undefined;
  /** Whether the server does not use this package: both profiles. */
  readonly isLenient: boolean;
  /** Whether it is the server of a document that someone else wrote. */
  readonly isForeign: boolean;
  readonly schema: ContractTestOptions["schema"];
  readonly reports: (rule: Rule, route: string) => boolean;
  readonly headers: Caller["headers"];
  /** Returns the credentials by the names of their schemes. Calls the functions that return them. */
  readonly readCredentials: () => Promise<Map<string, unknown>>;
  readonly readStrangers: () => Promise<Map<string, unknown>>;
  readonly signers: Signers;
  readonly owned: ReadonlySet<string>;
  /** Whether a function returns a credential, which may then return another one. */
  readonly isRenewable: boolean;
  /** Returns the values from the user as wire values. */
  readonly readValues: () => Promise<Readonly<Record<string, GivenValues>>>;
}

const names =
  ("target values credentials sign strangers owned headers schema runs seed limit mutates profile against " +
    "ignore warn").split(" ");

const optionRules: OptionRules = {
  runs: aCount,
  limit: aPositiveCount,
  seed: aCount,
  profile: ['"http", "foreign" or omitted', (value) => value === "http" || value === "foreign"],
  schema: aFunction,
  values: anObject,
  headers: anObject,
  mutates: aBoolean,
  warn: aFunction,
};

export function readTestSettings(options: unknown, nodes: readonly RouteNode[]): TestSettings {
  const given: AnyTestOptions = Object(options);
  checkNames(given, names, where);
  checkRules(given, optionRules, where);
  const { target, against, mutates = false, profile, schema, runs = 100, seed = 0, limit = 5_000 } = given;
  const ignored = readIgnored(given.ignore, nodes);
  const values: WireValuesByKey = Object(given.values ?? {});
  const unknown = Object.keys(values).find((key) => !nodes.some((node) => node.key === key));
  if (unknown !== undefined) fail(`"values" has the unknown route ${JSON.stringify(unknown)}`);
  const sources = checkSources(given.credentials, nodes);
  const strangers = checkSources(given.strangers, nodes, ' in "strangers":');
  const signers = readSigners(given.sign, nodes, fail);
  const isForeign = profile === "foreign";
  const open = (each: unknown): OpenTarget => restrict(openTarget(each, mutates), isForeign, nodes);
  const opened = open(target);
  const others = given.strangers === undefined ? undefined : strangers;
  const owned = readOwned(given.owned, { credentials: sources, strangers: others, signers }, nodes, fail);
  if (owned.size > 0 && !opened.mayCall("POST")) {
    fail('"owned" creates things on the server; pass mutates: true, or a handler as "target"');
  }
  return {
    target: opened,
    against: against === undefined ? undefined : open(against),
    isLenient: profile !== undefined,
    isForeign,
    schema,
    runs,
    seed,
    limit,
    warn: given.warn ?? ((message) => console.warn(message)),
    reports: (rule, route) => ignored[rule] !== true && !ignored[rule]?.includes(route),
    headers: Object.fromEntries(
      Object.entries(given.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    readCredentials: () => readSources(sources),
    readStrangers: () => readSources(strangers),
    signers,
    owned,
    isRenewable: Object.values(sources).some((source) => typeof source === "function"),
    readValues: async () => await toWireValues(values, nodes),
  };
}

/** Returns a target that receives only the methods that a server of others may receive, if it is one. */
function restrict(target: OpenTarget, isForeign: boolean, nodes: readonly RouteNode[]): OpenTarget {
  if (!isForeign) return target;
  const mutates = target.mayCall("POST");
  const allows = createGuard(nodes, { baseUrl: target.baseUrl, mutates });
  return { ...target, mayCall: (method) => mutates || isReading(method), allows };
}

const where = "contractTests()";

function fail(state: string): never {
  failAt(where, state);
}

async function readSources(sources: Readonly<Record<string, unknown>>): Promise<Map<string, unknown>> {
  const read = Object.entries(sources).map(async ([name, source]) =>
    [name, typeof source === "function" ? await source() : source] as const
  );
  return new Map(await Promise.all(read));
}

/** Checks credentials, or functions that return them. `place` is the option that has them, for messages. */
function checkSources(
  credentials: unknown,
  nodes: readonly RouteNode[],
  place = "",
): Readonly<Record<string, unknown>> {
  try {
    return checkCredentials(credentials, nodes.flatMap(({ security = [] }) => requirementsOf(security)));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new TypeError(error.message.replace("createClient():", () => `contractTests():${place}`));
  }
}

function readIgnored(
  ignore: unknown,
  nodes: readonly RouteNode[],
): Readonly<Partial<Record<Rule, true | readonly string[]>>> {
  for (const [rule, where] of Object.entries(Object(ignore ?? {}))) {
    if (!Object.hasOwn(rules, rule)) {
      fail(`"ignore" has the unknown rule ${JSON.stringify(rule)} (rules: ${Object.keys(rules).join(", ")})`);
    }
    if (where === true) continue;
    if (!Array.isArray(where)) {
      fail(`"ignore" must have true or an array of route keys for ${rule}, got ${describeValue(where)}`);
    }
    const unknown = where.find((key) => key !== "*" && !nodes.some((node) => node.key === key));
    if (unknown !== undefined) fail(`"ignore" has the unknown route ${JSON.stringify(unknown)}`);
  }
  return Object(ignore ?? {});
}

type WireValuesByKey = Readonly<Record<string, GivenValues>>;

/** Converts the bodies to wire values: codecs encode them, and blobs are read. */
async function toWireValues(values: WireValuesByKey, nodes: readonly RouteNode[]): Promise<WireValuesByKey> {
  const entries = Object.entries(values).map(async ([key, given]) => {
    const body = nodes.find((node) => node.key === key)?.body;
    if (!body || !given.body) return [key, given] as const;
    const values = body.representation.describes === "item" ? given.body.flat() : given.body; // of lists of items
    return [key, { ...given, body: await Promise.all(values.map((value) => toWireBody(value, body))) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function toWireBody(value: unknown, { schema, representation }: RequestBody): Promise<unknown> {
  const encoded = await codecClientOf(unstyled(schema))?.encode(value, "body") ?? value;
  if (representation.describes === "fields") return readFields(encoded);
  if (encoded instanceof ArrayBuffer) return new Uint8Array(encoded);
  return encoded instanceof Blob ? new Uint8Array(await encoded.arrayBuffer()) : encoded;
}

/** Returns the fields of a form. A name that occurs several times has a list. */
function readFields(fields: unknown): Readonly<Record<string, unknown>> {
  if (!(fields instanceof FormData)) return Object(fields);
  return Object.fromEntries([...new Set(fields.keys())].map((name) => {
    const values = fields.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  }));
}
