import { defineContract, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer, type Middleware } from "@scope/api/server";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { assertProblem, listen } from "../support/mount_route.ts";

const contract = defineContract({
  responses: { 503: response.text() },
  routes: { it: route.get("/", { responses: { 200: response.text() } }) },
});
const broken = new Error("broken");
const get = new Request("http://localhost/");

/** A handler that fails, now or later, inside of some middleware. */
function failInside(middleware: readonly Middleware[], options: FetchOptions, later: boolean): FetchHandler {
  const server = middleware.reduce((server, each) => server.use(each), defineServer(contract));
  const implementation = server.implement({
    it: () => {
      if (later) return Promise.reject(broken);
      throw broken;
    },
  });
  return createFetchHandler(implementation, options);
}

const rethrow: Middleware = async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    throw error;
  }
};
const clean: Middleware = async ({ next }) => {
  try {
    return await next();
  } finally {
    await Promise.resolve();
  }
};
const pass: Middleware = ({ next }) => next();

Deno.test("onError receives an error that middleware rethrows only once", async () => {
  for (const later of [true, false]) {
    const { heard, onError } = listen();
    const handler = failInside([rethrow, clean, pass, rethrow, clean], { onError }, later);
    await assertProblem(await handler(get), 500, "Internal Server Error", "internal-error");
    assertEquals(heard.map(({ error, phase }) => [error, phase]), [[broken, "handler"]]);
  }
});

Deno.test("onError receives only the error that middleware throws instead of the caught one", async () => {
  const wrap: Middleware = async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw new Error("wrapped", { cause: error });
    }
  };
  for (const later of [true, false]) {
    const { heard, onError } = listen();
    await failInside([rethrow, wrap, pass], { onError }, later)(get);
    assertEquals(heard.map(({ error }) => [String(error), (error as Error).cause]), [["Error: wrapped", broken]]);
  }
});

Deno.test("onError is called once if middleware fails next to a next() that is not awaited", async () => {
  const own = new Error("own");
  const careless: Middleware = ({ next }) => {
    next();
    throw own;
  };
  for (const later of [true, false]) {
    const { heard, onError } = listen();
    await failInside([pass, careless], { onError }, later)(get);
    await new Promise((resolve) => setTimeout(resolve)); // an unhandled rejection would fail the test
    assertEquals(heard.map(({ error }) => error), [own]);
  }
});

Deno.test("onError is not called if middleware returns a declared 5xx for a failure", async () => {
  const mend: Middleware<Record<never, never>, typeof contract.responses> = async ({ next, response }) => {
    try {
      return await next();
    } catch {
      return response(503, "later");
    }
  };
  const { heard, onError } = listen();
  const implementation = defineServer(contract).use(mend).implement({ it: () => Promise.reject(broken) });
  const answer = await createFetchHandler(implementation, { onError })(get);
  assertEquals([answer.status, await answer.text(), heard.length], [503, "later", 0]);
});

Deno.test("the replacement of onError is sent unchanged and does not pass middleware", async () => {
  for (const later of [true, false]) {
    const seen: number[] = [];
    const look: Middleware = async ({ next }) => {
      const result = await next();
      seen.push(result.status);
      return { ...result, headers: { "x-seen": "yes" } };
    };
    const replacement = new Response("sorry", { status: 503 });
    const { heard, onError } = listen(() => later ? Promise.resolve(replacement) : replacement);
    assertStrictEquals(await failInside([look], { onError }, later)(get), replacement);
    assertEquals([heard.length, seen, replacement.headers.has("x-seen")], [1, [], false]);
  }
});

Deno.test("onError receives an invalid result of middleware once", async () => {
  const spoil: Middleware = async ({ next }) => ({ ...await next(), status: 418 });
  const { heard, onError } = listen();
  const implementation = defineServer(contract).use(rethrow).use(spoil).use(clean)
    .implement({ it: ({ response }) => response(200, "fine") });
  await assertProblem(
    await createFetchHandler(implementation, { onError })(get),
    500,
    "Internal Server Error",
    "internal-error",
  );
  assertEquals(heard.map(({ phase }) => phase), ["encode"]);
});
