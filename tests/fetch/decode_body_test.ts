import { request, type RequestBody, response, route } from "@scope/api";
import type { FetchOptions } from "@scope/api/fetch";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { assertProblem, mountRoute } from "../support/mount_route.ts";

/** A handler that responds with its body. */
function echo(body: RequestBody, options?: FetchOptions): (init: RequestInit) => Promise<Response> {
  const declared = route.post("/", { body, responses: { 200: response.json<unknown>() } });
  const handler = mountRoute(declared, ({ body, response }) => {
    return response(200, body instanceof Uint8Array ? { bytes: [...body] } : body);
  }, options);
  return async (init) => await handler(new Request("http://localhost/", { method: "POST", ...init }));
}

function send(contentType: string | undefined, body: BodyInit | null): RequestInit {
  return {
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    headers: contentType === undefined ? {} : { "content-type": contentType },
  };
}

/** Both ways to read a body: whole, and counted against a limit. */
const both: FetchOptions[] = [{}, { maxBodyBytes: 1_000 }];

Deno.test("body passes JSON, text and bytes", async () => {
  for (const options of both) {
    const json = await echo(request.json(), options)(send("application/json", '{"a":[1,null,"é"]}'));
    assertEquals(await json.json(), { a: [1, null, "é"] });
    const text = await echo(request.text(), options)(send("text/plain", "né"));
    assertEquals(await text.json(), "né");
    const bytes = await echo(request.bytes(), options)(send("application/octet-stream", new Uint8Array([0, 255, 13])));
    assertEquals(await bytes.json(), { bytes: [0, 255, 13] });
  }
});

Deno.test("body passes its schema's output", async () => {
  const Body = type({ "+": "delete", n: "string.numeric.parse", "size?": "number" });
  const answer = await echo(request.json(Body))(send("application/json", '{"n":"5","extra":true}'));
  assertEquals(await answer.json(), { n: 5 });
});

Deno.test("body of malformed or empty JSON is 400", async () => {
  const malformed = ["", " ", "{", "{'a':1}", "[1,]", "NaN", "undefined", "1 2", "\0", '"\n"', "\ufeff"];
  for (const options of both) {
    for (const text of malformed) {
      const answer = await echo(request.json(), options)(send("application/json", text));
      await assertProblem(answer, 400, "Bad Request", "invalid-body");
    }
    const none = await echo(request.json(), options)(send("application/json", null));
    await assertProblem(none, 400, "Bad Request", "invalid-body");
  }
});

Deno.test("body without bytes is empty text or empty bytes", async () => {
  for (const options of both) {
    for (const body of ["", null]) {
      assertEquals(await (await echo(request.text(), options)(send("text/plain", body))).json(), "");
      const bytes = await echo(request.bytes(), options)(send("application/octet-stream", body));
      assertEquals(await bytes.json(), { bytes: [] });
    }
  }
});

Deno.test("body is UTF-8, JSON without a byte order mark, and malformed bytes become U+FFFD", async () => {
  for (const options of both) {
    const json = await echo(request.json(), options)(send("application/json", "\ufeff[1]"));
    assertEquals(await json.json(), [1]);
    const text = await echo(request.text(), options)(
      send("text/plain", new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff])),
    );
    assertEquals(await text.json(), "\ufeffa\ufffd");
    const latin = await echo(request.text(), options)(send("text/plain;charset=latin1", new Uint8Array([0xe9])));
    assertEquals(await latin.json(), "\ufffd");
  }
});

Deno.test("body keeps __proto__ as an own property and does not change prototypes", async () => {
  for (const options of both) {
    let seen: object = {};
    const declared = route.post("/", { body: request.json<object>(), responses: { 204: response.empty() } });
    const handler = mountRoute(declared, ({ body, response }) => {
      seen = body;
      return response(204);
    }, options);
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    await handler(new Request("http://localhost/", { method: "POST", ...send("application/json", text) }));
    assert(Object.hasOwn(seen, "__proto__"));
    assertEquals(Object.getPrototypeOf(seen), Object.prototype);
    assert(!("polluted" in {}) && !("polluted" in seen));
  }
});

Deno.test("body that was read before is 400, not empty", async () => {
  for (const options of both) {
    for (const [body, contentType] of [[request.json(), "application/json"], [request.text(), "text/plain"]] as const) {
      const declared = route.post("/", { body, responses: { 204: response.empty() } });
      const incoming = new Request("http://localhost/", { method: "POST", ...send(contentType, "1") });
      await incoming.text();
      const answer = await mountRoute(declared, ({ response }) => response(204), options)(incoming);
      await assertProblem(answer, 400, "Bad Request", "invalid-body");
    }
  }
});

Deno.test("body that another reader holds is 400", async () => {
  for (const options of both) {
    const declared = route.post("/", { body: request.text(), responses: { 204: response.empty() } });
    const incoming = new Request("http://localhost/", { method: "POST", ...send("text/plain", "1") });
    incoming.body?.getReader();
    const answer = await mountRoute(declared, ({ response }) => response(204), options)(incoming);
    await assertProblem(answer, 400, "Bad Request", "invalid-body");
  }
});

Deno.test("body whose stream fails or yields anything but bytes is 400", async () => {
  const starts: ((controller: ReadableStreamDefaultController) => void)[] = [
    (controller) => controller.error(new Error("cut off")),
    (controller) => controller.error(undefined),
    (controller) => controller.error(new SyntaxError("cut off")),
    (controller) => controller.enqueue("text"),
    (controller) => controller.enqueue(1),
  ];
  for (const options of both) {
    for (const start of starts) {
      const body = new ReadableStream({ start });
      const answer = await echo(request.text(), options)(send("text/plain", body));
      await assertProblem(answer, 400, "Bad Request", "invalid-body");
    }
  }
});

Deno.test("body issues contain their place and reason", async () => {
  const Body = type({ items: type({ "a/b~c": "number" }).array() });
  const answer = await echo(request.json(Body))(send("application/json", '{"items":[{"a/b~c":1},{"a/b~c":"2"}]}'));
  await assertProblem(answer, 400, "Bad Request", "invalid-request", [{
    location: "body",
    path: ["items", 1, "a/b~c"],
    pointer: "/items/1/a~1b~0c",
    message: 'items[1]["a/b~c"] must be a number (was a string)',
  }]);
});

Deno.test("body that a schema refuses as a whole has the pointer of the whole", async () => {
  const answer = await echo(request.text(type("'ok'")))(send("text/plain", "no"));
  const [issue] = (await answer.json()).issues;
  assertEquals([issue.location, issue.path, issue.pointer], ["body", [], ""]);
});
