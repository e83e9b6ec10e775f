/** Calls whose bodies may have one of several media types. */
import { defineContract, request, response, route } from "@scope/api";
import { type CallOptions, ClientError, createClient } from "@scope/api/client";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { recordCalls } from "../support/client_errors.ts";

const ok = { 200: response.empty() };
const contract = defineContract({
  routes: {
    image: route.post("/image", { body: request.bytes({ contentType: "image/*" }), responses: ok }),
    text: route.post("/text", { body: request.text({ contentType: ["text/csv", "text/html"] }), responses: ok }),
    any: route.post("/any", { body: request.stream({ contentType: "*/*" }), responses: ok }),
    typed: route.post("/typed", {
      headers: type({ "content-type": "string" }),
      body: request.bytes({ contentType: "image/*" }),
      responses: ok,
    }),
    optional: route.post("/optional", {
      body: request.bytes({ contentType: "image/*", optional: true }),
      responses: ok,
    }),
    bytes: route.get("/bytes", { responses: { 200: response.bytes({ contentType: ["image/*", "text/csv"] }) } }),
    page: route.get("/page", { responses: { 200: response.text({ contentType: "text/*" }) } }),
    file: route.get("/file", { responses: { 200: response.stream({ contentType: "*/*" }) } }),
    head: route.head("/file", { responses: { 200: response.bytes({ contentType: "image/*" }) } }),
    named: route.get("/named", {
      responses: { 200: response.bytes({ contentType: ["*/*", "application/problem+json"] }) },
    }),
  },
});

const { fetch, requestOf, assertUnsent } = recordCalls(() => new Response(null));
const baseUrl = "https://a.example";
const client = createClient(contract, { baseUrl, fetch });

/** The content type of the one request that a call sends. */
async function typeSent(call: () => Promise<unknown>): Promise<string | null> {
  const { body, headers } = await requestOf(call);
  await body?.cancel().catch(() => {}); // an upload has ended with its call
  return headers.get("content-type");
}

const png: CallOptions = { headers: { "content-type": "image/png" } };
const bytes = new Uint8Array([1]);

Deno.test("createClient() calls send the content type in their headers for a range", async () => {
  const stated: CallOptions = { headers: { "Content-Type": "text/csv;header=present" } };

  assertEquals(await typeSent(() => client.image({ body: bytes }, png)), "image/png");
  assertEquals(await typeSent(() => client.image({ body: bytes.buffer }, png)), "image/png");
  assertEquals(await typeSent(() => client.text({ body: "a,b" }, stated)), "text/csv;header=present");
  assertEquals(await typeSent(() => client.any({ body: new Blob(["a"]).stream() }, png)), "image/png");
  assertEquals(await typeSent(() => client.any({ body: new Blob(["a"]).stream() }, stated)), "text/csv;header=present");
  const typed = { body: bytes, headers: { "content-type": "image/gif" } };
  assertEquals(await typeSent(() => client.typed(typed)), "image/gif");
  assertEquals(await typeSent(() => client.typed(typed, png)), "image/gif");
});

Deno.test("createClient() calls send a Blob with its own type, unless the call sets another", async () => {
  const body = new Blob(["a"], { type: "image/webp" });
  const general = createClient(contract, { baseUrl, fetch, headers: { "content-type": "image/gif" } });

  assertEquals(await typeSent(() => client.image({ body })), "image/webp");
  assertEquals(await typeSent(() => general.image({ body })), "image/webp");
  assertEquals(await typeSent(() => general.image({ body: bytes })), "image/gif");
  assertEquals(await typeSent(() => general.image({ body: new Blob(["a"]) })), "image/gif");
  assertEquals(await typeSent(() => client.image({ body }, png)), "image/png");
  assertEquals(await typeSent(() => general.image({ body }, png)), "image/png");
  assertEquals(await typeSent(async () => fetch(await client.image.request({ body }))), "image/webp");
});

Deno.test("createClient() calls reject a content type that is missing or outside of the range", async () => {
  const missing = 'the header "content-type" must be within ';
  await assertUnsent(() => client.image({ body: bytes }), `${missing}image/*, got none`);
  await assertUnsent(() => client.image({ body: new Blob(["a"]) }), `${missing}image/*, got none`);
  await assertUnsent(() => client.text({ body: "a" }), `${missing}text/csv, text/html, got none`);
  await assertUnsent(() => client.any({ body: new Blob(["a"]).stream() }), `${missing}*/*, got none`);
  const removing = { headers: { "content-type": undefined } };
  await assertUnsent(() => client.image({ body: new Blob(["a"], { type: "image/png" }) }, removing));

  const { message: outside } = await assertUnsent(() => client.image({ body: new Blob(["a"], { type: "text/html" }) }));
  assertStringIncludes(outside, 'the header "content-type" must be within image/*, got "text/html"');
  await assertUnsent(() => client.text({ body: "a" }, png), '"image/png"');
  for (const value of ["image/*", "image", "", ["image/png", "image/png"], "image/png, image/gif"]) {
    await assertUnsent(() => client.image({ body: bytes }, { headers: { "content-type": value } }));
  }
});

Deno.test("createClient() calls close an upload whose content type is missing", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) });

  await assertUnsent(() => client.any({ body }));
  assertEquals(isCancelled, true);
});

Deno.test("createClient() calls send no content type if an optional body of a range is absent", async () => {
  assertEquals(await typeSent(() => client.optional({})), null);
  assertEquals(await typeSent(() => client.optional({}, png)), null);
  assertEquals(await typeSent(() => client.optional({ body: bytes }, png)), "image/png");
});

/** A client that is answered with this content type. */
function answered(contentType: string | undefined): typeof client {
  const headers: HeadersInit = contentType === undefined ? {} : { "content-type": contentType };
  return createClient(contract, { baseUrl, fetch: () => new Response(new Uint8Array([49]), { headers }) });
}

Deno.test("createClient() calls accept responses within a range and expose their type", async () => {
  for (const contentType of ["image/png", "IMAGE/Gif;a=b", "text/csv"]) {
    const { body, headers } = await answered(contentType).bytes();
    assertEquals([body, headers.get("content-type")], [new Uint8Array([49]), contentType]);
  }
  assertEquals((await answered("text/html;charset=utf-8").page()).body, "1");
  assertEquals(await new Response((await answered("x-own/y").file()).body).text(), "1");
});

Deno.test("createClient() calls refuse responses outside of a range", async () => {
  const cases = [
    ["bytes", "text/html", 'content type "text/html" is not image/*, text/csv'],
    ["bytes", "image/*", 'content type "image/*" is not image/*, text/csv'],
    ["bytes", undefined, 'content type "" is not'],
    ["page", "image/png", 'content type "image/png" is not text/*'],
    ["file", undefined, 'content type "" is not */*'],
    ["file", "nonsense", 'content type "nonsense" is not */*'],
    ["file", "text/html, text/html", "is not */*"],
  ] as const;
  for (const [key, contentType, words] of cases) {
    const error = await assertRejects(() => answered(contentType)[key](), ClientError);
    assertEquals(error.code, "unexpected-content-type");
    assertStringIncludes(error.message, words);
  }
});

Deno.test("createClient() calls accept any content type in a response to HEAD", async () => {
  for (const contentType of ["image/png", "text/html", undefined]) {
    assertEquals((await answered(contentType).head()).body, undefined);
  }
});

Deno.test("createClient() calls accept a problem document for a range only if the list names it", async () => {
  for (const contentType of ["application/problem+json", "Application/Problem+JSON; charset=utf-8"]) {
    const error = await assertRejects(() => answered(contentType).file(), ClientError);
    assertEquals(error.code, "unexpected-content-type");
    assertEquals((await answered(contentType).named()).body, new Uint8Array([49]));
  }
});
