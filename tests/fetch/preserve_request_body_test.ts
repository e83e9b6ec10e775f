import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";

const contract = defineContract({
  routes: {
    json: route.post("/json", { body: request.json(), responses: { 200: response.json<unknown>() } }),
    form: route.post("/form", {
      body: request.form(type({ a: "string" })),
      responses: { 200: response.json<unknown>() },
    }),
    stream: route.post("/stream", { body: request.stream(), responses: { 200: response.json<unknown>() } }),
  },
});

/** Responds with the handler's body, and the text that the context factory read of it. */
function mount(options: FetchOptions): FetchHandler {
  const server = defineServer(contract, { context: async ({ request }) => ({ text: await request.text() }) });
  return createFetchHandler(
    server.implement({
      json: ({ body, context, response }) => response(200, [body, context.text]),
      form: ({ body, context, response }) => response(200, [body, context.text]),
      stream: async ({ body, context, response }) => response(200, [await new Response(body).text(), context.text]),
    }),
    { ...options, onError: () => {} },
  );
}

function post(path: string, contentType: string, body: BodyInit): Request {
  return new Request(`http://localhost/${path}`, { method: "POST", body, headers: { "content-type": contentType } });
}

const requests = (): Request[] => [
  post("json", "application/json", '{"a":1}'),
  post("form", "application/x-www-form-urlencoded", "a=1"),
  post("stream", "application/octet-stream", "bytes"),
];

Deno.test("preserveRequestBody leaves the body readable to the context factory", async () => {
  for (const options of [{}, { maxBodyBytes: 7 }]) {
    const handler = mount({ ...options, preserveRequestBody: true });
    const answers = await Promise.all(requests().map(async (each) => (await handler(each)).json()));
    assertEquals(answers, [[{ a: 1 }, '{"a":1}'], [{ a: "1" }, "a=1"], ["bytes", "bytes"]]);
  }
});

Deno.test("an omitted or false preserveRequestBody lets the adapter consume the body", async () => {
  for (const options of [{}, { preserveRequestBody: false }]) {
    const statuses = requests().map(async (each) => (await mount(options)(each)).status);
    assertEquals(await Promise.all(statuses), [500, 500, 500]); // the stream is opened by the handler, after the factory
  }
});

// proves fetch | A clone does not consume the original | 5.3, `clone()`
Deno.test("preserveRequestBody leaves the body readable after the response, even a refusal", async () => {
  const contract = defineContract({
    routes: { it: route.post("/json", { body: type({ a: "string" }), responses: { 204: response.empty() } }) },
  });
  const implementation = defineServer(contract).implement({ it: ({ response }) => response(204) });
  const handler = createFetchHandler(implementation, { preserveRequestBody: true });
  for (const [text, status] of [['{"a":"1"}', 204], ['{"a":1}', 400], ["{", 400]] as const) {
    const incoming = post("json", "application/json", text);
    assertEquals([(await handler(incoming)).status, await incoming.text()], [status, text]);
  }
});

Deno.test("preserveRequestBody keeps the limit", async () => {
  const handler = mount({ preserveRequestBody: true, maxBodyBytes: 2 });
  assertEquals((await handler(requests()[0]!)).status, 413);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) });
  assertEquals((await handler(post("json", "application/json", endless))).status, 413);
});

Deno.test("preserveRequestBody responds with 500 to a body that was used before", async () => {
  const used = requests()[0]!;
  await used.text();
  const locked = requests()[0]!;
  locked.body?.getReader();
  for (const each of [used, locked]) assertEquals((await mount({ preserveRequestBody: true })(each)).status, 500);
});
