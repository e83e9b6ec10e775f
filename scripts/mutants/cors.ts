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
        breaks: "a preflight has a requested method",
        find: 'headers.has("origin") && headers.has(methodField)',
        replace: 'headers.has("origin")',
      },
      { breaks: "pages may send credentials", find: '"access-control-allow-credentials": "true"', replace: "" },
      {
        breaks: "pages may send credentials only if a route accepts them",
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
        breaks: "a response varies by origin",
        find: 'return origins === "*" ? none : ["origin"];',
        replace: "return none;",
      },
      {
        breaks: "a response for all origins does not vary by origin",
        find: 'return origins === "*" ? none : ["origin"];',
        replace: 'return ["origin"];',
      },
      {
        breaks: "a response varies by origin for refused origins too",
        find: "addVary(headers, vary);",
        replace: 'if (request.headers.has("origin")) addVary(headers, vary);',
      },
      {
        breaks: "a refused origin receives no allow fields",
        find: "request, response))) return undefined;",
        replace: "request, response)) && origin === null) return undefined;",
      },
      { breaks: "all origins are allowed by an asterisk", find: 'origins === "*" ? "*" : origin!', replace: "origin!" },
      {
        breaks: "a preflight response varies by the requested method and headers",
        find: "[...varyingFields(options), methodField, headersField]",
        replace: "[...varyingFields(options)]",
      },
      {
        breaks: "a preflight of a refused origin receives no allow fields",
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
        breaks: "a schema with unknown keys allows the requested headers",
        find: "isOpen ? parseNames(requested) : none",
        replace: "none",
      },
      {
        breaks: "a schema with known keys allows only those headers",
        find: "isOpen ? parseNames(requested) : none",
        replace: "parseNames(requested)",
      },
      {
        breaks: "a response exposes its declared fields",
        find: "[...names.filter(isExposed), ...further]",
        replace: "further",
      },
      {
        breaks: "a response exposes the fields of the option",
        find: "[...names.filter(isExposed), ...further]",
        replace: "names.filter(isExposed)",
      },
      {
        breaks: "a response exposes nothing to refused origins",
        find: "if (allowance) setFields(headers, { ...allowance,",
        replace: "setFields(headers, { ...allowance,",
      },
      {
        breaks: "a handler cannot allow an origin",
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
      { breaks: "pages cannot set the cookie field", find: 'field !== "cookie"', replace: "true" },
      { breaks: "a route takes its headers", find: "...(declared ?? []),", replace: "" },
      {
        breaks: "an etag allows if-none-match",
        find: 'declared.includes("etag") ? ["if-none-match"] : []',
        replace: "[]",
      },
      {
        breaks: "last-modified allows if-modified-since",
        find: 'declared.includes("last-modified") ? ["if-modified-since"] : []',
        replace: "[]",
      },
      {
        breaks: "a preflight does not allow an asterisk as a name",
        find: 'name !== "*" && isToken(name)',
        replace: "isToken(name)",
      },
      {
        breaks: "a preflight allows the requested names",
        find: 'name !== "*" && isToken(name)',
        replace: 'name !== "*"',
      },
      { breaks: "safelisted fields are not exposed", find: "!alwaysReadable.has(name) && ", replace: "" },
      { breaks: "cookies are not exposed", find: " && !neverReadable.has(name)", replace: "" },
    ],
  },
  {
    file: "src/fetch/forgery.ts",
    tests: ["fetch/forgery_test.ts", "fetch/cors_security_test.ts"],
    mutants: [
      {
        breaks: "the server's own pages are not cross-site",
        find: 'site === "same-origin" || site === "none"',
        replace: 'site === "none"',
      },
      {
        breaks: "a URL entered by a user is not cross-site",
        find: 'site === "same-origin" || site === "none"',
        replace: 'site === "same-origin"',
      },
      {
        breaks: "pages of other origins of the same site are cross-site",
        find: 'site === "same-origin" || site === "none"',
        replace: 'site?.startsWith("same-") || site === "none"',
      },
      {
        breaks: "an allowed origin is not cross-site",
        find: "allowsOrigin(origin, ignore)) return false;",
        replace: "allowsOrigin(origin, ignore)) {}",
      },
      { breaks: "the origin null is cross-site", find: ' && origin !== "null"', replace: "" },
      {
        breaks: "sec-fetch-site takes precedence over the origin",
        find: "if (site !== null) return true;",
        replace: "",
      },
      {
        breaks: "a program without an origin is not cross-site",
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
      { breaks: "an own origin must be http or https", find: "/^https?:/.test(origin) && ", replace: "" },
      {
        breaks: "a malformed origin is cross-site",
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
        breaks: "a list of origins is copied at mount",
        find: "return (origin) => allowed.has(origin);",
        replace: "return (origin) => origins.includes(origin!);",
      },
      {
        breaks: "a function for origins is only called with URLs",
        find: "origin === null || !URL.canParse(origin)",
        replace: "origin === null",
      },
      {
        breaks: "a promise does not allow an origin",
        find: 'if (typeof allowed === "boolean") return allowed;',
        replace: "if (allowed) return true;",
      },
      { breaks: "errors of the origins function are reported", find: "report(error);", replace: "" },
    ],
  },
  {
    file: "src/fetch/check_cors.ts",
    tests: ["fetch/cors_test.ts"],
    mutants: [
      { breaks: "an origin with a path or a wildcard is refused", find: "!schemeAndHost.test(text) || ", replace: "" },
      {
        breaks: "an origin with a default port is refused",
        find: 'origin === text || (origin === "null"',
        replace: '(origin !== "null"',
      },
      { breaks: "an origin of local files is refused", find: ' && !text.startsWith("file:")', replace: "" },
      {
        breaks: "the origin null has a message of its own",
        find: 'if (origin === "null")',
        replace: 'if (origin === "nul")',
      },
      {
        breaks: "an unknown member of cors is refused",
        find: "if (unknown !== undefined) {",
        replace: "if (unknown === null) {",
      },
      { breaks: "an asterisk is not a header name", find: 'name !== "*" && isToken(name)', replace: "isToken(name)" },
      { breaks: "maxAge counts from 0", find: "(maxAge as number) >= 0", replace: "true" },
    ],
  },
  {
    file: "src/wire/vary.ts",
    tests: ["fetch/cors_test.ts"],
    mutants: [
      { breaks: "an asterisk in vary is kept", find: 'if (present.includes("*")) return;', replace: "" },
      {
        breaks: "vary names a field once",
        find: "names.filter((name) => !present.includes(name))",
        replace: "[...names]",
      },
      { breaks: "vary keeps the names of the handler", find: "headers.append(", replace: "headers.set(" },
    ],
  },
  {
    file: "src/fetch/edit_headers.ts",
    tests: ["fetch/cors_test.ts"],
    mutants: [
      {
        breaks: "a response that cannot be copied is not a failure",
        find: "} catch {\n    return response;",
        replace: "} catch (error) {\n    throw error;",
      },
      { breaks: "a 101 is sent unchanged", find: "if (response.status === 101) return response;", replace: "" },
      {
        breaks: "a response that was fetched is copied with its fields",
        find: "new Headers(response.headers)",
        replace: "new Headers()",
      },
    ],
  },
];
