import { defineContract, request, response, route, router } from "@scope/api";
import { assert, assertEquals, assertFalse } from "@std/assert";
import { type } from "arktype";

const User = type({ id: "string" });

// deno-lint-ignore explicit-function-return-type -- what is inferred from the literal is what defineContract() is for
function options() {
  return {
    basePath: "/api",
    routes: {
      users: router("/users", {
        routes: {
          rename: route.patch("/:id", {
            params: User,
            body: request.json(User, { description: "The new name" }),
            responses: { 200: response.json(User, { headers: type({ etag: "string" }) }), 204: response.empty() },
            docs: { tags: ["names"] },
          }),
        },
        responses: { 403: response.text() },
      }),
    },
    responses: { 401: response.empty() },
    docs: { tags: ["users"] },
  };
}

Deno.test("defineContract() keeps base path, responses and docs", () => {
  const contract = defineContract(options());
  assertEquals(contract.basePath, "/api");
  assertEquals(Object.keys(contract.responses), ["401"]);
  assertEquals(contract.docs.tags, ["users"]);
});

Deno.test("defineContract() keeps its basePath with one leading slash", () => {
  const { routes } = options();
  for (const basePath of ["api/v1", "/api/v1/", "//api/v1"]) {
    assertEquals(defineContract({ basePath, routes }).basePath as string, "/api/v1");
  }
  for (const basePath of ["", "/"]) assertEquals(defineContract({ basePath, routes }).basePath as string, "/");
  assertEquals(defineContract({ routes }).basePath as string, "/");
});

Deno.test("defineContract() freezes everything that it returns", () => {
  const contract = defineContract(options());
  const seen = everyObject(contract);
  assert(seen.size > 15, `${seen.size}`);
  for (const [path, object] of seen) {
    assert(Object.isFrozen(object) || (typeof object === "function" && path.includes(".representation.")), path);
  }
});

Deno.test("defineContract() neither freezes nor changes its argument", () => {
  const given = options();
  const before = JSON.stringify(given);
  defineContract(given);
  assertEquals(JSON.stringify(given), before);
  for (const own of [given, given.routes, given.responses, given.docs, given.docs.tags]) {
    assertFalse(Object.isFrozen(own));
  }
});

Deno.test("defineContract() is not affected by later changes of its options", () => {
  const given = options();
  const contract = defineContract(given);
  const before = JSON.stringify(contract);
  given.basePath = "/changed";
  given.docs.tags.push("changed");
  Object.assign(given.routes, { changed: given.routes.users });
  Object.assign(given.responses, { 404: response.empty() });
  assertEquals(JSON.stringify(contract), before);
});

Deno.test("defineContract() returns data without functions, except those of schemas and representations", () => {
  for (const [path, object] of everyObject(defineContract(options()))) {
    assert(typeof object === "object" || path.includes(".representation."), path);
  }
});

Deno.test("the mark of a contract is not enumerable", () => {
  const contract = defineContract(options());
  for (const object of [contract, contract.routes, contract.routes.users, contract.routes.users.rename]) {
    assertEquals(Object.getOwnPropertySymbols({ ...object }), []);
  }
});

/** Every object below `value`, by the keys that lead there; schemas are the user's, and left out. */
function everyObject(value: object, path = "contract"): Map<string, object> {
  const below = Object.entries(value).filter(([, child]) =>
    (typeof child === "object" || typeof child === "function") && child !== null && !("~standard" in child)
  );
  return new Map([[path, value], ...below.flatMap(([key, child]) => [...everyObject(child, `${path}.${key}`)])]);
}
