/**
 * Breaks the promises about CORS: which origins are allowed, the responses to preflights, and the headers of all
 * responses.
 */
import { type MutatedFile } from "./mutant.ts";

export const cors: readonly MutatedFile[] = [
  {
    file: "src/fetch/cors.ts",
    tests: ["fetch/cors_test.ts", "fetch/cors_security_test.ts"],
    mutants: [
      {
        breaks: "a preflight has an origin",
        find: 'headers.has("origin") && headers.has(methodField)',
        replace: "headers.has(methodField)",
      },
      {
        breaks: "a preflight asks for a method",
        find: 'headers.has("origin") && headers.has(methodField)',
        replace: 'headers.has("origin")',
      },
      { breaks: "pages may send credentials", find: '"access-control-allow-credentials": "true"', replace: "" },
      {
        breaks: "pages may send no credentials that no route takes",
        find: "takesAmbient: ambient !== undefined",
        replace: "takesAmbient: true",
      },
      {
        breaks: "all origins are refused where browsers attach credentials",
        find: "if (ambient) refuseAllOrigins(options, ambient);",
        replace: "",
      },
      { breaks: "a preflight is OPTIONS", find: 'method === "OPTIONS" && ', replace: "" },
      {
        breaks: "a preflight for an unknown path is 404",
        find: "return methods.length > 0\n",
        replace: "return methods.length > 0 || isPreflight(request)\n",
      },
      {
        breaks: "an answer depends on the origin",
        find: 'return origins === "*" ? none : ["origin"];',
        replace: "return none;",
      },
      {
        breaks: "an answer for all origins depends on none",
        find: 'return origins === "*" ? none : ["origin"];',
        replace: 'return ["origin"];',
      },
      {
        breaks: "an answer depends on the origin for those that are not allowed too",
        find: "addVary(headers, vary);",
        replace: 'if (request.headers.has("origin")) addVary(headers, vary);',
      },
      {
        breaks: "an origin that is not allowed sees no allow-field",
        find: "request, response))) return undefined;",
        replace: "request, response)) && origin === null) return undefined;",
      },
      { breaks: "all origins are allowed by an asterisk", find: 'origins === "*" ? "*" : origin!', replace: "origin!" },
      {
        breaks: "a preflight depends on what it asks for",
        find: "[...varyingFields(options), methodField, headersField]",
        replace: "[...varyingFields(options)]",
      },
      {
        breaks: "a preflight of another origin is told nothing",
        find: "if (!allowance) return response;",
        replace: "",
      },
      { breaks: "HEAD is allowed with GET", find: 'method === "GET" ? ["GET", "HEAD"] : method', replace: "method" },
      { breaks: "an empty list of headers is not sent", find: "...(fields.length > 0 && {", replace: "...({" },
      { breaks: "a preflight may be kept", find: '"access-control-max-age": String(maxAge),', replace: "" },
      {
        breaks: "further headers are named in lower case",
        find: "headers.map((name) => name.toLowerCase())",
        replace: "headers",
      },
      {
        breaks: "a schema that cannot tell its keys allows what is asked for",
        find: "isOpen ? parseNames(requested) : none",
        replace: "none",
      },
      {
        breaks: "a schema that can tell its keys allows no others",
        find: "isOpen ? parseNames(requested) : none",
        replace: "parseNames(requested)",
      },
      { breaks: "an answer exposes its fields", find: "[...names.filter(isExposed), ...further]", replace: "further" },
      {
        breaks: "an answer exposes further fields",
        find: "[...names.filter(isExposed), ...further]",
        replace: "names.filter(isExposed)",
      },
      {
        breaks: "an answer exposes nothing to other origins",
        find: "if (allowance) setFields(headers, { ...allowance,",
        replace: "setFields(headers, { ...allowance,",
      },
      {
        breaks: "a handler allows no origin by itself",
        find: 'if (name.startsWith("access-control-")) headers.delete(name);',
        replace: "{}",
      },
    ],
  },
  {
    file: "src/fetch/cors_fields.ts",
    tests: ["fetch/cors_test.ts", "fetch/cors_security_test.ts"],
    mutants: [
      { breaks: "a route with a body takes a content type", find: 'node.body ? ["content-type"] : []', replace: "[]" },
      {
        breaks: "a route takes its credentials",
        find: "...credentialFields(node),",
        replace: "",
      },
      { breaks: "a page sets no cookie", find: 'field !== "cookie"', replace: "true" },
      { breaks: "a route takes its headers", find: "...(declared ?? []),", replace: "" },
      {
        breaks: "an etag is asked for by if-none-match",
        find: 'declared.includes("etag") ? ["if-none-match"] : []',
        replace: "[]",
      },
      {
        breaks: "a date is asked for by if-modified-since",
        find: 'declared.includes("last-modified") ? ["if-modified-since"] : []',
        replace: "[]",
      },
      { breaks: "a preflight allows no asterisk", find: 'name !== "*" && isToken(name)', replace: "isToken(name)" },
      { breaks: "a preflight allows names", find: 'name !== "*" && isToken(name)', replace: 'name !== "*"' },
      { breaks: "what pages may read anyway is not exposed", find: "!alwaysReadable.has(name) && ", replace: "" },
      { breaks: "cookies are not exposed", find: " && !neverReadable.has(name)", replace: "" },
    ],
  },
  {
    file: "src/fetch/forgery.ts",
    tests: ["fetch/forgery_test.ts", "fetch/cors_security_test.ts"],
    mutants: [
      {
        breaks: "the server's own pages are not foreign",
        find: 'site === "same-origin" || site === "none"',
        replace: 'site === "none"',
      },
      {
        breaks: "what a user enters is not foreign",
        find: 'site === "same-origin" || site === "none"',
        replace: 'site === "same-origin"',
      },
      {
        breaks: "pages of the same site are foreign",
        find: 'site === "same-origin" || site === "none"',
        replace: 'site?.startsWith("same-") || site === "none"',
      },
      {
        breaks: "an allowed origin is not foreign",
        find: "allowsOrigin(origin, ignore)) return false;",
        replace: "allowsOrigin(origin, ignore)) {}",
      },
      { breaks: "the origin null is foreign", find: ' && origin !== "null"', replace: "" },
      { breaks: "sec-fetch-site is believed before the origin", find: "if (site !== null) return true;", replace: "" },
      {
        breaks: "a program without an origin is not foreign",
        find: "return origin !== null && !isHostOf",
        replace: "return origin === null || !isHostOf",
      },
      {
        breaks: "an own origin has the URL's port",
        find: "new URL(origin).host === new URL(url).host",
        replace: "new URL(origin).hostname === new URL(url).hostname",
      },
      {
        breaks: "an own origin may have another scheme",
        find: "new URL(origin).host === new URL(url).host",
        replace: "new URL(origin).origin === new URL(url).origin",
      },
      { breaks: "an own origin is one of HTTP", find: "/^https?:/.test(origin) && ", replace: "" },
      {
        breaks: "a malformed origin is foreign",
        find: "URL.canParse(origin) && ",
        replace: "!URL.canParse(origin) || ",
      },
    ],
  },
  {
    file: "src/fetch/origins.ts",
    tests: ["fetch/cors_test.ts"],
    mutants: [
      {
        breaks: "a list of origins is compared whole",
        find: "return (origin) => allowed.has(origin);",
        replace: "return (origin) => origins.some((each) => origin?.startsWith(each));",
      },
      {
        breaks: "a list of origins is that of the mount",
        find: "return (origin) => allowed.has(origin);",
        replace: "return (origin) => origins.includes(origin!);",
      },
      {
        breaks: "a function of origins is asked about URLs alone",
        find: "origin === null || !URL.canParse(origin)",
        replace: "origin === null",
      },
      {
        breaks: "a promise allows no origin",
        find: 'if (typeof allowed === "boolean") return allowed;',
        replace: "if (allowed) return true;",
      },
      { breaks: "what origins throws is told", find: "report(error);", replace: "" },
    ],
  },
  {
    file: "src/fetch/check_cors.ts",
    tests: ["fetch/cors_test.ts"],
    mutants: [
      { breaks: "an origin has no path and no wildcard", find: "!schemeAndHost.test(text) || ", replace: "" },
      {
        breaks: "an origin has no usual port",
        find: 'origin === text || (origin === "null"',
        replace: '(origin !== "null"',
      },
      { breaks: "local files have no origin", find: ' && !text.startsWith("file:")', replace: "" },
      {
        breaks: "the origin null is refused in words of its own",
        find: 'if (origin === "null") return \'cannot',
        replace: 'if (origin === "nul") return \'cannot',
      },
      {
        breaks: "an unknown member of cors is refused",
        find: "if (unknown !== undefined) return",
        replace: "if (unknown === null) return",
      },
      { breaks: "an asterisk names no header", find: 'name !== "*" && isToken(name)', replace: "isToken(name)" },
      { breaks: "maxAge counts from 0", find: "(maxAge as number) >= 0", replace: "true" },
    ],
  },
  {
    file: "src/wire/vary.ts",
    tests: ["fetch/cors_test.ts"],
    mutants: [
      { breaks: "an asterisk in vary stays", find: 'if (present.includes("*")) return;', replace: "" },
      {
        breaks: "vary names a field once",
        find: "names.filter((name) => !present.includes(name))",
        replace: "[...names]",
      },
      { breaks: "vary keeps what a handler names", find: "headers.append(", replace: "headers.set(" },
    ],
  },
  {
    file: "src/fetch/edit_headers.ts",
    tests: ["fetch/cors_test.ts"],
    mutants: [
      {
        breaks: "an answer that cannot be sent is no failure",
        find: "} catch {\n    return response;",
        replace: "} catch (error) {\n    throw error;",
      },
      { breaks: "a 101 is sent as it is", find: "if (response.status === 101) return response;", replace: "" },
      {
        breaks: "a response that was fetched is copied with its fields",
        find: "new Headers(response.headers)",
        replace: "new Headers()",
      },
    ],
  },
];
