/** Objects of later versions of this package: their formats, and what this version says to one that it does not know. */
import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { mockContract } from "@scope/api/mock";
import { createNodeHandler } from "@scope/api/node";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { contractTests } from "@scope/api/testing";
import { assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { mark, packageVersion } from "../src/mark.ts";
import { assertTypeError } from "./support/assert_refused.ts";

const contract = defineContract({ routes: { it: route.get("/", { responses: { 200: response.text() } }) } });
const implementation = defineServer(contract).implement({ it: ({ response }) => response(200, "") });

/** The same object, as a later version with another format makes it. */
function inFormat<Value extends object>(value: Value, format: number): Value {
  const { value: kind } = Object.getOwnPropertyDescriptor(value, mark)!;
  return Object.defineProperty({ ...value }, mark, { value: `${kind} ${format}` });
}

Deno.test("the version in messages is that of the package", () => {
  assertEquals(packageVersion, config.version);
});

Deno.test("a contract in an unknown format throws a message that says what to update", () => {
  const message = `this contract has format 3, which @scope/api ${config.version} does not know; update @scope/api`;
  const later = inFormat(contract, 3);
  const info = { title: "", version: "" };
  assertTypeError(() => defineServer(later), `defineServer(): ${message}`);
  assertTypeError(() => openApiDocument(later, { info }), `openApiDocument(): ${message}`);
  assertTypeError(() => mockContract(later), `mockContract(): ${message}`);
  assertTypeError(() => contractTests(later, { target: () => new Response() }), message);
  assertTypeError(() => defineContract({ routes: { later } }), "later must be a route or a router, got an object");
});

Deno.test("an implementation in an unknown format throws a message that says what to update", () => {
  const message =
    `this implementation has format 2, which @scope/api ${config.version} does not know; update @scope/api`;
  const later = inFormat(implementation, 2);
  assertTypeError(() => createFetchHandler(later), `createFetchHandler(): ${message}`);
  assertTypeError(() => createNodeHandler(later), `createNodeHandler(): ${message}`);
});

Deno.test("what JSON can write is not an object of another format", () => {
  const text = JSON.stringify({ ...contract, [mark]: "contract 3" });
  assertTypeError(() => defineServer(JSON.parse(text)), "the contract must be made by defineContract(), got an object");
});
