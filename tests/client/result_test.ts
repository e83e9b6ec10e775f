import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";

const contract = defineContract({
  routes: {
    user: route.get("/users/:id", {
      responses: {
        200: response.json<{ name: string }>(),
        204: response.empty(),
        302: response.empty(),
        404: response.json<{ message: string }>(),
        500: response.text(),
      },
    }),
  },
});
const fetch = createFetchHandler(
  defineServer(contract).implement({
    user: ({ params, response }) => {
      if (params.id === "gone") return response(204);
      if (params.id === "moved") return response(302, undefined, { location: "/" });
      if (params.id === "none") return response(404, { message: "No user" });
      return params.id === "broken" ? response(500, "broken") : response(200, { name: "Ada" });
    },
  }),
);
const client = createClient(contract, { baseUrl: "https://a.example", fetch });

Deno.test("unwrap() returns the typed body of a 2xx result", async () => {
  const body = unwrap(await client.user({ params: { id: "1" } }));

  assertType<IsExact<typeof body, { name: string } | undefined>>(true);
  assertEquals(body, { name: "Ada" });
  assertEquals(unwrap(await client.user({ params: { id: "gone" } })), undefined);
});

Deno.test("unwrap() throws for every other result, with the result", async () => {
  const cases: [id: string, status: number][] = [["moved", 302], ["none", 404], ["broken", 500]];
  for (const [id, status] of cases) {
    const result = await client.user({ params: { id } });
    const error = assertThrows(() => unwrap(result), ClientError);
    assertEquals([error.name, error.code, error.status], ["ClientError", "unsuccessful", status]);
    assertEquals(error.message.includes(String(status)), true);
    assertStrictEquals(error.result, result);
    assertStrictEquals(error.response, result.response);
  }
});

Deno.test("unwrap() errors name the route of the result", async () => {
  const result = await client.user({ params: { id: "none" } });
  const error = assertThrows(() => unwrap(result), ClientError, "Cannot unwrap the result of GET /users/:id (user)");
  assertEquals(error.route, { key: "user", method: "GET", path: "/users/:id" });
  assertEquals(Reflect.ownKeys({ ...result }), ["status", "body", "headers", "response"]);
});

Deno.test("unwrap() accepts any object with a status and a body", () => {
  assertEquals(unwrap({ status: 200, body: 1 }), 1);
  assertEquals(unwrap({ status: 299, body: 2 }), 2);
  for (const status of [100, 199, 300, 404, NaN]) {
    const error = assertThrows(() => unwrap({ status, body: 1 }), ClientError);
    assertEquals([error.code, error.response, error.route], ["unsuccessful", undefined, undefined]);
  }
});
