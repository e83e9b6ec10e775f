import { isChallenge, isQuotable, isScope } from "../wire/challenges.ts";
import { isToken } from "../wire/headers.ts";
import { cannotDeclare, checkOptions } from "./declared.ts";
import { type AnySchemeOptions, type SchemeKind } from "./security_scheme.ts";

const common = ["scopes", "realm", "description"];

/** The options of each kind, and the required ones. */
const optionsOf: Readonly<
  Record<SchemeKind, { readonly own: readonly string[]; readonly required: readonly string[] }>
> = {
  bearer: { own: ["scheme", "format", "oauth2", "openIdConnect", "metadata"], required: [] },
  basic: { own: [], required: [] },
  apiKey: { own: ["header"], required: ["header"] },
  cookie: { own: ["cookie"], required: ["cookie"] },
  custom: { own: ["challenge", "openapi", "ambient"], required: ["challenge", "openapi"] },
};

/** Checks one option. Returns the reason why its value is invalid, with the fix. */
type RefuseOption = (value: unknown) => string | undefined;

const checks: Readonly<Record<string, RefuseOption>> = {
  scopes: refuseScopes,
  realm: /* @__PURE__ */ toCheck(isQuotable, "must be text without control characters, in Latin-1"),
  description: refuseText,
  scheme: /* @__PURE__ */ toCheck(isToken, 'must be the name of an authentication scheme, like "Bearer"'),
  format: refuseText,
  oauth2: (value) => isObject(value) && isObject(value.flows) ? undefined : "must be an object { flows: { … } }",
  openIdConnect: refuseUrl,
  metadata: refuseUrl,
  header: refuseHeader,
  cookie: /* @__PURE__ */ toCheck(isToken, 'must be the name of a cookie, like "__Host-session"'),
  challenge: /* @__PURE__ */ toCheck(isChallenge, `must be a challenge, like 'DPoP algs="ES256"'`),
  openapi: (value) => isObject(value) ? undefined : 'must be a Security Scheme Object, like { type: "mutualTLS" }',
  ambient: (value) => typeof value === "boolean" ? undefined : "must be a boolean",
};

function toCheck(isValid: (text: string) => boolean, state: string): RefuseOption {
  return (value) => typeof value === "string" && isValid(value) ? undefined : state;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws a `TypeError` if a scheme is invalid. */
export function checkScheme(kind: SchemeKind, name: unknown, options: AnySchemeOptions): void {
  const where = `security.${kind}(${JSON.stringify(name)})`;
  if (typeof name !== "string" || !/^[\w.-]+$/.test(name)) {
    cannotDeclare(where, "its name must be of letters, digits, dots, hyphens and underscores");
  }
  const { own, required } = optionsOf[kind];
  checkOptions(options, [...own, ...common], where);
  const missing = required.find((option) => (options as Record<string, unknown>)[option] === undefined);
  if (missing !== undefined) cannotDeclare(where, `the option ${missing} is missing`);
  for (const [option, value] of Object.entries(options)) {
    const state = value === undefined ? undefined : checks[option]!(value);
    if (state !== undefined) cannotDeclare(where, `the option ${option} ${state}`);
  }
  if (options.oauth2 && options.openIdConnect) cannotDeclare(where, "it has oauth2 and openIdConnect; keep one");
}

function refuseScopes(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of scopes, like ["notes:read"]';
  const invalid = value.findIndex((scope) => typeof scope !== "string" || !isScope(scope));
  if (invalid !== -1) {
    return `has the invalid scope ${JSON.stringify(value[invalid])}; a scope has no spaces, quotes or backslashes`;
  }
  const repeated = value.find((scope, index) => value.indexOf(scope) !== index);
  if (repeated !== undefined) return `has ${JSON.stringify(repeated)} twice`;
}

function refuseHeader(value: unknown): string | undefined {
  if (typeof value !== "string" || !isToken(value) || value !== value.toLowerCase()) {
    return 'must be the name of a header in lower case, like "x-api-key"';
  }
  if (value === "authorization") return "cannot be authorization; use security.bearer() or security.basic()";
  if (value === "cookie") return "cannot be cookie; use security.cookie()";
}

function refuseText(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "must be text";
}

function refuseUrl(value: unknown): string | undefined {
  return typeof value === "string" && URL.canParse(value) && isQuotable(value) ? undefined : "must be an absolute URL";
}
