/** Any key is an ordinary key of the call tree. */
import { defineContract, response, route, router, security } from "@scope/api";
import { assert, assertEquals, assertFalse, assertStrictEquals } from "@std/assert";
import { assertTypeError } from "../support/assert_refused.ts";

const responses = { 200: response.empty() };

const keys = [
  "key",
  "method",
  "path",
  "params",
  "responses",
  "docs",
  "routes",
  "basePath",
  "then",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "__proto__",
  "__defineGetter__",
  "a.b",
  "a b",
  "7",
  "-1",
  "日本語",
  "~standard",
  "@scope/api",
];

for (const key of keys) {
  Deno.test(`defineContract() accepts a route and a router called ${key}`, () => {
    const routes = {
      [key]: router("/group", {
        routes: { [key]: route.get("/leaf", { responses }), other: route.get("/", { responses }) },
      }),
      other: route.get("/other", { responses }),
    };
    const contract = defineContract({ routes });
    const group = ownValue(contract.routes, key);
    assertEquals(Object.keys(contract.routes).toSorted(), [key, "other"].toSorted());
    assertEquals(Object.keys(group as object).toSorted(), [key, "other"].toSorted());
    const node = ownValue(group, key) as { readonly key: string; readonly path: string };
    assertEquals([node.key, node.path], [`${key}.${key}`, "/group/leaf"]);
    assertStrictEquals(Object.getPrototypeOf(contract.routes), Object.prototype);
    assertStrictEquals(Object.getPrototypeOf(group), Object.prototype);
  });
}

Deno.test("defineContract() has only declared routes", () => {
  const { routes } = defineContract({ routes: { leaf: route.get("/", { responses }) } });
  for (const key of keys) assertFalse(Object.hasOwn(routes, key));
});

Deno.test("defineContract() sorts numeric keys first, as any object does", () => {
  const routes = {
    b: route.get("/b", { responses }),
    2: route.get("/2", { responses }),
    1: route.get("/1", { responses }),
  };
  assertEquals(Object.keys(defineContract({ routes }).routes), ["1", "2", "b"]);
});

Deno.test("defineContract() does not change prototypes", () => {
  const before = Reflect.ownKeys(Object.prototype);
  defineContract({
    routes: { ["__proto__"]: router("/", { routes: { ["__proto__"]: route.get("/", { responses }) } }) },
    security: [security.bearer("__proto__", { scopes: ["polluted"] }).scoped("polluted")],
  });
  assertEquals(Reflect.ownKeys(Object.prototype), before);
  assert(!("polluted" in {}));
});

function ownValue(object: unknown, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

for (const key of ["~scope/api", "~scope/shared-responses"]) {
  Deno.test(`defineContract() and router() refuse a route and a router called ${key}, and name it`, () => {
    const leaf = route.get("/leaf", { responses });
    const message = `"${key}" is reserved; rename the route`;
    assertTypeError(() => defineContract({ routes: { [key]: leaf } }), `defineContract(): ${message}`);
    assertTypeError(() => router("/group", { routes: { [key]: leaf } }), `router("/group"): ${message}`);
    const group = router("/group", { routes: { leaf } });
    assertTypeError(() => defineContract({ routes: { [key]: group, leaf } }), `defineContract(): ${message}`);
  });
}
