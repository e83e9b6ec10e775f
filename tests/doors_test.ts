import * as contract from "@scope/api";
import * as client from "@scope/api/client";
import * as fetch from "@scope/api/fetch";
import * as openapi from "@scope/api/openapi";
import * as request from "@scope/api/request";
import * as response from "@scope/api/response";
import * as server from "@scope/api/server";
import { assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };

const doors: Readonly<Record<string, readonly [door: object, names: readonly string[]]>> = {
  ".": [contract, ["codec", "defineContract", "representation", "request", "response", "route", "router"]],
  "./client": [client, ["ClientError", "createClient", "unwrap"]],
  "./fetch": [fetch, ["createFetchHandler", "fetchAdapter"]],
  "./openapi": [openapi, ["docsPage", "openApiDocument"]],
  "./request": [request, ["as", "bytes", "form", "formData", "json", "stream", "text"]],
  "./response": [response, ["as", "bytes", "empty", "json", "ndjson", "problem", "raw", "sse", "stream", "text"]],
  "./server": [server, ["defineServer"]],
};

for (const [name, [door, names]] of Object.entries(doors)) {
  Deno.test(`the door ${name} exports its names and no other`, () => {
    assertEquals(Object.keys(door).toSorted(), names);
  });
}

/** Runs as it is imported, so it has nothing to export. */
const command = "./openapi/cli";

Deno.test("the package has these doors and no other", () => {
  assertEquals(Object.keys(config.exports).toSorted(), [...Object.keys(doors), command].toSorted());
});

Deno.test("the doors of request and response have the helpers of the objects of that name", () => {
  assertEquals({ ...request }, { ...contract.request });
  assertEquals({ ...response }, { ...contract.response });
});
