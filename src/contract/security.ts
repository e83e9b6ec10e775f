/** `security`: declares schemes, and checks them, their lists and the routes that have them. */
import { describeValue } from "../messages.ts";
import { isMarked, markAs, markOf } from "../mark.ts";
import { declaredKeys } from "../schema.ts";
import {
  type ApiKeyCredential,
  apiKeyCredential,
  type BasicCredential,
  basicCredential,
  type BearerCredential,
  bearerCredential,
  type CookieCredential,
  cookieCredential,
  type CredentialPlace,
  isChallenge,
  isQuotable,
  isScope,
  type SignedContent,
} from "../wire/credentials.ts";
import { isToken } from "../wire/headers.ts";
import {
  aBoolean,
  aPositiveCount,
  checkOptions,
  checkRule,
  checkRules,
  failAt,
  freezeCopy,
  isPlainObject,
  type OptionRules,
  type ValueRule,
} from "../options.ts";
import {
  alternativesOf,
  type AnySchemeOptions,
  type ApiKeySchemeOptions,
  type BasicSchemeOptions,
  type BearerSchemeOptions,
  checksOf,
  type CombinedSchemes,
  type CookieSchemeOptions,
  type CustomSchemeOptions,
  isForgeable,
  isNone,
  isOptional,
  kindRules,
  type NoSecurity,
  type RenamedScheme,
  type Requirement,
  requirementsOf,
  type SchemeEntry,
  type SchemeKind,
  type ScopedScheme,
  type SecuredRoute,
  type Security,
  type SecurityChecks,
  type SecurityScheme,
  type SignatureSchemeOptions,
} from "./security_scheme.ts";

/** The checks that every entry of a list carries. */
const securityChecks: SecurityChecks = /* @__PURE__ */ Object.freeze({
  checkList,
  checkNodes,
  listStatuses,
  alternativesOf: listAlternatives,
});

function listAlternatives(list: Security): Requirement[][] {
  return list.flatMap((entry) =>
    isNone(entry) ? [] : [
      ("schemes" in entry ? entry.schemes : [entry])
        .map((each): Requirement => "scheme" in each ? each : { scheme: each, scopes: [] }),
    ]
  );
}

function checkList(list: Security, where: string): void {
  const state = listProblem(list);
  if (state !== undefined) failAt(where, state);
}

function listProblem(list: Security): string | undefined {
  if (list.filter(isNone).length > 1) return '"security" has security.none twice; remove one';
  if (isOptional(list) && list.length === 1) {
    return '"security" must have a scheme besides security.none; write [] for public routes';
  }
  const entries = alternativesOf(list).map((needed) => ({
    name: needed.map(({ scheme }) => scheme.name).join("+"),
    places: placesOf(needed),
  }));
  for (const [index, { name, places }] of entries.entries()) {
    const earlier = entries.slice(0, index).find((each) => each.places.every((place) => places.includes(place)));
    if (earlier?.places.length === places.length) {
      return `"security" has "${earlier.name}" and "${name}", which both use ${places.join(" and ")}; remove one`;
    }
    if (earlier) return `"security" has "${earlier.name}" before "${name}", which it would decide; exchange the two`;
  }
}

/** Returns the places of credentials, by which the server tells entries apart. It cannot tell custom schemes apart. */
function placesOf(needed: readonly Requirement[]): string[] {
  const places = needed.flatMap(({ scheme: { credential, options: { headers = [] } } }) =>
    credential?.place ?? headers.map((header) => `the header ${header}`)
  );
  return places.length > 0 ? places : ["a custom scheme"];
}

/** The security of a route can refuse its requests with 401 and 403, for these reasons. */
function listStatuses(list: Security, route: Parameters<SecurityChecks["listStatuses"]>[1]): readonly number[] {
  const requirements = requirementsOf(list);
  const isRequired = !isOptional(list);
  const mayBeInvalid = requirements.some(({ scheme }) => isRequired || !kindRules[scheme.kind].isLenient);
  const mayBeForbidden = requirements.some(({ scopes }) => scopes.length > 0) ||
    alternativesOf(list).some((needed) => isForgeable(needed, route));
  return [...(mayBeInvalid ? [401] : []), ...(mayBeForbidden ? [403] : [])];
}

function checkNodes(nodes: readonly SecuredRoute[], where: string): void {
  for (const node of nodes) {
    checkKeyField(node, where);
    checkSigned(node, where);
  }
  checkSchemeNames(nodes, where);
}

/** Throws a `TypeError` if the headers of a route declare the header of an API key, which would then be read twice. */
function checkKeyField({ key, headers, security }: SecuredRoute, where: string): void {
  const declared = headers && declaredKeys(headers);
  for (const { scheme: { name, credential } } of requirementsOf(security ?? [])) {
    const field = credential?.field;
    if (field !== undefined && !sharedFields.includes(field) && declared?.includes(field)) {
      failAt(
        where,
        `"headers" of ${key} must not declare "${field}", which has the credential of the scheme "${name}"; remove it`,
      );
    }
  }
}

/** Throws a `TypeError` if a verifier cannot receive the whole content of a route that requires a signature. */
function checkSigned({ key, method, body, security }: SecuredRoute, where: string): void {
  for (const { scheme: { name, options: { maxBytes: limit } } } of requirementsOf(security ?? [])) {
    if (limit === undefined) continue; // it is not a signature
    const problem = !body
      ? `its ${method} requests have no body to sign; declare one, or give the route another security`
      : body.representation.startUpload
      ? "its body is a stream, which is not read as a whole; write request.bytes()"
      : body.maxBytes !== undefined && body.maxBytes > limit
      ? `its body may have ${body.maxBytes} bytes, and the scheme reads at most ${limit}; change one "maxBytes"`
      : undefined;
    if (problem !== undefined) failAt(where, `${key} cannot have the scheme "${name}": ${problem}`);
  }
}

/** The headers that can carry more than the credential of one scheme. */
const sharedFields: readonly string[] = ["authorization", "cookie"];

/** Throws a `TypeError` if two schemes have the same name. */
function checkSchemeNames(nodes: readonly SecuredRoute[], where: string): void {
  const known = new Map<string, { readonly scheme: SecurityScheme; readonly key: string }>();
  for (const { key, security = [] } of nodes) {
    for (const { scheme } of requirementsOf(security)) {
      const earlier = known.get(scheme.name);
      if (earlier && earlier.scheme !== scheme) {
        failAt(
          where,
          `${earlier.key} and ${key} have different security schemes named "${scheme.name}"; rename one, or share it` +
            " (renameScheme() renames one of an imported contract)",
        );
      }
      known.set(scheme.name, earlier ?? { scheme, key });
    }
  }
}

/** The functions of {@linkcode security}, one for each kind of scheme. */
export interface SecurityHelpers {
  /** Declares a bearer token in the `authorization` header (RFC 6750): `Bearer …`. */
  bearer<const Name extends string, const Scope extends string = never>(
    name: Name,
    options?: BearerSchemeOptions<Scope>,
  ): SecurityScheme<Name, BearerCredential, Scope>;
  /**
   * Declares a username and a password in the `authorization` header (RFC 7617). Browsers attach them automatically.
   */
  basic<const Name extends string, const Scope extends string = never>(
    name: Name,
    options?: BasicSchemeOptions<Scope>,
  ): SecurityScheme<Name, BasicCredential, Scope>;
  /** Declares an API key in a request header of its own. */
  apiKey<const Name extends string, const Scope extends string = never>(
    name: Name,
    options: ApiKeySchemeOptions<Scope>,
  ): SecurityScheme<Name, ApiKeyCredential, Scope>;
  /** Declares a cookie (RFC 6265). Browsers attach it automatically. */
  cookie<const Name extends string, const Scope extends string = never>(
    name: Name,
    options: CookieSchemeOptions<Scope>,
  ): SecurityScheme<Name, CookieCredential, Scope>;
  /**
   * Declares a signature of the request's content, such as those of webhooks, and of RFC 9421 with `content-digest`. The
   * server reads the content before it runs the verifier, which receives it as `content`, and then decodes the same
   * bytes. All routes with the scheme need a body that is read as a whole. In `security.all()`, the other credentials
   * are verified first.
   */
  signature<const Name extends string, const Scope extends string = never>(
    name: Name,
    options: SignatureSchemeOptions<Scope>,
  ): SecurityScheme<Name, SignedContent, Scope>;
  /**
   * Declares a credential that its verifier reads from the request itself: a client certificate, or a key in the query.
   * The verifier runs if the request has the credentials of no other entry.
   */
  custom<const Name extends string, const Scope extends string = never>(
    name: Name,
    options: CustomSchemeOptions<Scope>,
  ): SecurityScheme<Name, Record<never, never>, Scope>;
  /**
   * Schemes whose credentials a caller needs all: the entry of a list that requires them together. Each verifier runs,
   * in this order, and handlers receive the callers by the names of their schemes. At most one can be in
   * `authorization`, which carries one credential.
   */
  all<const Entries extends readonly [SchemeEntry, SchemeEntry, ...SchemeEntry[]]>(
    ...schemes: Entries
  ): CombinedSchemes<Entries>;
  /** The entry that also accepts callers without a credential, in a list with schemes. */
  readonly none: NoSecurity;
}

/**
 * Declares security schemes, for the option `security` of a route, router or contract. The server verifies the
 * credentials (`verify` of `@scope/api/server`), a client sends them (the option `credentials`), and the OpenAPI
 * document describes them.
 *
 * Each function throws a `TypeError` for an invalid name, an unknown option, or an option value that a request or a
 * challenge cannot carry.
 *
 * @example A router for callers with a token, and a public route
 * ```ts
 * import { defineContract, response, route, router, security } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 *
 * const token = security.bearer("token", { scopes: ["notes:read"] });
 * const contract = defineContract({
 *   routes: {
 *     health: route.get("/health", { security: [], responses: { 200: response.text() } }),
 *     notes: router("/notes", {
 *       security: [token.scoped("notes:read")],
 *       routes: { list: route.get("/", { responses: { 200: response.json<string[]>() } }) },
 *     }),
 *   },
 * });
 *
 * assertEquals(contract.routes.notes.list.security.map(({ name }) => name), ["token"]);
 * ```
 */
export const security: SecurityHelpers = /* @__PURE__ */ Object.freeze({
  bearer: /* @__PURE__ */ helper("bearer", {
    own: ["scheme", "format", "oauth2", "openIdConnect", "metadata"],
    toCredential: ({ scheme }) => bearerCredential(scheme),
  }),
  basic: /* @__PURE__ */ helper("basic", { toCredential: () => basicCredential, isAmbient: true }),
  apiKey: /* @__PURE__ */ helper("apiKey", {
    required: ["header"],
    toCredential: ({ header }) => apiKeyCredential(header!),
  }),
  cookie: /* @__PURE__ */ helper("cookie", {
    required: ["cookie"],
    toCredential: ({ cookie }) => cookieCredential(cookie!),
    isAmbient: true,
  }),
  signature: /* @__PURE__ */ helper("signature", { required: ["headers", "maxBytes"], own: ["challenge", "openapi"] }),
  custom: /* @__PURE__ */ helper("custom", { required: ["challenge", "openapi"], own: ["ambient"] }),
  all: combineSchemes,
  none: /* @__PURE__ */ markAs("no security", { name: "", checks: securityChecks }),
}) as SecurityHelpers; // SecurityHelpers declares the exact types

/** What distinguishes a kind of scheme. */
interface KindOptions {
  readonly required?: readonly (keyof AnySchemeOptions)[];
  /** Its other options besides those of all kinds. */
  readonly own?: readonly string[];
  /** Returns the place of the credential, from checked options. Absent for what clients cannot send. */
  readonly toCredential?: (options: AnySchemeOptions) => CredentialPlace;
  /** Whether browsers attach it, unless an option says so. */
  readonly isAmbient?: boolean;
}

/** Creates the helper of a kind. {@linkcode SecurityHelpers} declares its types. */
function helper(
  kind: SchemeKind,
  { required = [], own = [], toCredential, isAmbient = false }: KindOptions,
): (name: string, options?: AnySchemeOptions) => SecurityScheme {
  return (name, options = {}) => {
    const where = `security.${kind}(${describeValue(name)})`;
    checkSchemeName(name, where);
    checkOptions(options, [...required, ...own, ...common], where);
    const missing = required.find((option) => options[option] === undefined);
    if (missing !== undefined) failAt(where, `"${missing}" is required`);
    checkSchemeOptions(options, where);
    const kept = freezeCopy(options);
    const { scopes = [], realm = "api", ambient = isAmbient } = kept;
    const scheme: SecurityScheme = markAs("security scheme", {
      name,
      kind,
      credential: Object.freeze(toCredential?.(kept)),
      scopes: Object.freeze(scopes),
      realm,
      isAmbient: ambient,
      options: kept,
      scoped: (...required: string[]) => scopeScheme(scheme, required),
      checks: securityChecks,
    });
    return scheme;
  };
}

/** Returns the entry of a list that requires scopes of a scheme. Throws a `TypeError` if the scheme has not all of them. */
export function scopeScheme(scheme: SecurityScheme, required: readonly string[]): ScopedScheme {
  const { name, kind, scopes } = scheme;
  const where = `security.${kind}(${JSON.stringify(name)}).scoped()`;
  if (required.length === 0) failAt(where, "pass at least one scope, or use the scheme itself");
  const unknown = required.find((scope) => !scopes.includes(scope));
  if (unknown !== undefined) {
    const known = scopes.length === 0 ? 'none; declare it by the option "scopes"' : scopes.join(", ");
    failAt(where, `unknown scope ${JSON.stringify(unknown)} (declared: ${known})`);
  }
  return markAs("scoped scheme", {
    name,
    scheme,
    scopes: Object.freeze([...new Set(required)]),
    checks: securityChecks,
  });
}

function combineSchemes(...schemes: readonly SchemeEntry[]): CombinedSchemes {
  const where = "security.all()";
  schemes.forEach((entry, index) => checkRule(entry, `argument ${index + 1}`, aSingleEntry, where));
  if (schemes.length < 2) failAt(where, "pass at least two schemes, or use the scheme itself");
  const combined: CombinedSchemes = markAs("combined schemes", {
    name: schemes.map(({ name }) => name).join("+"),
    schemes: Object.freeze(schemes),
    checks: securityChecks,
  });
  const state = rivalProblem(requirementsOf([combined]).map(({ scheme }) => scheme));
  if (state !== undefined) failAt(where, state);
  return combined;
}

/** Returns the reason why one request cannot carry the credentials of all schemes, or `undefined`. */
function rivalProblem(schemes: readonly SecurityScheme[]): string | undefined {
  for (const [index, scheme] of schemes.entries()) {
    const earlier = schemes.slice(0, index).find((each) => each.name === scheme.name || isRival(each, scheme));
    if (earlier) return `"${earlier.name}" and "${scheme.name}" use the same place in a request; remove one`;
  }
}

function isRival({ credential: one }: SecurityScheme, { credential: other }: SecurityScheme): boolean {
  if (!one || !other) return false;
  return one.place === other.place || (one.field === "authorization" && other.field === "authorization");
}

const common = ["scopes", "realm", "description"];

const aString = /* @__PURE__ */ aText("a string", () => true);
const aUrl = /* @__PURE__ */ aText("an absolute URL", (text) => URL.canParse(text) && isQuotable(text));

const rules: OptionRules = {
  scopes: ['an array of scopes like ["notes:read"]', testScopes],
  realm: /* @__PURE__ */ aText("a Latin-1 string without control characters", isQuotable),
  description: aString,
  scheme: /* @__PURE__ */ aText('an authentication scheme like "Bearer"', isToken),
  format: aString,
  oauth2: ["an object { flows: { … } }", (value) => isPlainObject(value) && isPlainObject(value.flows)],
  openIdConnect: aUrl,
  metadata: aUrl,
  header: ['a lower-case header name like "x-api-key"', testHeader],
  headers: ['an array of header names like ["x-signature"]', testHeaders],
  maxBytes: aPositiveCount,
  cookie: /* @__PURE__ */ aText('a cookie name like "__Host-session"', isToken),
  challenge: /* @__PURE__ */ aText(`a challenge like 'DPoP algs="ES256"'`, isChallenge),
  openapi: ['an object like { type: "mutualTLS" }', isPlainObject],
  ambient: aBoolean,
};

function aText(expected: string, isValid: (text: string) => boolean): ValueRule {
  return [expected, (value) => typeof value === "string" && isValid(value)];
}

/** Throws a `TypeError` if the options of a scheme are invalid. */
function checkSchemeOptions(options: AnySchemeOptions, where: string): void {
  checkRules(options, rules, where);
  if (options.format !== undefined && (options.scheme ?? "Bearer").toLowerCase() !== "bearer") {
    failAt(where, '"format" describes only tokens of the scheme "Bearer"; say it in "description"');
  }
  if (options.oauth2 && options.openIdConnect) {
    failAt(where, '"oauth2" and "openIdConnect" cannot be combined; remove one');
  }
}

/** Throws a `TypeError` if text cannot be the name of a scheme. */
export function checkSchemeName(name: unknown, where: string): asserts name is string {
  if (typeof name === "string" && /^[\w.-]+$/.test(name)) return;
  failAt(where, "the name must have only letters, digits, dots, hyphens and underscores");
}

function testScopes(value: unknown): boolean | string {
  if (!Array.isArray(value)) return false;
  const invalid = value.findIndex((scope) => typeof scope !== "string" || !isScope(scope));
  if (invalid !== -1) {
    return `has the invalid scope ${describeValue(value[invalid])}; remove spaces, quotes and backslashes`;
  }
  const repeated = value.find((scope, index) => value.indexOf(scope) !== index);
  return repeated === undefined || `has ${JSON.stringify(repeated)} twice; remove one`;
}

function testHeader(value: unknown): boolean | string {
  if (value === "authorization") return 'must not be "authorization"; use security.bearer() or security.basic()';
  return value === "cookie" ? 'must not be "cookie"; use security.cookie()' : isFieldName(value);
}

function testHeaders(value: unknown): boolean | string {
  if (!Array.isArray(value) || value.length === 0) return false;
  const wrong = value.findIndex((name) => !isFieldName(name));
  return wrong === -1 || `has ${describeValue(value[wrong])}; write lower-case header names`;
}

function isFieldName(value: unknown): boolean {
  return typeof value === "string" && isToken(value) && value === value.toLowerCase();
}

/** Returns a frozen copy of the option `security`. Throws a `TypeError` if it is invalid. */
export function copySecurity(security: unknown, where: string): Security {
  checkRule(security, '"security"', aList, where);
  const list: Security = Object.freeze([...security as Security]); // it was checked, and each entry is
  list.forEach((entry, index) => checkRule(entry, `"security[${index}]"`, anEntry, where));
  checksOf(list)?.checkList(list, where);
  return list;
}

const aList: ValueRule = [
  "an array of schemes",
  (value) => Array.isArray(value),
  (value) => `${describeValue(value)}; write [] for public`,
];

const anEntry: ValueRule = ["a scheme", (entry) => entryKinds.includes(markOf(entry)), describeEntry];

/** The first two are schemes, which can be required together. */
const entryKinds: readonly unknown[] = ["security scheme", "scoped scheme", "combined schemes", "no security"];

function describeEntry(entry: unknown): string {
  const helpers = Array.isArray(entry)
    ? "security.all(…) for schemes that are required together"
    : "security.bearer(…) or another of its helpers";
  return `${describeValue(entry)}; write ${helpers}`;
}

const aSingleEntry: ValueRule = [
  "a scheme like security.bearer(…)",
  (entry) => entryKinds.slice(0, 2).includes(markOf(entry)),
];

const aScheme: ValueRule = [
  "made by security.bearer(…) or another helper",
  (value) => isMarked(value, "security scheme"),
];

/**
 * Returns a security scheme under another name, for {@linkcode withSchemes}: the same credential, scopes and challenge.
 *
 * @param scheme The scheme, as the imported contract declares it. @param name The other name, which verifiers, clients
 * and documents then use.
 * @throws {TypeError} If `scheme` is not a security scheme, or `name` is invalid.
 *
 * @example A token of an imported contract, beside a token of the importing one
 * ```ts
 * import { defineContract, renameScheme, response, route, security, withSchemes } from "@scope/api";
 * import { assertEquals } from "@std/assert";
 *
 * const responses = { 200: response.text() };
 * const billingToken = security.bearer("token");
 * const billing = defineContract({ security: [billingToken], routes: { total: route.get("/total", { responses }) } });
 *
 * const token = security.bearer("token");
 * const renamed = renameScheme(billingToken, "billingToken");
 * const gateway = defineContract({
 *   security: [token],
 *   routes: { billing: withSchemes(billing, renamed), me: route.get("/me", { responses }) },
 * });
 *
 * assertEquals(gateway.routes.billing.total.security[0]?.name, "billingToken");
 * assertEquals(gateway.routes.me.security[0]?.name, "token");
 * ```
 */
export function renameScheme<
  Before extends string,
  Credential extends object,
  Scope extends string,
  Name extends string,
>(
  scheme: SecurityScheme<Before, Credential, Scope>,
  name: Name,
): RenamedScheme<Name, Credential, Scope, Before> {
  const where = "renameScheme()";
  checkRule(scheme, "the scheme", aScheme, where);
  checkSchemeName(name, where);
  const renamed: SecurityScheme = markAs("security scheme", {
    ...scheme,
    name,
    scoped: (...required: string[]) => scopeScheme(renamed, required),
    renamed: scheme,
  });
  return renamed as RenamedScheme<Name, Credential, Scope, Before>; // it has all members of the scheme, and `renamed`
}

/** Returns a list with the renamed schemes in place of those that they rename. */
export function renameList(security: Security, renamed: ReadonlyMap<unknown, SecurityScheme>): Security {
  const renameEntry = (entry: SchemeEntry): SchemeEntry => {
    if (!("scheme" in entry)) return renamed.get(entry) ?? entry;
    const scheme = renamed.get(entry.scheme);
    return scheme ? scopeScheme(scheme, entry.scopes) : entry;
  };
  return Object.freeze(security.map((entry) => {
    if (!("schemes" in entry)) return isMarked(entry, "no security") ? entry : renameEntry(entry);
    const schemes = Object.freeze(entry.schemes.map(renameEntry));
    return markAs("combined schemes", { ...entry, name: schemes.map(({ name }) => name).join("+"), schemes });
  }));
}
