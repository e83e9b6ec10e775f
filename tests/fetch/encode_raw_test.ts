import { response, route } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import { listen, mountRoute } from "../support/mount_route.ts";
import { watchBody } from "../support/watched_body.ts";

const declared = route.get("/", { responses: { 200: response.raw(), 204: response.raw(), 404: response.raw() } });
const get = (method = "GET"): Request => new Request("http://localhost/", { method });

Deno.test("response.raw() sends the handler's own response object", async () => {
  for (const given of [new Response("a", { headers: { "x-a": "1" } }), new Response(null, { status: 204 })]) {
    const handler = mountRoute(declared, ({ response }) => response(given.status as 200, given));
    assert(await handler(get()) === given);
  }
});

Deno.test("response.raw() adds further headers to those of the response and keeps its content type", async () => {
  const native = Response.json({}, { headers: { "set-cookie": "a=1" }, statusText: "Fine" });
  const headers = { "set-cookie": ["b=2", "c=3"], "content-type": "text/plain", "x-a": undefined };
  const answer = await mountRoute(declared, ({ response }) => response(200, native, headers))(get());
  assertEquals([answer.statusText, answer.headers.get("content-type")], ["Fine", "application/json"]);
  assertEquals(answer.headers.getSetCookie(), ["a=1", "b=2", "c=3"]);
  assertEquals(await answer.text(), "{}");
});

Deno.test("response.raw() refuses a response without the declared status, and cancels its body", async () => {
  const bodies = [undefined, null, "text", {}, new Error("no")];
  for (const body of bodies) {
    const { heard, onError } = listen();
    const answer = await mountRoute(declared, (() => ({ status: 200, body })) as never, { onError })(get());
    assertEquals([answer.status, heard[0]?.phase], [500, "encode"]);
  }
  for (
    const [status, headers] of [[404, undefined], [200, { "x-a": "\n" }], [299, undefined]] as const
  ) {
    const { heard, onError } = listen();
    const { stream, state } = watchBody(["a"]);
    const result = { status, body: new Response(stream), headers };
    const answer = await mountRoute(declared, (() => result) as never, { onError })(get());
    assertEquals([answer.status, state(), heard.length], [500, "cancelled", 1]);
  }
});

Deno.test("createFetchHandler() cancels the body of a native response outside of a result, or with an undeclared status", async () => {
  const handles = [
    (native: Response) => native,
    (native: Response, response: (...given: unknown[]) => unknown) => response(299, native),
  ];
  for (const handle of handles) {
    const { stream, state } = watchBody(["a"]);
    const give = ({ response }: { response: (...given: unknown[]) => unknown }) =>
      handle(new Response(stream), response);
    const answer = await mountRoute(declared, give as never, { onError: () => {} })(get());
    assertEquals([answer.status, state()], [500, "cancelled"]);
  }
});

Deno.test("response.raw() refuses a response that has been read", async () => {
  const { heard, onError } = listen();
  const native = new Response("a");
  await native.text();
  const answer = await mountRoute(declared, ({ response }) => response(200, native), { onError })(get());
  assertEquals([answer.status, heard[0]?.phase], [500, "encode"]);
});

Deno.test("response.raw() refuses a response that something is reading", async () => {
  const { heard, onError } = listen();
  const native = new Response("a");
  native.body!.getReader();
  const answer = await mountRoute(declared, ({ response }) => response(200, native), { onError })(get());
  assertEquals([answer.status, heard[0]?.phase], [500, "encode"]);
});

Deno.test("response.raw() is sent to HEAD without its body, which is cancelled", async () => {
  const { stream, state } = watchBody(["a"]);
  const native = new Response(stream, { headers: { "x-a": "1" } });
  const answer = await mountRoute(declared, ({ response }) => response(200, native))(get("HEAD"));
  assertEquals([answer.status, answer.body, answer.headers.get("x-a"), state()], [200, null, "1", "cancelled"]);
});
