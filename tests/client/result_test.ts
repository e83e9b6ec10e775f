import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertMatch, assertStrictEquals, assertThrows } from "@std/assert";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

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

Deno.test("unwrap() throws an error with the declared problem document, whose title and detail are in its message", async () => {
  const Failed = type({ "detail?": "string", reason: "string" });
  const contract = defineContract({
    routes: {
      login: route.post("/session", {
        responses: {
          204: response.empty(),
          401: response.problem(),
          403: response.problem(Failed),
          409: response.json(Failed),
        },
      }),
    },
  });
  const failWith = async (status: number, body: unknown, type = "application/problem+json"): Promise<ClientError> => {
    const fetch = () => Response.json(body, { status, headers: { "content-type": type } });
    const result = await createClient(contract, { baseUrl: "https://a.example", fetch }).login();
    return assertThrows(() => unwrap(result), ClientError);
  };
  const head = "Cannot unwrap the result of POST /session (login): its status is";
  const problem = { title: "Unauthorized", status: 401, detail: "The password is wrong" };
  const declared = await failWith(401, problem);
  assertEquals(declared.problem, problem);
  assertEquals(declared.message, `${head} 401 (Unauthorized: The password is wrong)`);

  const typed = await failWith(403, { reason: "locked", detail: 7 });
  assertEquals([typed.problem, typed.message], [{ reason: "locked" }, `${head} 403`]);

  const hostile = await failWith(401, { title: "a\n\u001b[31m\u202e\u2028b", detail: "é".repeat(5000) });
  assertMatch(hostile.message.slice(head.length), /^ 401 \(a {2}\[31m {2}b: é{200,300}…\)$/);

  const plain = await failWith(409, { reason: "taken", detail: "x" }, "application/json");
  assertEquals([plain.problem, plain.message], [undefined, `${head} 409`]);
  const explain = ({ problem, message }: ClientError): string => problem?.detail ?? message; // one member, typed
  assertEquals(explain(declared), "The password is wrong");
});
