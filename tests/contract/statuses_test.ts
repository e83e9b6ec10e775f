/** Responses for whole ranges of statuses. */
import { assertEquals, assertThrows } from "@std/assert";
import { defineContract, response, route, router } from "@scope/api";
import { createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { empty, json, responseText, slimContract, statuses } from "@scope/api/slim";
import { type } from "arktype";
import { writeSlimContract } from "../../src/tools/slim/write_slim_contract.ts";

const Failure = response.json(type({ message: "string" }));
const contract = defineContract({
  responses: { ...response.statuses("default", Failure) },
  routes: {
    read: route.get("/items/:id", {
      responses: { ...response.statuses("4XX", response.text()), 200: response.text(), 404: response.empty() },
    }),
    things: router("/things", { routes: { list: route.get("/", { responses: { 200: response.text() } }) } }),
  },
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    read: ({ params, response }) => {
      if (params.id === "gone") return response(410, "gone");
      if (params.id === "missing") return response(404);
      return params.id === "down" ? response(503, { message: "down" }) : response(200, "ok");
    },
    things: { list: ({ response }) => response(507, { message: "full" }) },
  }),
);
const info = { title: "Items", version: "1.0.0" };

Deno.test("response.statuses() declares one response for all registered statuses of a class", () => {
  const keys = (range: "2XX" | "3XX" | "4XX" | "5XX" | "default") =>
    Object.keys(response.statuses(range, response.empty())).map(Number);

  assertEquals(keys("2XX"), [200, 201, 202, 203, 206, 207, 208, 226]);
  assertEquals(keys("3XX"), [300, 301, 302, 303, 305, 307, 308]);
  assertEquals([keys("4XX").length, keys("4XX")[0], keys("4XX").at(-1)], [28, 400, 451]);
  assertEquals(keys("5XX"), [500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511]);
  assertEquals(keys("default"), [...keys("4XX"), ...keys("5XX")]);
  assertEquals(new Set(Object.values(response.statuses("default", Failure))).size, 1);
});

Deno.test("a handler returns, and a client narrows by, each status of a range", async () => {
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  const read = async (id: string) => {
    const result = await client.read({ params: { id } });
    if (result.status === 200) return result.body satisfies string;
    if (result.status === 404) return result.body satisfies undefined;
    if (result.status === 410) return result.body satisfies string;
    if (result.status === 503) return result.body.message satisfies string;
    return result.status;
  };
  assertEquals([await read("1"), await read("missing"), await read("gone"), await read("down")], [
    "ok",
    undefined,
    "gone",
    "down",
  ]);
  const list = await client.things.list();
  assertEquals(list.status === 507 && list.body, { message: "full" });
});

Deno.test("a response of the wrong kind for a status of a range is a type error", () => {
  defineServer(contract).implement({
    // @ts-expect-error 410 is a text
    read: ({ response }) => response(410, { message: "gone" }),
    // @ts-expect-error 418 is not registered
    things: { list: ({ response }) => response(418, { message: "full" }) },
  });
  // @ts-expect-error an explicit status before the range would be replaced
  ({ 404: response.empty(), ...response.statuses("4XX", Failure) });
});

Deno.test("the document has the range, beside the statuses that differ from it", () => {
  const { paths } = openApiDocument(contract, { info, refusals: false });
  const { responses } = paths["/items/{id}"]!.get!;
  assertEquals(Object.keys(responses), ["200", "404", "4XX", "default"]);
  assertEquals(Object.keys(responses["4XX"]!.content!), ["text/plain"]);
  assertEquals(responses.default!.description, "Error");
  assertEquals(Object.keys(paths["/things"]!.get!.responses), ["200", "default"]);
  assertEquals(Object.keys(openApiDocument(contract, { info }).paths["/things"]!.get!.responses), [
    "200",
    "500",
    "default",
  ]);
});

Deno.test("diffContracts() finds no change between a contract with ranges and its document", () => {
  const document = openApiDocument(contract, { info, refusals: false });
  assertEquals(diffContracts(contract, document), []);
  assertEquals(diffContracts(document, contract), []);
});

Deno.test("a mock answers with a success, not with an error of a range", async () => {
  const mock = mockContract(contract);
  assertEquals((await mock(new Request("http://localhost/items/1"))).status, 200);
});

Deno.test("a slim contract has one row for a range", async () => {
  const text = writeSlimContract(contract, {
    name: "contract",
    contract: "./contract.ts",
    codecs: undefined,
    library: "@scope/api/slim",
  });
  const rows = { ...statuses("default", json), ...statuses("4XX", responseText), 200: responseText, 404: empty };
  const small = slimContract<typeof contract>({
    read: ["GET", "/items/:id", {}, rows],
    things: { list: ["GET", "/things", {}, { ...statuses("default", json), 200: responseText }] },
  });

  assertEquals(text.replaceAll(/\s+/g, " ").match(/\{ \.\.\.slim\.statuses.*?\}/g), [
    '{ ...slim.statuses("default", slim.json), ...slim.statuses("4XX", slim.responseText), 200: slim.responseText, 404: slim.empty, }',
    '{ ...slim.statuses("default", slim.json), 200: slim.responseText }',
  ]);
  const client = createClient(small, { baseUrl: "http://localhost", fetch: handler });
  const result = await client.things.list();
  assertEquals(result.status === 507 && result.body.message, "full");
});

Deno.test("response.statuses() refuses what is no range or no response", () => {
  const declare = response.statuses as (...args: unknown[]) => unknown;
  assertThrows(
    () => declare("6XX", Failure),
    TypeError,
    'response.statuses(): the range must be one of 2XX, 3XX, 4XX, 5XX, default, got "6XX"',
  );
  assertThrows(
    () => declare("4XX", { message: "string" }),
    TypeError,
    "response.statuses(): the second argument must be a schema or a declaration, got an object; write response.json(…)",
  );
});
