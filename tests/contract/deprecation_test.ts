/** Declared deprecation is copied, checked and inherited. */
import { defineContract, type Deprecated, response, route, router } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { asserting } from "../support/tries.ts";
import { assertRefused } from "../support/assert_refused.ts";

const always = asserting(300);

const responses = { 200: response.empty() };
const dated = { since: "2026-06-01", sunset: "2027-01-01T12:00:00Z", link: "https://example.com/migrate#v2" };

/** The declarations of a route in a router in a contract. */
function resolve(contract?: Deprecated, group?: Deprecated, leaf?: Deprecated): Deprecated | undefined {
  const option = (deprecated?: Deprecated): { deprecated?: Deprecated } =>
    deprecated === undefined ? {} : { deprecated };
  const { routes } = defineContract({
    ...option(contract),
    routes: {
      group: router("/", { ...option(group), routes: { leaf: route.get("/", { responses, ...option(leaf) }) } }),
    },
  });
  return routes.group.leaf.deprecated;
}

Deno.test("deprecated is inherited, the nearest declaration replaces it completely, and false ends it", () => {
  assertEquals(resolve(), undefined);
  assertEquals([resolve(true), resolve(undefined, true), resolve(undefined, undefined, true)], [true, true, true]);
  assertEquals(resolve(dated), dated);
  assertEquals(resolve(dated, { since: "2026-01-01" }), { since: "2026-01-01" });
  assertEquals(resolve(true, dated), dated);
  assertEquals([resolve(dated, true), resolve(dated, false), resolve(dated, undefined, false)], [true, false, false]);
  assertEquals(resolve(dated, false, true), true);
});

Deno.test("deprecated is a frozen copy of the declaration", () => {
  const given = { ...dated };
  const declared = route.get("/", { responses, deprecated: given });
  given.since = "1999-01-01";
  assertEquals(declared.deprecated, dated);
  assert(Object.isFrozen(declared.deprecated));
});

Deno.test("deprecated accepts existing dates and UTC times, in the future and in the past", () => {
  const times = [
    "2026-06-01",
    "2024-02-29",
    "1969-12-31",
    "9999-12-31",
    "2026-06-01T00:00:00Z",
    "2026-06-01T23:59:59.999Z",
  ];
  for (const since of times) assertEquals(route.get("/", { responses, deprecated: { since } }).deprecated, { since });
  always(
    fc.property(fc.date({ noInvalidDate: true, min: new Date("0000-01-01"), max: new Date("9999-12-31") }), (date) => {
      for (const since of [date.toISOString(), date.toISOString().slice(0, 10)]) {
        assertEquals(route.get("/", { responses, deprecated: { since } }).deprecated, { since });
      }
    }),
  );
});

Deno.test("deprecated refuses text that is not an existing date or UTC time", () => {
  const times = [
    undefined,
    null,
    0,
    new Date(),
    "",
    "soon",
    "2026",
    "2026-6-1",
    "2026-02-29",
    "2026-02-30",
    "2026-13-01",
    "2026-06-31",
    "2026-06-01T24:00:00Z",
    "2026-06-01T12:00:60Z",
    "2026-06-01T12:00Z",
    "2026-06-01T12:00:00",
    "2026-06-01T12:00:00+02:00",
    "2026-06-01 12:00:00Z",
    " 2026-06-01",
    "+002026-06-01",
    "Mon, 01 Jun 2026 00:00:00 GMT",
  ];
  for (const time of times) {
    assertRefused(
      () => route.get("/old", { responses, deprecated: { since: time } as never }),
      'route.get("/old"): "deprecated.since" must be a date like "2026-06-01" or a UTC time, got ',
    );
    if (time === undefined) continue;
    assertRefused(
      () => route.get("/old", { responses, deprecated: { since: "2020-01-01", sunset: time } as never }),
      '"deprecated.sunset" must be a date like "2026-06-01" or a UTC time, got ',
    );
  }
});

Deno.test("deprecated refuses a sunset before its since, and accepts one at the same time", () => {
  const declare = (since: string, sunset: string) =>
    router("/", {
      routes: { leaf: route.get("/", { responses }) },
      deprecated: { since, sunset },
    });
  assertRefused(
    () => declare("2026-06-01", "2026-05-31"),
    '"deprecated.sunset" must not be before "deprecated.since" (2026-06-01), got 2026-05-31',
  );
  assertRefused(() => declare("2026-06-01T00:00:01Z", "2026-06-01"), 'must not be before "deprecated.since"');
  assertEquals(declare("2026-06-01", "2026-06-01T00:00:00Z").path, "/");
});

Deno.test("deprecated refuses a link that a header cannot carry, and accepts any other URL reference", () => {
  for (
    const link of [
      "",
      "https://a.example/<b>",
      "a b",
      'a"',
      "https://a.example/é",
      "a\nb",
      "a>",
      "%",
      "https://",
      1,
      null,
    ]
  ) {
    assertRefused(
      () =>
        defineContract({
          routes: { leaf: route.get("/", { responses }) },
          deprecated: { since: "2026-06-01", link } as never,
        }),
      'defineContract(): "deprecated.link" must be a percent-encoded URL, got ',
    );
  }
  for (
    const link of [
      "https://a.example/%C3%A9?a=b,c;d#e",
      "/docs",
      "docs/v2",
      "?v=2",
      "mailto:a@b.example",
      "//a.example",
    ]
  ) {
    assertEquals(resolve({ since: "2026-06-01", link }), { since: "2026-06-01", link });
  }
});

Deno.test("deprecated refuses anything but a boolean and an object of its options", () => {
  for (const deprecated of [null, 1, "2026-06-01", [], new Date()]) {
    assertRefused(
      () => route.get("/", { responses, deprecated } as never),
      'route.get("/"): "deprecated" must be a plain object like { key: … }, got ',
    );
  }
  assertRefused(
    () => route.get("/", { responses, deprecated: { since: "2026-06-01", sunsets: "2027-01-01" } as never }),
    'unknown option "sunsets" in "deprecated"; did you mean "sunset"?',
  );
});
