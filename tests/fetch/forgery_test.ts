/** Requests that may come from a page of a foreign origin, as far as browsers report it. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isForeign } from "../../src/server/steps/authenticate.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(50);

const own = "https://api.example.com";
const app = "https://app.example.com";
const evil = "https://evil.example";

interface Sent {
  readonly site?: string;
  readonly origin?: string;
}

function isForeignTo(url: string, { site, origin }: Sent): boolean {
  const headers = { ...(site !== undefined && { "sec-fetch-site": site }), ...(origin !== undefined && { origin }) };
  return isForeign({ headers: new Headers(headers), host: new URL(url).host }, (origin) => origin === app);
}

Deno.test("isForeign() uses sec-fetch-site, unless the origin is allowed", () => {
  const cases: readonly (readonly [Sent, boolean])[] = [
    [{ site: "same-origin" }, false],
    [{ site: "same-origin", origin: own }, false],
    [{ site: "none" }, false],
    [{ site: "same-site" }, true],
    [{ site: "cross-site" }, true],
    [{ site: "same-site", origin: app }, false],
    [{ site: "cross-site", origin: app }, false],
    [{ site: "cross-site", origin: evil }, true],
    [{ site: "cross-site", origin: own }, true],
    [{ site: "cross-site", origin: "null" }, true],
    [{ site: "" }, true],
    [{ site: "same-origin, cross-site" }, true],
    [{ site: "Same-Origin" }, true],
  ];
  for (const [sent, expected] of cases) assertEquals(isForeignTo(`${own}/a`, sent), expected, JSON.stringify(sent));
});

Deno.test("isForeign() without sec-fetch-site compares the origin's host and port with those of the URL", () => {
  const cases: readonly (readonly [url: string, origin: string | undefined, expected: boolean])[] = [
    [`${own}/a`, undefined, false],
    [`${own}/a`, own, false],
    [`${own}/a`, app, false],
    [`${own}/a`, evil, true],
    [`${own}/a`, "null", true],
    [`${own}/a`, "", true],
    [`${own}/a`, "http://api.example.com", false],
    ["http://api.example.com/a", own, false],
    ["http://api.example.com:8000/a", "https://api.example.com:8000", false],
    ["http://api.example.com:8000/a", own, true],
    [`${own}/a`, "https://api.example.com:8443", true],
    [`${own}/a`, "https://api.example.com.evil.example", true],
    [`${own}/a`, "https://evil.example/https://api.example.com", true],
    [`${own}/a`, `${own}, ${evil}`, true],
    [`${own}/a`, "x-app://api.example.com", true],
    ["http://127.0.0.1:8000/a", "http://localhost:8000", true],
    ["http://[::1]:8000/a", "http://[::1]:8000", false],
  ];
  for (const [url, origin, expected] of cases) {
    assertEquals(isForeignTo(url, origin === undefined ? {} : { origin }), expected, `${origin} at ${url}`);
  }
});

Deno.test("isForeign() never calls the function with null", () => {
  for (const site of ["cross-site", undefined]) {
    const headers = { origin: "null", ...(site !== undefined && { "sec-fetch-site": site }) };
    assertEquals(isForeign({ headers: new Headers(headers), host: "api.example.com" }, () => true), true);
  }
});

Deno.test("isForeign() accepts a page's request only if the host of its origin is that of the URL", () => {
  const text = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
  always(fc.property(fc.oneof(fc.webUrl(), text, fc.domain()), (origin) => {
    const headers = new Headers({ origin });
    const isOwn = URL.canParse(headers.get("origin")!) && new URL(origin).host === new URL(own).host;
    assertEquals(isForeign({ headers, host: "api.example.com" }, () => false), !isOwn);
    assertEquals(isForeignTo(own, { site: "cross-site", origin }), origin.trim() !== app);
  }));
});
