import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  apiKeyCredential,
  basicCredential,
  bearerCredential,
  cookieCredential,
  type CredentialPlace,
  type ShownCredential,
} from "../../src/wire/credentials.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(300);

const bearer = bearerCredential();
const key = apiKeyCredential("X-API-Key");
const session = cookieCredential("__Host-session");

function read<Input extends object>(place: CredentialPlace<Input, never>, ...fields: string[]): ShownCredential<Input> {
  return place.read(new Headers(fields.map((value): [string, string] => [place.field, value])));
}

function assertReads<Input extends object>(
  place: CredentialPlace<Input, never>,
  cases: Readonly<Record<string, ShownCredential<Input>>>,
): void {
  for (const [value, expected] of Object.entries(cases)) assertEquals(read(place, value), expected, value);
  assertEquals(read(place), undefined);
}

function base64(...bytes: (number | string)[]): string {
  return btoa(bytes.map((each) => typeof each === "string" ? each : String.fromCharCode(each)).join(""));
}

// proves http | An authentication scheme is case-insensitive; its token is a token68 | 11.1, 11.4; RFC 6750, 2.1
Deno.test("bearerCredential() reads one token, with the scheme's name in any case", () => {
  assertReads(bearer, {
    "Bearer abc": { token: "abc" },
    "bEARER abc": { token: "abc" },
    "Bearer   abc": { token: "abc" },
    "Bearer az09-._~+/==": { token: "az09-._~+/==" },
    "Bearer": "malformed",
    "Bearer =": "malformed",
    "Bearer a=b": "malformed",
    "Bearer a b": "malformed",
    "Bearer\ta": "malformed",
    "Bearer\ta b": "malformed",
    "Bearer \ta": "malformed",
    "Bearer é": "malformed",
    "Bearer a,": "malformed",
    "Bearer,": "malformed",
    "Bearer a, Bearer b": "malformed",
    "Basic dTpw, Bearer b": "malformed",
    'Bearer token="a"': "malformed",
    "Basic dTpw": undefined,
    "Bearers abc": undefined,
    "Bear abc": undefined,
    "Digest username=a, realm=b": undefined,
    "": undefined,
  });
  assertEquals(read(bearer, "Bearer a", "Bearer a"), "malformed");
  assertEquals(read(bearer, "Basic dTpw", "Bearer a"), "malformed");
});

Deno.test("bearerCredential() accepts another scheme name instead of Bearer", () => {
  const token = bearerCredential("Token");
  assertReads(token, { "token abc": { token: "abc" }, "Bearer abc": undefined });
  assertEquals(token.format("abc"), "Token abc");
  assertEquals(read(bearerCredential("a.c"), "abc abc"), undefined);
});

// proves http | Basic credentials are Base64 of UTF-8 with the first colon as separator | RFC 7617
Deno.test("basicCredential() reads UTF-8 in canonical Base64", () => {
  assertReads(basicCredential, {
    "Basic dTpw": { username: "u", password: "p" },
    "basic  dTpw": { username: "u", password: "p" },
    [`Basic ${base64(":")}`]: { username: "", password: "" },
    [`Basic ${base64("u:p:q")}`]: { username: "u", password: "p:q" },
    [`Basic ${base64("u:", 0xc3, 0xa9)}`]: { username: "u", password: "é" },
    [`Basic ${base64(0xef, 0xbb, 0xbf, "u:p")}`]: { username: "\ufeffu", password: "p" },
    [`Basic ${base64("u:", 0xe9)}`]: "malformed",
    [`Basic ${base64("u:", 0xed, 0xa0, 0x80)}`]: "malformed",
    [`Basic ${base64("u")}`]: "malformed",
    [`Basic ${base64("u:p\n")}`]: "malformed",
    [`Basic ${base64("u\0:p")}`]: "malformed",
    [`Basic ${base64("u:p", 0x7f)}`]: "malformed",
    [`Basic ${base64("u:p", 0xc2, 0x85)}`]: "malformed",
    "Basic": "malformed",
    "Basic dTp": "malformed",
    "Basic dTo": "malformed",
    "Basic dT pw": "malformed",
    "Basic dTpwcQ=": "malformed",
    "Basic dTpwcR==": "malformed",
    "Basic dTpw====": "malformed",
    "Basic _-__": "malformed",
    "Basic dTpw, Basic dTpw": "malformed",
    "Bearer dTpw": undefined,
  });
});

Deno.test("apiKeyCredential() reads the whole of its field", () => {
  assertReads(key, { "abc": { key: "abc" }, "a, b": { key: "a, b" }, "": undefined });
  assertEquals([key.field, key.read(new Headers({ authorization: "abc" }))], ["x-api-key", undefined]);
});

// proves http | A cookie's value is not decoded | RFC 6265, 4.2
Deno.test("cookieCredential() reads one cookie's raw value", () => {
  assertReads(session, {
    "__Host-session=abc": { value: "abc" },
    "a=b; __Host-session=abc; c=d": { value: "abc" },
    "a=b;__Host-session=abc": { value: "abc" },
    "__Host-session=a=b": { value: "a=b" },
    "__Host-session=%41%3B": { value: "%41%3B" },
    '__Host-session="abc"': { value: '"abc"' },
    '__Host-session=""': { value: '""' },
    '__Host-session="abc': "malformed",
    '__Host-session=a"c': "malformed",
    "__Host-session=a c": "malformed",
    "__Host-session= a": "malformed",
    "__Host-session=a,b": "malformed",
    "__Host-session=a\\b": "malformed",
    "__Host-session=é": "malformed",
    "__Host-session=a; __Host-session=a": "malformed",
    "__Host-session=; __Host-session=a": "malformed",
    "__Host-session=": undefined,
    "__Host-session=; a=b": undefined,
    "__Host-session": undefined,
    "__host-session=abc": undefined,
    "x__Host-session=abc": undefined,
    "__Host-session =abc": undefined,
    "a=__Host-session=abc": undefined,
    "": undefined,
  });
});

Deno.test("format() refuses values that its field cannot carry, in a message without the credential", () => {
  const refused: readonly [CredentialPlace<object, never>, readonly unknown[]][] = [
    [bearer, ["", "=", "sec ret", "secret,", "secrét", "secret\n", undefined, 1]],
    [key, ["", " secret", "secret ", "secret\r\n", "secret\0", "secret€", undefined]],
    [session, ["", "secret;", "sec ret", "secret,", '"secret', "secrét", "secret\n", null]],
    [basicCredential, [
      { username: "sec:ret", password: "p" },
      { username: "secret\n", password: "p" },
      { username: "u", password: "secret\x7f" },
      { username: "u", password: "secret\ud800" },
      { username: "u" },
    ]],
  ];
  for (const [place, values] of refused) {
    for (const value of values) {
      const { message } = assertThrows(() => place.format(value as never), TypeError);
      assertEquals(message.includes("sec"), false, message);
    }
  }
});

Deno.test("format() keeps a present value of the field, and joins cookies", () => {
  assertEquals(bearer.format("a", "Bearer b"), "Bearer b");
  assertEquals(basicCredential.format({ username: "u", password: "p" }, "Bearer b"), "Bearer b");
  assertEquals(key.format("a", "b"), "b");
  assertEquals(session.format("a", null), "__Host-session=a");
  assertEquals(session.format("a", "b=c"), "b=c; __Host-session=a");
  assertEquals(session.format("a", "b=c; __Host-session=d"), "b=c; __Host-session=d");
});

Deno.test("place distinguishes what read() can distinguish", () => {
  const places = [bearer, bearerCredential("Token"), basicCredential, key, session, cookieCredential("__host-session")];
  assertEquals(new Set(places.map(({ place }) => place)).size, places.length);
  assertEquals(bearerCredential("BEARER").place, bearer.place);
  assertEquals(bearerCredential("basic").place, basicCredential.place);
  assertEquals(apiKeyCredential("x-api-key").place, key.place);
});

const octet = fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code));
const token = fc.stringMatching(/^[\w\-.~+/]{1,20}={0,3}$/);
const name = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !/[:\p{Cc}]/u.test(text));
const password = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !/\p{Cc}/u.test(text));
const keys = fc.string({ unit: octet, minLength: 1 }).filter((text) => !/^[\t ]|[\t ]$|\x7f/.test(text));
const cookie = fc.oneof(
  fc.stringMatching(/^[!#-+\--:<-[\]-~]{1,20}$/),
  fc.stringMatching(/^[!#-+\--:<-[\]-~]{0,20}$/).map((text) => `"${text}"`),
);
const pairs = fc.array(fc.stringMatching(/^[a-z]{1,4}=[!#-+\--:<-[\]-~]{0,9}$/)).map((list) => list.join("; "));

Deno.test("read() returns the argument of format(), for every credential", () => {
  always(fc.property(token, (token) => assertEquals(read(bearer, bearer.format(token)), { token })));
  always(fc.property(name, password, (username, password) => {
    assertEquals(read(basicCredential, basicCredential.format({ username, password })), { username, password });
  }));
  always(fc.property(keys, (text) => assertEquals(read(key, key.format(text)), { key: text })));
  always(fc.property(cookie, pairs, (value, present) => {
    assertEquals(read(session, session.format(value, present)), { value });
  }));
});

Deno.test("read() accepts only the spelling of format(), except for the case of a scheme and the spaces after it", () => {
  const hostile = fc.string({ unit: fc.oneof(octet, fc.constantFrom(..."\t ,;:=\"'\\")), maxLength: 30 });
  const base64 = fc.oneof(hostile, fc.base64String(), fc.stringMatching(/^[A-Za-z\d+/]{0,12}={0,3}$/));
  always(fc.property(fc.oneof(hostile, token), fc.constantFrom("Bearer ", "bearer  ", "Bearer"), (text, start) => {
    const shown = read(bearer, start + text);
    if (typeof shown === "object") assertEquals(bearer.format(shown.token), normalize(start + text, "Bearer"));
  }));
  always(fc.property(base64, (text) => {
    const shown = read(basicCredential, `Basic ${text}`);
    if (typeof shown === "object") assertEquals(basicCredential.format(shown), normalize(`Basic ${text}`, "Basic"));
  }));
  always(fc.property(hostile, (text) => {
    const shown = read(session, `__Host-session=${text}`);
    if (typeof shown !== "object") return;
    assertEquals(session.format(shown.value), `__Host-session=${text.split(";")[0]!.replace(/[\t ]+$/, "")}`);
  }));
});

function normalize(value: string, scheme: string): string {
  return value.replace(/^\w+ +/, `${scheme} `).replace(/[\t ]+$/, "");
}

Deno.test("read() distinguishes a scheme from all others, in any field", () => {
  const scheme = fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,12}$/).filter((name) => !/^(bearer|basic)$/i.test(name));
  always(fc.property(scheme, token, (name, token) => {
    assertEquals([read(bearer, `${name} ${token}`), read(basicCredential, `${name} ${token}`)], [undefined, undefined]);
  }));
});
