/** Breaks the promises about routing: which route a method and a path reach, and the responses if there is none. */
import { type MutatedFile } from "./mutant.ts";

export const routing: readonly MutatedFile[] = [
  {
    file: "src/fetch/route_table.ts",
    tests: [
      "fetch/route_table_test.ts",
      "fetch/router_property_test.ts",
      "fetch/percent_encoding_test.ts",
      "fetch/head_test.ts",
    ],
    mutants: [
      {
        breaks: "a static segment without a match falls back to a parameter",
        find: "if (match || !branch.parameter) return match;",
        replace: "if (literal || !branch.parameter) return match;",
      },
      {
        breaks: "a static segment wins over a parameter",
        find: "const match = literal && findMatch(literal, start + literal.text.length, values, search);",
        replace:
          "const match = literal && !branch.parameter ? findMatch(literal, start + literal.text.length, values, search) : undefined;",
      },
      {
        breaks: "an empty segment does not match a parameter",
        find: "if (end === start) return undefined;",
        replace: "",
      },
      {
        breaks: "values of an abandoned branch are dropped",
        find: "const match = literal && findMatch(literal, start + literal.text.length, values, search);",
        replace:
          "const match = literal && findMatch(literal, start + literal.text.length, branch.parameter ? { text: literal.text, before: values } : values, search);",
      },
      {
        breaks: "methods are case-sensitive",
        find: "if (leaf.method === method) return leaf;",
        replace: "if (leaf.method === method.toUpperCase()) return leaf;",
      },
      {
        breaks: "HEAD is answered by the path's get",
        find: 'return method === "HEAD" ? leafOf(branch, "GET") : undefined;',
        replace: "return undefined;",
      },
      {
        breaks: "a route's own head wins over the get",
        find: "for (const leaf of branch.leaves) if (leaf.method === method) return leaf;",
        replace:
          'for (const leaf of branch.leaves) if (leaf.method === method || (method === "HEAD" && leaf.method === "GET")) return leaf;',
      },
      {
        breaks: "parameters are decoded",
        find: "search.isEscaped ? decodeSegment(segment) : segment",
        replace: "segment",
      },
      {
        breaks: "a malformed escape is 400, before 404",
        find: 'if (search === undefined) return refuse("invalid-path");',
        replace: "if (search === undefined) return notFound;",
      },
      {
        breaks: "Allow lists a method once",
        find: "return [...new Set(places.flatMap(({ leaves }) => leaves.map(({ method }) => method)))];",
        replace: "return places.flatMap(({ leaves }) => leaves.map(({ method }) => method));",
      },
      {
        breaks: "405 is distinguished from 404",
        find: "if (!refused) return notFound;",
        replace: "if (!refused || refused) return notFound;",
      },
      {
        breaks: "404 is distinguished from 405",
        find: "if (!refused) return notFound;",
        replace: "if (!refused) return refuseMethod([]);",
      },
      {
        breaks: "Allow lists the methods of all places that have the path",
        find: "refused.length === 1 ? refused[0]!.refusal ??= refuseMethod(refused) : refuseMethod(refused)",
        replace: "refuseMethod(refused.slice(0, 1))",
      },
      {
        breaks: "Allow is not cached for one of several places",
        find: "refused.length === 1 ? refused[0]!.refusal",
        replace: "refused.length > 0 ? refused[0]!.refusal",
      },
      {
        breaks: "a static path without the method falls back to a parameter",
        find: "found && leafOf(found.branch, method) || searchRoute(root, method, url, start)",
        replace: 'place ? leafOf(place.branch, method) ?? refuse("not-found") : searchRoute(root, method, url, start)',
      },
      {
        breaks: "a static path is found by all of its text",
        find: "if (isTextAt(url, start, each.path)) return each;",
        replace: "return place;",
      },
      {
        breaks: "405 has an Allow header",
        find: 'new Refusal(createProblem("method-not-allowed"), { allow })',
        replace: 'new Refusal(createProblem("method-not-allowed"))',
      },
      {
        breaks: "a static segment matches whole, not as a beginning",
        find: "if (end !== pathEnd && (end > pathEnd || path.charCodeAt(end) !== slashCode)) return false;",
        replace: "if (end > pathEnd) return false;",
      },
      {
        breaks: "paths are case-sensitive",
        find: "if (whole.charCodeAt(start + index) !== text.charCodeAt(index)) return false;",
        replace: "if (whole[start + index]?.toLowerCase() !== text[index]?.toLowerCase()) return false;",
      },
      {
        breaks: "a slash at the end is not tolerated",
        find: "if (slash === search.end) return toMatch(branch, values, search);",
        replace:
          "if (slash === search.end || (slash === search.end - 1 && slash > search.start)) return toMatch(branch, values, search);",
      },
      {
        breaks: "a branch of many static segments has them all",
        find: "branch.literalsByText.set(text, literal);",
        replace: "branch.literalsByText.size;",
      },
      {
        breaks: "every parameter has its own value",
        find: "setOwn(record, names[index]!, values.text)",
        replace: "setOwn(record, names[0]!, values.text)",
      },
    ],
  },
  {
    file: "src/fetch/url.ts",
    tests: ["fetch/route_table_test.ts", "fetch/check_fields_test.ts", "fetch/raw_url_test.ts"],
    mutants: [
      {
        breaks: "a request URL that is not absolute is refused, never shifted",
        find: "if (origin === undefined || !URL.canParse",
        replace: 'if (origin === undefined) return url.indexOf("/") + 2;\n    if (!URL.canParse',
      },
      {
        breaks: "a host that URL refuses is refused",
        find: "if (origin === undefined || !URL.canParse(`${origin}/`)) return undefined;",
        replace: "if (origin === undefined) return undefined;",
      },
      {
        breaks: "an origin that was accepted is the whole of another's",
        find: "if (!url.startsWith(lastOrigin) || !endsOrigin(url.charCodeAt(lastOrigin.length))) {",
        replace: "if (!url.startsWith(lastOrigin)) {",
      },
      {
        breaks: "an origin with white space is refused, because URL would remove it",
        find: "[^/\\\\?#\\s\\p{Cc}]+(?=[/?#]|$)/i",
        replace: "[^/\\\\?#]+(?=[/?#]|$)/i",
      },
      {
        breaks: "a backslash does not end an origin",
        find: "[^/\\\\?#\\s\\p{Cc}]+(?=[/?#]|$)/i",
        replace: "[^/\\\\?#\\s\\p{Cc}]+(?=[/?#\\\\]|$)/i",
      },
      {
        breaks: "URL normalizes white space in a path",
        find: "code <= space || code === backslash",
        replace: "code === backslash",
      },
      {
        breaks: "URL normalizes white space in a query",
        find: "return removable.test(query) ? new URL(url).search.slice(1) : query;",
        replace: "return query;",
      },
      {
        breaks: "a fragment is not part of a path",
        find: "if (code === questionMark || code === numberSign) break;",
        replace: "if (code === questionMark) break;",
      },
      {
        breaks: "a fragment is not part of a query",
        find: "hash === -1 ? url.slice(question + 1) : url.slice(question + 1, hash)",
        replace: "url.slice(question + 1)",
      },
      {
        breaks: "URL normalizes the path of a file: URL",
        find: "(?!file:)",
        replace: "",
      },
      {
        breaks: "URL resolves an escaped dot segment",
        find: "if (isEscapedDot(url, end)) isNormal = false;",
        replace: "",
      },
      {
        breaks: "URL resolves a dot segment",
        find: "(code === fullStop && url.charCodeAt(end - 1) === slash)",
        replace: "false",
      },
      {
        breaks: "URL normalizes a backslash in a path",
        find: "code === backslash || ",
        replace: "",
      },
    ],
  },
  {
    file: "src/wire/pathname.ts",
    tests: ["fetch/percent_encoding_test.ts", "wire/pathname_test.ts"],
    mutants: [
      {
        breaks: "an escaped slash stays inside its segment",
        find: '.replaceAll("%", "%25").replaceAll("/", "%2F")',
        replace: '.replaceAll("%", "%25")',
      },
      {
        breaks: "a segment is decoded once",
        find: '.replaceAll("%", "%25").replaceAll("/", "%2F")',
        replace: '.replaceAll("/", "%2F")',
      },
      {
        breaks: "a malformed escape is refused, not thrown",
        find: "} catch {\n    return undefined;\n  }",
        replace: "} catch {\n    return pathname;\n  }",
      },
    ],
  },
];
