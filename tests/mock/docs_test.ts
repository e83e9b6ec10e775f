/** Mocks send the examples of a document. */
import { defineContract, response, route } from "@scope/api";
import { importContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { assertEquals, assertThrows } from "@std/assert";
import { z } from "zod";

const User = z.object({ id: z.string(), age: z.int() });
/** The body of a mock's response. */
async function bodyOf(mock: (request: Request) => Response | Promise<Response>, path: string): Promise<unknown> {
  return await (await mock(new Request(`http://localhost${path}`))).json();
}

Deno.test("mockContract() sends the examples of docs, and generates a value if the schema refuses them", async () => {
  const api = defineContract({
    routes: {
      me: route.get("/me", { responses: { 200: response.json(User) } }),
      old: route.get("/old", { responses: { 200: response.json(User) } }),
      other: route.get("/other", {
        responses: { 200: response.json(User) },
        docs: { responses: { 200: { example: { id: "inside", age: 1 } } } },
      }),
    },
  });
  const mock = mockContract(api, {
    docs: {
      me: { responses: { 200: { examples: { ada: { value: { id: "ada", age: 36 } } } } } },
      old: { responses: { 200: { example: { id: 1 } } } },
    },
  });

  assertEquals(await bodyOf(mock, "/me"), { id: "ada", age: 36 });
  assertEquals(await bodyOf(mock, "/other"), { id: "inside", age: 1 });
  assertEquals(User.safeParse(await bodyOf(mock, "/old")).success, true);
});

Deno.test("mockContract() sends the examples of an imported document", async () => {
  const example = { id: "u_1" };
  const schema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
  const responses = { 200: { description: "", content: { "application/json": { schema, example } } } };
  const imported = importContract({
    openapi: "3.1.0",
    info: { title: "Users", version: "1" },
    paths: { "/me": { get: { tags: ["users"], operationId: "me", responses } } },
  });

  const mock = mockContract(imported.contract, { docs: imported.document.docs ?? {} });
  assertEquals(await bodyOf(mock, "/me"), example);
});

Deno.test("mockContract() refuses docs that are no object", () => {
  assertThrows(
    () =>
      mockContract(defineContract({ routes: { me: route.get("/", { responses: { 200: response.json(User) } }) } }), {
        docs: 1 as never,
      }),
    TypeError,
    'mockContract(): "docs" must be an object, got 1',
  );
});
