/**
 * Breaks the promises about security and guards: which callers are accepted, how others are refused, and the headers of
 * all responses.
 */
import { type MutatedFile } from "./mutant.ts";

export const security: readonly MutatedFile[] = [
  {
    file: "src/fetch/authenticate.ts",
    tests: ["fetch/security_test.ts"],
    mutants: [
      {
        breaks: "a custom scheme runs if no other credential is present",
        find: "return custom ? verify(custom, noCredential, request, runtime) : unshown;",
        replace: "return unshown;",
      },
      {
        breaks: "a route without security.none refuses callers without a credential",
        find: "isOptional(security) ? anonymous : refuseMissing",
        replace: "true ? anonymous : refuseMissing",
      },
      {
        breaks: "a route with security.none accepts callers without a credential",
        find: "isOptional(security) ? anonymous : refuseMissing",
        replace: "false ? anonymous : refuseMissing",
      },
      {
        breaks: "an expired cookie is refused if a credential is required",
        find: "isOptional(security) && kindRules[scheme.kind].isLenient",
        replace: "kindRules[scheme.kind].isLenient",
      },
      {
        breaks: "a forged request is refused",
        find: "if (accepted.isForgeable && isForeign(request, allowsOrigin)) return crossSite;",
        replace: "",
      },
      {
        breaks: "a malformed credential does not reach a verifier",
        find: 'if (shown === "malformed") return accepted.invalid;',
        replace: 'if (shown === "malformed") shown = {};',
      },
      {
        breaks: "a verifier that returns nothing refuses",
        find: "if (caller === null || caller === undefined) return invalid;",
        replace: "",
      },
      { breaks: "null refuses", find: "caller === null || caller === undefined", replace: "caller === undefined" },
      { breaks: "an array is not a caller", find: " && !Array.isArray(value)", replace: "" },
      { breaks: "an error is not a caller", find: " && !(value instanceof Error)", replace: "" },
      { breaks: "a Response is not a caller", find: " && !isResponse(value)", replace: "" },
      { breaks: "a result is not a caller", find: " && !isBuiltResult(value)", replace: "" },
      { breaks: "a function is not a caller", find: 'typeof value === "object" && value', replace: "value" },
      { breaks: "a caller may have only a status", find: "keys.length > 1 && ", replace: "" },
      {
        breaks: "a caller may have a status",
        find: 'keys.length > 1 && keys.every((key) => key === "status" || key === "body" || key === "headers")',
        replace: "keys.length > 1",
      },
      {
        breaks: "a caller has scopes if the scheme has some",
        find: "if (!Array.isArray(granted)) {",
        replace: "if (granted === null) {",
      },
      { breaks: "all required scopes are needed", find: "scopes.every(", replace: "scopes.some(" },
      {
        breaks: "a caller without the scopes is refused",
        find: "? { caller } : insufficient",
        replace: "? { caller } : { caller }",
      },
      {
        breaks: "no handler runs if the client disconnects while a verifier runs",
        find: "return unlessDisconnected(verdict, request);",
        replace: "return verdict;",
      },
    ],
  },
  {
    file: "src/contract/security_rules.ts",
    tests: ["fetch/security_test.ts", "openapi/security_test.ts"],
    mutants: [
      {
        breaks: "an expired cookie counts as absent if security is optional",
        find: "cookie: { isLenient: true",
        replace: "cookie: { isLenient: false",
      },
      {
        breaks: "an invalid token is refused even if security is optional",
        find: "bearer: { isLenient: false",
        replace: "bearer: { isLenient: true",
      },
      {
        breaks: "an invalid key is refused even if security is optional",
        find: "apiKey: { isLenient: false",
        replace: "apiKey: { isLenient: true",
      },
      {
        breaks: "a custom scheme that refuses counts as absent if security is optional",
        find: "custom: { isLenient: true",
        replace: "custom: { isLenient: false",
      },
      {
        breaks: "a 403 lists scopes only for bearer tokens",
        find: "apiKey: { isLenient: false, hasScopeChallenge: false }",
        replace: "apiKey: { isLenient: false, hasScopeChallenge: true }",
      },
      {
        breaks: "only credentials that browsers attach are forgeable",
        find: "return scheme.isAmbient && mayChange(route);",
        replace: "return mayChange(route);",
      },
      {
        breaks: "a safe method is not forgeable",
        find: "return scheme.isAmbient && mayChange(route);",
        replace: "return scheme.isAmbient;",
      },
      {
        breaks: "a route that switches protocols is forgeable",
        find: " || Object.hasOwn(responses, 101)",
        replace: "",
      },
      { breaks: "GET is safe", find: '["GET", "HEAD"', replace: '["HEAD"' },
      { breaks: "QUERY is safe", find: ', "QUERY"]', replace: "]" },
      { breaks: "POST is not safe", find: '["GET", "HEAD"', replace: '["POST", "GET", "HEAD"' },
    ],
  },
  {
    file: "src/fetch/admission.ts",
    tests: ["fetch/security_test.ts", "server/guard_test.ts"],
    mutants: [
      {
        breaks: "a route with only guards runs them",
        find: "if (!isSecured && guards.length === 0) return undefined;",
        replace: "if (!isSecured) return undefined;",
      },
      {
        breaks: "a route with only security authenticates",
        find: "if (!isSecured && guards.length === 0) return undefined;",
        replace: "if (guards.length === 0) return undefined;",
      },
      {
        breaks: "a response to a caller is private",
        find: "caller, added, isPrivate: caller !== undefined }",
        replace: "caller, added, isPrivate: false }",
      },
      {
        breaks: "a response without a caller is not private",
        find: "caller, added, isPrivate: caller !== undefined }",
        replace: "caller, added, isPrivate: true }",
      },
      {
        breaks: "an early response has the security headers",
        find: "return finish(stop(end, stopped), stopped);",
        replace: "stop(end, matched)",
      },
      {
        breaks: "a guard's response without a caller is not private",
        find: "!(end instanceof EarlyResult && end.isAnonymous)",
        replace: "true",
      },
      {
        breaks: "contextInput runs once",
        find: "{ ...matched, caller, added, isPrivate",
        replace: "{ ...matched, caller, isPrivate",
      },
      {
        breaks: "guards run",
        find: "return whenReady(stop, (stop) => stop ?? admitted);",
        replace: "return admitted;",
      },
      {
        breaks: "a guard knows the caller",
        find: "{ request, caller: admitted.caller, added: admitted.added }",
        replace: "{ request, caller: undefined, added: admitted.added }",
      },
    ],
  },
  {
    file: "src/fetch/security_refusals.ts",
    tests: ["fetch/security_test.ts", "fetch/security_laws_test.ts"],
    mutants: [
      {
        breaks: "a wrong token is called invalid",
        find: 'challengeOf(refused, "invalid_token")',
        replace: "challengeOf(refused)",
      },
      {
        breaks: "a 401 names the other schemes too",
        find: ", ...others.map((each) => challengeOf(each))]",
        replace: "]",
      },
      { breaks: "a refused scheme is named once", find: "each !== refused", replace: "true" },
      {
        breaks: "a 403 for a scheme without scopes omits the challenge",
        find: "challenges.length > 0 && ",
        replace: "",
      },
      {
        breaks: "a 403 for a bearer token lists the scopes",
        find: "kindRules[kind].hasScopeChallenge ?",
        replace: "false ?",
      },
      {
        breaks: "a bearer's challenge has a realm",
        find: "bearerChallenge(scheme), hasRealm: true",
        replace: "bearerChallenge(scheme)",
      },
      { breaks: "a basic challenge has a realm", find: "basicChallenge, hasRealm: true", replace: "basicChallenge" },
      {
        breaks: "a declared realm is named by any kind",
        find: "hasRealm ? scheme.realm : options.realm",
        replace: "hasRealm ? scheme.realm : undefined",
      },
      {
        breaks: "a challenge names the metadata",
        find: "    metadata: options.metadata,\n    error",
        replace: "    error",
      },
    ],
  },
  {
    file: "src/fetch/security_fields.ts",
    tests: ["fetch/security_test.ts"],
    mutants: [
      { breaks: "a private response is not stored", find: 'headers.set("cache-control", "no-store");', replace: "{}" },
      {
        breaks: "a response without a caller may be stored",
        find: "if (stated === null && isPrivate)",
        replace: "if (stated === null)",
      },
      {
        breaks: "a result's own cache-control is kept",
        find: "if (stated === null && isPrivate)",
        replace: "if (isPrivate)",
      },
      { breaks: "a response varies by its credentials", find: "addVary(headers, fields);", replace: "{}" },
      { breaks: "a no-store response does not vary", find: "|| !noStore.test(stated)", replace: "|| true" },
      {
        breaks: "a storable response varies by its credentials",
        find: "else if (stated === null || !noStore.test(stated))",
        replace: "else if (stated === null)",
      },
      {
        breaks: "no-store may be one of several directives",
        find: "(?:^|,)[\\t ]*no-store[\\t ]*(?:,|$)",
        replace: "^no-store$",
      },
      {
        breaks: "a directive that only contains no-store is different",
        find: "(?:^|,)[\\t ]*no-store[\\t ]*(?:,|$)",
        replace: "no-store",
      },
    ],
  },
  {
    file: "src/fetch/guard.ts",
    tests: ["server/guard_test.ts"],
    mutants: [
      {
        breaks: "a guard that returns a response is the last one",
        find: "stop instanceof Stop ? stop : next(guarded)",
        replace: "next(guarded)",
      },
      { breaks: "all guards run", find: "stop instanceof Stop ? stop : next(guarded)", replace: "stop" },
      {
        breaks: "a guard that returns nothing passes the request on",
        find: "if (result === undefined) return undefined;",
        replace: "",
      },
      { breaks: "a guard's stream that is not a result is closed", find: "closeSource(result);", replace: "" },
      {
        breaks: "a guard's result without a caller is not private",
        find: "new EarlyResult(result, caller === undefined)",
        replace: "new EarlyResult(result)",
      },
      {
        breaks: "a guard's result for a caller is private",
        find: "new EarlyResult(result, caller === undefined)",
        replace: "new EarlyResult(result, true)",
      },
      {
        breaks: "no handler runs if the client disconnects while a guard runs",
        find: "unlessDisconnected(attempt(() => run(input, added), recover, toStop, guarded), request)",
        replace: "attempt(() => run(input, added), recover, toStop, guarded)",
      },
    ],
  },
  {
    file: "src/fetch/early_result.ts",
    tests: ["server/guard_test.ts", "fetch/security_test.ts"],
    mutants: [
      {
        breaks: "a result that a guard or verifier throws is a result",
        find: "if (isResult(thrown)) return",
        replace: "if (isResult(thrown) && false) return",
      },
      {
        breaks: "a failure has its phase",
        find: "return toFailure(phase, thrown);",
        replace: 'return toFailure("handler", thrown);',
      },
    ],
  },
  {
    file: "src/contract/security.ts",
    tests: ["contract/security_test.ts"],
    mutants: [
      { breaks: "a scheme is checked", find: "checkScheme(kind, name, options);", replace: "" },
      { breaks: "a realm is api unless it is declared", find: 'realm = "api"', replace: 'realm = ""' },
      { breaks: "a scheme is frozen", find: ", (_key, value) => Object.freeze(value)", replace: "" },
      {
        breaks: "a place of a credential is frozen",
        find: "Object.freeze(toCredential(kept))",
        replace: "toCredential(kept)",
      },
      { breaks: "basic is ambient", find: "() => basicCredential, true)", replace: "() => basicCredential)" },
      {
        breaks: "a cookie is ambient",
        find: "cookieCredential(cookie!), true)",
        replace: "cookieCredential(cookie!))",
      },
      {
        breaks: "scoped() requires a scope",
        find: "if (required.length === 0) cannotDeclare",
        replace: "if (false) cannotDeclare",
      },
      {
        breaks: "scoped() requires scopes that exist",
        find: "if (unknown !== undefined) {",
        replace: "if (unknown === null) {",
      },
      { breaks: "a scope is required once", find: "[...new Set(required)]", replace: "[...required]" },
    ],
  },
  {
    file: "src/contract/copy_security.ts",
    tests: ["contract/security_test.ts"],
    mutants: [
      {
        breaks: "security is a list",
        find: "if (!Array.isArray(security)) {",
        replace: "if (false) {",
      },
      {
        breaks: "a list of security is frozen",
        find: "Object.freeze([...security])",
        replace: "[...security] as Security",
      },
      {
        breaks: "an inner list is refused as such",
        find: "if (Array.isArray(entry)) return",
        replace: "if (false) return",
      },
      {
        breaks: "an entry of another kind is refused",
        find: "return `${describeValue(entry)}; write",
        replace: "return entry as undefined ?? `${describeValue(entry)}; write",
      },
    ],
  },
  {
    file: "src/contract/security_checks.ts",
    tests: ["contract/security_test.ts"],
    mutants: [
      {
        breaks: "security.none may occur only once",
        find: "if (list.filter(isNone).length > 1) return",
        replace: "if (false) return",
      },
      {
        breaks: "security.none needs other schemes",
        find: "if (isOptional(list) && list.length === 1) {",
        replace: "if (false) {",
      },
      {
        breaks: "two schemes that are read alike are refused",
        find: "if (earlier !== undefined) {",
        replace: "if (earlier === null) {",
      },
      { breaks: "a list has one custom scheme", find: '?? "a custom scheme"', replace: "?? scheme.name" },
      { breaks: "a key's header is not declared by its route", find: "declared?.includes(field)", replace: "false" },
      {
        breaks: "fields that carry other things too may be declared",
        find: "!sharedFields.includes(field) && ",
        replace: "",
      },
      {
        breaks: "schemes of one name are one scheme",
        find: "if (earlier && earlier.scheme !== scheme) {",
        replace: "if (false) {",
      },
      {
        breaks: "a scheme may be in two lists",
        find: "if (earlier && earlier.scheme !== scheme) {",
        replace: "if (earlier) {",
      },
      {
        breaks: "routes are looked through",
        find: "for (const node of nodes) refuseKeyField(node, where);",
        replace: "",
      },
    ],
  },
  {
    file: "src/contract/check_security.ts",
    tests: ["contract/security_test.ts"],
    mutants: [
      { breaks: "the schemes' checks run", find: "checks?.refuseNodes(nodes, where);", replace: "" },
      {
        breaks: "a route without security is refused if another one declares it",
        find: "if (silent.length === 0 || silent.length === nodes.length) return;",
        replace: "if (silent.length >= 0) return;",
      },
      { breaks: "a contract without security is as ever", find: " || silent.length === nodes.length", replace: "" },
      {
        breaks: "all routes without security are listed",
        find: "silent.map(({ key }) => key).join",
        replace: "silent.slice(0, 1).map(({ key }) => key).join",
      },
    ],
  },
  {
    file: "src/contract/check_scheme.ts",
    tests: ["contract/security_test.ts"],
    mutants: [
      {
        breaks: "a scheme has a name",
        find: 'typeof name !== "string" || !/^[\\w.-]+$/.test(name)',
        replace: 'typeof name !== "string"',
      },
      {
        breaks: "unknown options are refused",
        find: "checkOptions(options, [...own, ...common], where);",
        replace: "",
      },
      {
        breaks: "required options are required",
        find: "if (missing !== undefined) cannotDeclare",
        replace: "if (missing === null) cannotDeclare",
      },
      {
        breaks: "values of options are checked",
        find: "value === undefined ? undefined : checks[option]!(value)",
        replace: "undefined",
      },
      {
        breaks: "an option may be undefined",
        find: "value === undefined ? undefined : checks[option]!(value)",
        replace: "checks[option]!(value)",
      },
      {
        breaks: "a scope is text of its characters",
        find: 'typeof scope !== "string" || !isScope(scope)',
        replace: 'typeof scope !== "string"',
      },
      {
        breaks: "a scope is declared once",
        find: "if (repeated !== undefined) return",
        replace: "if (repeated === null) return",
      },
      { breaks: "a header is in lower case", find: " || value !== value.toLowerCase()", replace: "" },
      {
        breaks: "a key is not in authorization",
        find: 'if (value === "authorization") return',
        replace: "if (false) return",
      },
      { breaks: "a key is not in cookie", find: 'if (value === "cookie") return', replace: "if (false) return" },
      {
        breaks: "a URL in a challenge must be quotable",
        find: "URL.canParse(text) && isQuotable(text)",
        replace: "URL.canParse(text)",
      },
      { breaks: "a URL is absolute", find: "URL.canParse(text) && isQuotable(text)", replace: "isQuotable(text)" },
    ],
  },
  {
    file: "src/server/check_verifiers.ts",
    tests: ["server/security_test.ts"],
    mutants: [
      { breaks: "verifiers are a list", find: "if (!Array.isArray(value)) {", replace: "if (false) {" },
      {
        breaks: "a list of verifiers has verifiers",
        find: "if (wrong !== -1) {",
        replace: "if (false) {",
      },
      {
        breaks: "each scheme has a verifier",
        find: "schemes.filter((scheme) => !verified.includes(scheme))",
        replace: "schemes.slice(0, 0)",
      },
      {
        breaks: "each verifier has a scheme",
        find: "verified.filter((scheme) => !schemes.includes(scheme))",
        replace: "verified.slice(0, 0)",
      },
      { breaks: "a scheme has one verifier", find: "verified.indexOf(scheme) !== index", replace: "index < 0" },
      {
        breaks: "mistakes of verifiers are refused",
        find: "if (problems.length > 0) refuse",
        replace: "if (false) refuse",
      },
    ],
  },
  {
    file: "src/server/security.ts",
    tests: ["contract/security_test.ts"],
    mutants: [
      {
        breaks: "a verifier verifies a scheme",
        find: 'if (!isMarked(scheme, "security scheme")) {',
        replace: "if (false) {",
      },
      {
        breaks: "a verifier is a function",
        find: 'if (typeof verify !== "function") {',
        replace: "if (false) {",
      },
    ],
  },
];
