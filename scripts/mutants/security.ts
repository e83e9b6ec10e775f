/** How the promises of security and guards break: who is let in, what others are answered, what every answer says. */
import { type MutatedFile } from "./mutant.ts";

export const security: readonly MutatedFile[] = [
  {
    file: "src/fetch/authenticate.ts",
    tests: ["fetch/security_test.ts"],
    mutants: [
      {
        breaks: "a custom scheme is asked where no other is shown",
        find: "return custom ? verify(custom, noCredential, request, runtime) : unshown;",
        replace: "return unshown;",
      },
      {
        breaks: "a route without security.none lets nobody in",
        find: "isOptional(security) ? anonymous : refuseMissing",
        replace: "true ? anonymous : refuseMissing",
      },
      {
        breaks: "a route with security.none lets anyone in who shows nothing",
        find: "isOptional(security) ? anonymous : refuseMissing",
        replace: "false ? anonymous : refuseMissing",
      },
      {
        breaks: "an expired cookie counts as none where none is needed",
        find: "cookie: true,",
        replace: "cookie: false,",
      },
      { breaks: "a wrong token is refused where none is needed", find: "bearer: false,", replace: "bearer: true," },
      { breaks: "a wrong key is refused where none is needed", find: "apiKey: false,", replace: "apiKey: true," },
      {
        breaks: "a custom scheme that refuses counts as none where none is needed",
        find: "custom: true,",
        replace: "custom: false,",
      },
      {
        breaks: "an expired cookie is refused where a credential is needed",
        find: "isOptional(security) && isLenientOf[scheme.kind]",
        replace: "isLenientOf[scheme.kind]",
      },
      {
        breaks: "only what browsers attach is forgeable",
        find: "isForgeable: scheme.isAmbient && mayChange(node)",
        replace: "isForgeable: mayChange(node)",
      },
      {
        breaks: "a safe method is not forgeable",
        find: "isForgeable: scheme.isAmbient && mayChange(node)",
        replace: "isForgeable: scheme.isAmbient",
      },
      {
        breaks: "a route that switches protocols is forgeable",
        find: " || Object.hasOwn(responses, 101)",
        replace: "",
      },
      { breaks: "GET is safe", find: '["GET", "HEAD"', replace: '["HEAD"' },
      { breaks: "QUERY is safe", find: ', "QUERY"]', replace: "]" },
      { breaks: "POST is not safe", find: '["GET", "HEAD"', replace: '["POST", "GET", "HEAD"' },
      {
        breaks: "a forged request is refused",
        find: "if (accepted.isForgeable && isForeign(request, allowsOrigin)) return crossSite;",
        replace: "",
      },
      {
        breaks: "a malformed credential reaches no verifier",
        find: 'if (shown === "malformed") return accepted.invalid;',
        replace: 'if (shown === "malformed") shown = {};',
      },
      {
        breaks: "nobody is no caller",
        find: "if (caller === null || caller === undefined) return invalid;",
        replace: "",
      },
      { breaks: "null refuses", find: "caller === null || caller === undefined", replace: "caller === undefined" },
      { breaks: "an array is no caller", find: " && !Array.isArray(value)", replace: "" },
      { breaks: "an error is no caller", find: " && !(value instanceof Error)", replace: "" },
      { breaks: "a Response is no caller", find: " && !isResponse(value)", replace: "" },
      { breaks: "a result is no caller", find: " && !isBuilt(value)", replace: "" },
      { breaks: "a function is no caller", find: 'typeof value === "object" && value', replace: "value" },
      { breaks: "a caller may have a status alone", find: "keys.length > 1 && ", replace: "" },
      {
        breaks: "a caller may have a status",
        find: 'keys.length > 1 && keys.every((key) => key === "status" || key === "body" || key === "headers")',
        replace: "keys.length > 1",
      },
      {
        breaks: "a caller has scopes where the scheme has some",
        find: "if (!Array.isArray(granted)) throw",
        replace: "if (granted === null) throw",
      },
      { breaks: "all required scopes are needed", find: "scopes.every(", replace: "scopes.some(" },
      {
        breaks: "a caller without the scopes is refused",
        find: "? { caller } : insufficient",
        replace: "? { caller } : { caller }",
      },
      {
        breaks: "a client that has gone while a verifier works starts no handler",
        find: "return unlessGone(verdict, request);",
        replace: "return verdict;",
      },
    ],
  },
  {
    file: "src/fetch/admission.ts",
    tests: ["fetch/security_test.ts", "server/guard_test.ts"],
    mutants: [
      {
        breaks: "a route with guards alone runs them",
        find: "if (!isSecured && guards.length === 0) return undefined;",
        replace: "if (!isSecured) return undefined;",
      },
      {
        breaks: "a route with security alone authenticates",
        find: "if (!isSecured && guards.length === 0) return undefined;",
        replace: "if (guards.length === 0) return undefined;",
      },
      {
        breaks: "an answer to a caller is private",
        find: "finish(walk(params, { ...matched, caller, added }), matched, caller !== undefined)",
        replace: "finish(walk(params, { ...matched, caller, added }), matched, false)",
      },
      {
        breaks: "an answer to nobody is not private",
        find: "finish(walk(params, { ...matched, caller, added }), matched, caller !== undefined)",
        replace: "finish(walk(params, { ...matched, caller, added }), matched, true)",
      },
      {
        breaks: "a walk that ends early says what follows from security",
        find: "finish(stop(end, matched), matched, !(end instanceof Answered && end.isAnonymous))",
        replace: "stop(end, matched)",
      },
      {
        breaks: "a guard's answer to nobody is not private",
        find: "!(end instanceof Answered && end.isAnonymous)",
        replace: "true",
      },
      {
        breaks: "contextInput runs once",
        find: "finish(walk(params, { ...matched, caller, added }), matched",
        replace: "finish(walk(params, { ...matched, caller }), matched",
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
    tests: ["fetch/security_test.ts"],
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
      { breaks: "a refusal is not stored", find: '"cache-control": "no-store",', replace: "" },
      { breaks: "a 403 of a kind without scopes has no challenge", find: "challenges.length > 0 && ", replace: "" },
      {
        breaks: "a bearer's 403 says which scopes",
        find: ", hasRealm: true, hasScopes: true }",
        replace: ", hasRealm: true }",
      },
      { breaks: "a bearer's challenge has a realm", find: ", hasRealm: true, hasScopes", replace: ", hasScopes" },
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
      { breaks: "a private answer is not stored", find: 'headers.set("cache-control", "no-store");', replace: "{}" },
      { breaks: "a result says how it is stored", find: ' && !headers.has("cache-control")', replace: "" },
      { breaks: "an answer depends on its credentials", find: "addVary(headers, fields);", replace: "{}" },
      {
        breaks: "what is not stored depends on nothing",
        find: "if (!isUnstored(headers)) addVary",
        replace: "addVary",
      },
      {
        breaks: "no-store is one directive among others",
        find: "(?:^|,)[\\t ]*no-store[\\t ]*(?:,|$)",
        replace: "^no-store$",
      },
      {
        breaks: "a directive that has no-store in its name is another",
        find: "(?:^|,)[\\t ]*no-store[\\t ]*(?:,|$)",
        replace: "no-store",
      },
    ],
  },
  {
    file: "src/fetch/forgery.ts",
    tests: ["fetch/security_test.ts"],
    mutants: [
      { breaks: "the own origin passes", find: 'site === "same-origin" || ', replace: "" },
      { breaks: "what the user does passes", find: ' || site === "none"', replace: "" },
      { breaks: "an allowed origin passes", find: "allowsOrigin(origin, ignore)", replace: "false" },
      { breaks: "null is foreign", find: 'origin !== "null" && ', replace: "" },
      { breaks: "what browsers call foreign is foreign", find: "if (site !== null) return true;", replace: "" },
      { breaks: "a request without an origin passes", find: "return origin !== null && ", replace: "return " },
      { breaks: "another host is foreign", find: "origin !== null && !isHostOf(origin, url)", replace: "false" },
      {
        breaks: "another port is foreign",
        find: "new URL(origin).host === new URL(url).host",
        replace: "new URL(origin).hostname === new URL(url).hostname",
      },
      { breaks: "an origin that is no URL is foreign", find: "URL.canParse(origin) && ", replace: "" },
    ],
  },
  {
    file: "src/fetch/guard.ts",
    tests: ["server/guard_test.ts"],
    mutants: [
      {
        breaks: "a guard that answers is the last",
        find: "stop instanceof Stop ? stop : next(guarded)",
        replace: "next(guarded)",
      },
      { breaks: "all guards run", find: "stop instanceof Stop ? stop : next(guarded)", replace: "stop" },
      {
        breaks: "a guard that returns nothing lets the request pass",
        find: "if (result === undefined) return undefined;",
        replace: "",
      },
      { breaks: "a guard's stream that is no result is closed", find: "closeSource(result);", replace: "" },
      {
        breaks: "what a guard returns to nobody is not private",
        find: "new Answered(result, caller === undefined)",
        replace: "new Answered(result)",
      },
      {
        breaks: "what a guard returns to a caller is private",
        find: "new Answered(result, caller === undefined)",
        replace: "new Answered(result, true)",
      },
      {
        breaks: "a client that has gone while a guard works starts no handler",
        find: "unlessGone(attempt(() => run(input, added), recover, toStop, guarded), request)",
        replace: "attempt(() => run(input, added), recover, toStop, guarded)",
      },
    ],
  },
  {
    file: "src/fetch/answered.ts",
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
];
