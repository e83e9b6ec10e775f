import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  apiKeyChallenge,
  basicChallenge,
  bearerChallenge,
  cookieChallenge,
  isChallenge,
  isQuotable,
  isScope,
  scopeChallenge,
} from "../../src/wire/credentials.ts";
import { asserting } from "../support/tries.ts";
import { parseChallenges } from "../support/parse_challenges.ts";

const always = asserting(300);

Deno.test("a challenge has the format of its RFC", () => {
  const realm = "api";
  const bearer = bearerChallenge();
  assertEquals(bearer({ realm }), 'Bearer realm="api"');
  assertEquals(bearer({}), "Bearer");
  assertEquals(
    bearer({ realm, scopes: ["notes:read", "notes:write"] }),
    'Bearer realm="api", scope="notes:read notes:write"',
  );
  assertEquals(bearer({ realm, scopes: [], error: "invalid_token" }), 'Bearer realm="api", error="invalid_token"');
  assertEquals(bearerChallenge("Token")({ realm }), 'Token realm="api"');
  assertEquals(
    bearer({ realm, metadata: "https://a.example/.well-known/oauth-protected-resource" }),
    'Bearer realm="api", resource_metadata="https://a.example/.well-known/oauth-protected-resource"',
  );
  assertEquals(
    scopeChallenge("Bearer", { scopes: ["notes:write"] }),
    'Bearer error="insufficient_scope", scope="notes:write"',
  );
  assertEquals(basicChallenge({ realm }), 'Basic realm="api", charset="UTF-8"');
  assertEquals(apiKeyChallenge("x-api-key")({}), 'ApiKey in="header", name="x-api-key"');
  assertEquals(cookieChallenge("__Host-session")({}), 'Cookie name="__Host-session"');
  assertEquals(
    cookieChallenge("s")({ realm, metadata: "https://a.example/" }),
    'Cookie realm="api", name="s", resource_metadata="https://a.example/"',
  );
});

const quotable = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'"\\,= \u00a0é'),
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code < 0x7f || code > 0x9f).map((code) =>
      String.fromCharCode(code)
    ),
  ),
});
const scope = fc.stringMatching(/^[!#-[\]-~]{1,9}$/);
const named = fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,9}$/);

// proves http | A challenge is a scheme with parameters in quoted strings | 11.3
Deno.test("joined challenges parse as one per scheme, with their parameters", () => {
  const details = fc.record({
    realm: fc.option(quotable, { nil: undefined }),
    scopes: fc.array(scope),
    error: fc.constantFrom("invalid_token" as const, undefined),
    metadata: fc.option(quotable, { nil: undefined }),
  });
  always(fc.property(details, named, named, (details, scheme, name) => {
    const made = [bearerChallenge(scheme), basicChallenge, apiKeyChallenge(name), cookieChallenge(name)];
    const headers = new Headers({ "www-authenticate": made.map((format) => format(details)).join(", ") });
    const parsed = parseChallenges(headers.get("www-authenticate")!);
    const { realm, scopes, error, metadata } = details;
    const own = (parameters: Record<string, string | undefined>): Record<string, string> =>
      Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)) as never;
    const resource_metadata = metadata;
    assertEquals(parsed, [
      { scheme, parameters: own({ realm, scope: scopes.join(" ") || undefined, error, resource_metadata }) },
      { scheme: "Basic", parameters: own({ realm, charset: "UTF-8", resource_metadata }) },
      { scheme: "ApiKey", parameters: own({ realm, in: "header", name, resource_metadata }) },
      { scheme: "Cookie", parameters: own({ realm, name, resource_metadata }) },
    ]);
  }));
});

Deno.test("isQuotable() accepts text that a header can quote: Latin-1 without control characters", () => {
  for (let code = 0; code <= 0x200; code++) {
    const allowed = code >= 0x20 && code <= 0xff && (code < 0x7f || code > 0x9f);
    assertEquals(isQuotable(`a${String.fromCharCode(code)}`), allowed, code.toString(16));
  }
});

Deno.test("isScope() accepts the scopes of RFC 6749", () => {
  for (const text of ["notes:read", "a", "https://a.example/b", "!#[]~"]) assert(isScope(text), text);
  for (const text of ["", "a b", 'a"', "a\\", "é", "a\n"]) assert(!isScope(text), text);
});

Deno.test("isChallenge() accepts one challenge that parses", () => {
  for (const text of ["DPoP", 'DPoP algs="ES256 ES384"', "Negotiate YWJj==", 'A b = c , d="e\\"f,"']) {
    assert(isChallenge(text), text);
    assertEquals(parseChallenges(text).length, 1, text);
  }
  for (
    const text of [
      "",
      "A, B",
      'A a="b", B',
      'A a="b", B c="d"',
      "A a=",
      'A a="',
      "A ,",
      " A",
      "A\tb",
      "A é",
      'A a="\n"',
    ]
  ) {
    const isToken68 = text === "A a="; // which may end so
    assertEquals(isChallenge(text), isToken68, text);
  }
});

Deno.test("isChallenge() refuses text that a strict parser refuses", () => {
  always(fc.property(fc.string({ unit: fc.constantFrom(...'Ab "\\,=é\t'), maxLength: 12 }), (text) => {
    if (isChallenge(text)) assertEquals(parseChallenges(text).length, 1);
  }));
});
