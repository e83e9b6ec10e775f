import { defineContract, response, route } from "@scope/api";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertThrows } from "@std/assert";

const contract = defineContract({ routes: { health: route.get("/health", { responses: { 200: response.text() } }) } });

Deno.test("defineServer() refuses a value that defineContract() did not return", () => {
  for (const given of [undefined, null, {}, { routes: contract.routes }, () => contract]) {
    assertThrows(
      () => defineServer(given as never),
      TypeError,
      "defineServer(): the contract must be made by defineContract(), got ",
    );
  }
});

Deno.test("defineServer() refuses an unknown option by name", () => {
  const options = { contxt: () => ({}) };
  assertThrows(
    () => defineServer(contract, options as never),
    TypeError,
    'defineServer(): unknown option "contxt"; did you mean "context"? (allowed: context, refuse, security)',
  );
});

Deno.test("defineServer() refuses a context that is not a function", () => {
  for (const context of [{}, null, "db"]) {
    assertThrows(
      () => defineServer(contract, { context } as never),
      TypeError,
      'defineServer(): "context" must be a function, got ',
    );
  }
});

Deno.test("defineServer() refuses a refuse that is not a function", () => {
  for (const refuse of [{}, null, "problem"]) {
    assertThrows(
      () => defineServer(contract, { refuse } as never),
      TypeError,
      'defineServer(): "refuse" must be a function, got ',
    );
  }
});

Deno.test("implement() can be called again, and returns frozen implementations", () => {
  const server = defineServer(contract);
  assert(Object.isFrozen(server));
  const first = server.implement({ health: ({ response }) => response(200, "first") });
  const second = server.implement({ health: ({ response }) => response(200, "second") });
  assert(Object.isFrozen(first));
  assertEquals(first["~endpoints"].length, 1);
  assert(first["~endpoints"][0] !== second["~endpoints"][0]);
});
