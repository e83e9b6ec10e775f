/** The content types that a representation may be declared with. */
import { request, response } from "@scope/api";
import { assertEquals } from "@std/assert";
import { assertRefused } from "../support/assert_refused.ts";

const mediaTypes = [
  "application/json",
  "application/vnd.api+json",
  "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
  "Text/HTML; charset=utf-8",
  "text/plain;charset=UTF-8",
  'multipart/mixed; boundary="a b, c"; x=1',
  "text/x_own",
];

const refused = [
  "",
  "json",
  "/json",
  "text/",
  "text",
  "text/plain, text/html",
  "text/plain text/html",
  " text/plain",
  "text/plain\r\nset-cookie: a=b",
  "text/plain; charset=utf-8\r\n",
  "text/plain; name=é",
  "téxt/plain",
  "text/plain/x",
  "*/*",
  "image/*",
  null,
  7,
  ["text/plain"],
];

Deno.test("request.bytes() and response.bytes() accept any media type and keep it unchanged", () => {
  for (const contentType of mediaTypes) {
    assertEquals(request.bytes({ contentType }).contentType, contentType);
    assertEquals(response.bytes({ contentType }).contentType, contentType);
  }
});

for (const contentType of refused) {
  Deno.test(`request.json() and response.json() refuse the content type ${JSON.stringify(contentType)}`, () => {
    const options = { contentType } as never;
    const parts = [`"contentType" must be a media type like "application/json", got ${show(contentType)}`];
    assertRefused(() => request.json(options), "request.json()", ...parts);
    assertRefused(() => response.json(options), "response.json()", ...parts);
  });
}

function show(contentType: unknown): string {
  return Array.isArray(contentType) ? "an array" : JSON.stringify(contentType);
}
