/** Content types that are ranges or lists. */
import { type MediaTypes, request, response } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { assertRefused } from "../support/assert_refused.ts";

const helpers = {
  "request.text()": (contentType: unknown) => request.text({ contentType: contentType as MediaTypes }),
  "request.bytes()": (contentType: unknown) => request.bytes({ contentType: contentType as MediaTypes }),
  "request.stream()": (contentType: unknown) => request.stream({ contentType: contentType as MediaTypes }),
  "response.text()": (contentType: unknown) => response.text({ contentType: contentType as MediaTypes }),
  "response.bytes()": (contentType: unknown) => response.bytes({ contentType: contentType as MediaTypes }),
  "response.stream()": (contentType: unknown) => response.stream({ contentType: contentType as MediaTypes }),
};

const others = {
  "request.json()": (contentType: unknown) => request.json({ contentType } as never),
  "request.form()": (contentType: unknown) => request.form(type({ name: "string" }), { contentType } as never),
  "response.json()": (contentType: unknown) => response.json({ contentType } as never),
  "response.problem()": (contentType: unknown) => response.problem({ contentType } as never),
};

for (const [name, declare] of Object.entries(helpers)) {
  Deno.test(`${name} accepts a range or a list, and keeps a frozen lowercase list`, () => {
    const given = ["image/PNG", "Text/*"];
    const declared = declare(given).contentType;

    assertEquals(declared, ["image/png", "text/*"]);
    assert(Object.isFrozen(declared) && !Object.isFrozen(given));
    assertEquals(declare("image/*").contentType, ["image/*"]);
    assertEquals(declare("*/*").contentType, ["*/*"]);
    assertEquals(declare(["*/*"]).contentType, ["*/*"]);
    assertEquals(declare(["image/*", "image/png"]).contentType, ["image/*", "image/png"]);
  });

  Deno.test(`${name} treats a list of one media type as that type, including parameters`, () => {
    for (const type of ["Image/PNG", "text/csv;header=present", "text/plain;a=*/*"]) {
      assertEquals(declare([type]).contentType, type);
      assertEquals(declare(type).contentType, type);
    }
  });

  Deno.test(`${name} refuses ranges and lists that are malformed`, () => {
    assertRefused(() => declare([]), name, '"contentType" must have at least one media type, got an empty array');
    for (const range of ["*", "*/png", "image/*x", "image/*/*", "im*ge/*", "image/*;q=1", " image/*", "*/*;a=b"]) {
      for (const given of [range, [range], ["text/plain", range]]) {
        assertRefused(
          () => declare(given),
          name,
          JSON.stringify(range),
          '"contentType" must be a media type or range like "image/*" without parameters, got ',
        );
      }
    }
    for (const wrong of [7, null, undefined, ["image/png"], "", "image", "text/plain;charset=utf-8", "a/b, c/d"]) {
      assertRefused(
        () => declare(["image/png", wrong]),
        name,
        '"contentType" must be a media type or range like "image/*" without parameters, got ',
      );
    }
    assertRefused(
      () => declare([["image/png"]]),
      name,
      '"contentType" must be a media type like "application/json", got an array',
    );
    assertRefused(() => declare(["image/png", "text/plain", "Image/PNG"]), name, '"Image/PNG" twice');
    assertRefused(() => declare(["*/*", "*/*"]), name, "twice");
  });
}

for (const [name, declare] of Object.entries(others)) {
  Deno.test(`${name} refuses ranges and lists, since its content has one type`, () => {
    for (const given of ["*/*", "application/*", ["application/json"], ["application/json", "text/json"], []]) {
      assertRefused(() => declare(given), name, '"contentType" must be a media type');
    }
  });
}
