import { response, route } from "@scope/api";
import { assert, assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { failureOf, type HandlerOf, mountRoute } from "../support/mount_route.ts";

const declared = route.get("/", {
  responses: { 200: response.json<unknown>(), 404: response.json(type({ message: "string" })), 204: response.empty() },
});
type Handle = HandlerOf<typeof declared>;

const get = new Request("http://localhost/");

/** Asserts that a handler's result becomes a 500 in one phase, and returns the reported error. */
function failureIn(phase: "encode" | "handler", handle: unknown): Promise<unknown> {
  return failureOf(declared, handle as Handle, phase);
}

/** The statuses that handlers return. */
async function statusesOf(handlers: readonly Handle[]): Promise<number[]> {
  const answers = await Promise.all(handlers.map((handle) => mountRoute(declared, handle)(get)));
  return answers.map((answer) => answer.status);
}

Deno.test("response() builds a plain result of status, body and headers", async () => {
  const results: unknown[] = [];
  const answer = await mountRoute(declared, ({ response }) => {
    const result = response(404, { message: "none" }, { "x-a": "1" });
    results.push(result);
    return result;
  })(get);
  assertEquals(results, [{ status: 404, body: { message: "none" }, headers: { "x-a": "1" } }]);
  assertEquals(answer.status, 404);
});

Deno.test("handler() may build, write, return, promise or throw a result", async () => {
  const body = { message: "none" };
  const statuses = await statusesOf([
    ({ response }) => response(404, body),
    () => ({ status: 404, body }),
    ({ response }) => Promise.resolve(response(404, body)),
    ({ response }) => {
      throw response(404, body);
    },
    () => {
      throw { status: 404, body };
    },
    async ({ response }) => {
      await Promise.resolve();
      throw response(404, body);
    },
    ({ response }) => Promise.reject(response(404, body)),
  ]);
  assertEquals(statuses, [404, 404, 404, 404, 404, 404, 404]);
});

Deno.test("handler() may return a result without a body", async () => {
  assertEquals(await statusesOf([({ response }) => response(204), () => ({ status: 204 })]), [204, 204]);
});

Deno.test("a result that handler() throws is checked like a returned one", async () => {
  const error = await failureIn("encode", () => {
    throw { status: 404, body: { message: 5 } };
  });
  assertStringIncludes(String(error), "message must be a string");
});

Deno.test("handler() that returns anything but a result fails, and the error describes the value", async () => {
  const others: [unknown, string][] = [
    [undefined, "undefined"],
    [null, "null"],
    ["ok", "a string"],
    [200, "200"],
    [[200, "ok"], "an array"],
    [{ body: "ok" }, "an object"],
    [{ status: "200" }, "an object"],
    [new Response("ok"), "a native Response"],
    [new Error("broken"), "an Error"],
    [Object.assign(new Error("broken"), { status: 404 }), "an Error"],
  ];
  for (const [other, name] of others) {
    const error = await failureIn("encode", () => other);
    assertInstanceOf(error, TypeError);
    assertStringIncludes(
      error.message,
      `Cannot answer GET / (it): the handler must return response(status, …), got ${name}`,
    );
    assertEquals(await failureIn("encode", () => Promise.resolve(other)) instanceof TypeError, true);
  }
});

Deno.test("response() refuses an undeclared status and names the declared ones", async () => {
  const message = "Cannot answer GET / (it): status 201 is not declared (declared: 200, 204, 404)";
  const call: Handle = ({ response }) => response(201 as 200, "made");
  for (const handle of [call, (input: Parameters<Handle>[0]) => Promise.resolve().then(() => call(input))]) {
    const error = await failureIn("encode", handle);
    assertInstanceOf(error, TypeError);
    assertEquals(error.message, message);
  }
});

Deno.test("response() with an undeclared status throws at the call", async () => {
  const thrown: unknown[] = [];
  const handle: Handle = ({ response }) => {
    try {
      response(201 as 200, "made");
    } catch (error) {
      thrown.push(error);
    }
    return response(204);
  };
  assertEquals(await statusesOf([handle]), [204]);
  const [error] = thrown;
  assertInstanceOf(error, TypeError);
  assertStringIncludes(error.message, "status 201 is not declared (declared: 200, 204, 404)");
});

Deno.test("handler() that returns a plain result with an undeclared status fails in the same way", async () => {
  for (const status of [201, 404.5, NaN, -1, 0, Infinity]) {
    const error = await failureIn("encode", () => ({ status }));
    assertEquals(
      (error as Error).message,
      `Cannot answer GET / (it): status ${status} is not declared (declared: 200, 204, 404)`,
    );
  }
});

Deno.test("handler() that throws a Response or an Error fails, whatever its status", async () => {
  for (const thrown of [new Response("no", { status: 404 }), Object.assign(new Error("no"), { status: 404 })]) {
    const error = await failureIn("handler", () => {
      throw thrown;
    });
    assert(error === thrown);
  }
});
