import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient, isErrorOf, unwrap, unwrapResult } from "@scope/api/client";
import { assert, assertEquals, assertFalse, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const contract = defineContract({
  routes: {
    byId: route.get("/users/:id", {
      responses: {
        200: response.text({ headers: type({ etag: "string" }) }),
        404: response.json(type({ message: "string" })),
      },
    }),
    other: route.get("/other", { responses: { 200: response.text() } }),
  },
});
const connect = (status: number) =>
  createClient(contract, {
    baseUrl: "https://a.example",
    fetch: () =>
      status === 200
        ? new Response("Ada", { headers: { "content-type": "text/plain", etag: '"1"' } })
        : Response.json({ message: "none" }, { status }),
  });
const find = async (status: number) => await connect(status).byId({ params: { id: 1 } });

Deno.test("isErrorOf() recognizes the errors of a call and types their result", async () => {
  const { byId, other } = connect(404);
  const error = await assertRejects(async () => unwrap(await find(404)), ClientError);
  assertType<IsExact<typeof error.result, unknown>>(true);
  assert(isErrorOf(byId, error));
  assertType<IsExact<NonNullable<typeof error.result>["body"], { message: string }>>(true);
  assertEquals([error.result?.status, error.result?.body.message], [404, "none"]);
  assertFalse(isErrorOf(other, error));

  const undeclared = await assertRejects(() => find(500), ClientError);
  assert(isErrorOf(byId, undeclared));
  assertEquals([undeclared.code, undeclared.result], ["unexpected-status", undefined]);
  for (const value of [undefined, null, "no", new Error("no"), new ClientError("network", "of no route")]) {
    assertFalse(isErrorOf(byId, value));
  }
  for (const call of [() => Promise.reject(), undefined, null]) {
    assertThrows(
      () => isErrorOf(call as never, error),
      TypeError,
      "isErrorOf(): the call must be one of a client, like client.users.byId",
    );
  }
});

Deno.test("instanceof does not type the result of a ClientError", async () => {
  const error: unknown = await find(500).catch((error) => error);
  assert(error instanceof ClientError);
  assertType<IsExact<typeof error.result, unknown>>(true);
  // @ts-expect-error it may be of any route
  assertThrows(() => error.result.body);
});

Deno.test("unwrapResult() returns a 2xx result with typed headers, and throws for any other", async () => {
  const result = await find(200);
  const unwrapped = unwrapResult(result);
  assertType<IsExact<typeof unwrapped.status, 200>>(true);
  assertStrictEquals(unwrapped, result);
  assertEquals([unwrapped.body, unwrapped.headers.etag], ["Ada", '"1"']);
  const error = await assertRejects(async () => unwrapResult(await find(404)), ClientError);
  assertEquals([error.code, error.status], ["unsuccessful", 404]);
});
