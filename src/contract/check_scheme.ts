import { describeValue } from "../describe_value.ts";
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

const refuseText = /* @__PURE__ */ toCheck(() => true, "a string");
const refuseUrl = /* @__PURE__ */ toCheck((text) => URL.canParse(text) && isQuotable(text), "an absolute URL");

const checks: Readonly<Record<string, RefuseOption>> = {
  scopes: refuseScopes,
  realm: /* @__PURE__ */ toCheck(isQuotable, "a Latin-1 string without control characters"),
  description: refuseText,
  scheme: /* @__PURE__ */ toCheck(isToken, 'an authentication scheme like "Bearer"'),
  format: refuseText,
  oauth2: (value) => isObject(value) && isObject(value.flows) ? undefined : mustBe("an object { flows: { … } }", value),
  openIdConnect: refuseUrl,
  metadata: refuseUrl,
  header: refuseHeader,
  cookie: /* @__PURE__ */ toCheck(isToken, 'a cookie name like "__Host-session"'),
  challenge: /* @__PURE__ */ toCheck(isChallenge, `a challenge like 'DPoP algs="ES256"'`),
  openapi: (value) => isObject(value) ? undefined : mustBe('an object like { type: "mutualTLS" }', value),
  ambient: (value) => typeof value === "boolean" ? undefined : mustBe("a boolean", value),
};

function toCheck(isValid: (text: string) => boolean, expected: string): RefuseOption {
  return (value) => typeof value === "string" && isValid(value) ? undefined : mustBe(expected, value);
}

function mustBe(expected: string, value: unknown): string {
  return `must be ${expected}, got ${describeValue(value)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws a `TypeError` if a scheme is invalid. */
export function checkScheme(kind: SchemeKind, name: unknown, options: AnySchemeOptions): void {
  const where = `security.${kind}(${describeValue(name)})`;
  if (typeof name !== "string" || !/^[\w.-]+$/.test(name)) {
    cannotDeclare(where, "the name must have only letters, digits, dots, hyphens and underscores");
  }
  const { own, required } = optionsOf[kind];
  checkOptions(options, [...own, ...common], where);
  const missing = required.find((option) => (options as Record<string, unknown>)[option] === undefined);
  if (missing !== undefined) cannotDeclare(where, `"${missing}" is required`);
  for (const [option, value] of Object.entries(options)) {
    const state = value === undefined ? undefined : checks[option]!(value);
    if (state !== undefined) cannotDeclare(where, `"${option}" ${state}`);
  }
  if (options.oauth2 && options.openIdConnect) {
    cannotDeclare(where, '"oauth2" and "openIdConnect" cannot be combined; remove one');
  }
}

function refuseScopes(value: unknown): string | undefined {
  if (!Array.isArray(value)) return mustBe('an array of scopes like ["notes:read"]', value);
  const invalid = value.findIndex((scope) => typeof scope !== "string" || !isScope(scope));
  if (invalid !== -1) {
    return `has the invalid scope ${describeValue(value[invalid])}; remove spaces, quotes and backslashes`;
  }
  const repeated = value.find((scope, index) => value.indexOf(scope) !== index);
  if (repeated !== undefined) return `has ${JSON.stringify(repeated)} twice; remove one`;
}

function refuseHeader(value: unknown): string | undefined {
  if (typeof value !== "string" || !isToken(value) || value !== value.toLowerCase()) {
    return mustBe('a lower-case header name like "x-api-key"', value);
  }
  if (value === "authorization") return 'must not be "authorization"; use security.bearer() or security.basic()';
  if (value === "cookie") return 'must not be "cookie"; use security.cookie()';
}
