/** Keys of any name, in any slot, are own properties of the handler's input, and no prototype changes. */
import { request, response, route } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { mountRoute } from "../support/mount_route.ts";
import { tries } from "../support/tries.ts";
import { anything } from "../support/hostile_schemas.ts";

const prototypes = [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  Promise,
  Request,
  Response,
  Headers,
  FormData,
  File,
  Map,
]
  .map(({ prototype }) => prototype as object);

/** Everything that is on the prototypes, for comparison. */
function lookAt(): unknown[] {
  return prototypes.map((prototype) => [
    Object.getPrototypeOf(prototype),
    Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)?.value]),
  ]);
}

const key = fc.constantFrom(
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "then",
    "__defineGetter__",
    "toJSON",
  ],
  ...["__proto__[polluted]", "__proto__.polluted", "constructor.prototype.polluted", "polluted", "0", "length", ""],
);
const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 6 });
const kinds = fc.constantFrom("json", "form", "formData", "query");

// proves promises | No input changes a prototype
Deno.test("createFetchHandler() does not change prototypes, and passes hostile keys as own properties", async () => {
  const before = lookAt();
  const property = fc.asyncProperty(kinds, keys, fc.boolean(), async (kind, keys, twice) => {
    let seen: object | undefined;
    const see = ({ body, query }: { readonly body?: object; readonly query?: object }): never => {
      seen = body ?? query;
      return { status: 200, body: { seen } } as never;
    };
    const declaration = {
      ...(kind === "query" && { query: anything() }),
      ...(kind === "json" && { body: request.json() }),
      ...(kind === "form" && { body: request.form(anything()) }),
      ...(kind === "formData" && { body: request.formData(anything()) }),
      responses: { 200: response.json<unknown>() },
    };
    const handler = mountRoute(route.post("/", declaration as never), see as never, { onError: () => {} });
    const values = twice ? ["1", "2"] : ["1"];
    const answer = await handler(toRequest(kind, keys, values));
    const expected = kind === "json" ? { polluted: true } : twice ? values : "1";
    assert(seen !== undefined);
    assertEquals(Object.getPrototypeOf(seen), Object.prototype);
    assertEquals(Object.keys(seen).sort(), keys.toSorted());
    for (const key of keys) assertEquals(Object.getOwnPropertyDescriptor(seen, key)?.value, expected, key);
    await answer.body?.cancel();
    assertEquals(lookAt(), before);
    assert(!("polluted" in {}));
  });
  await fc.assert(property, tries(200));
});

function toRequest(kind: string, keys: readonly string[], values: readonly string[]): Request {
  const pairs = keys.flatMap((key) => values.map((value) => [key, value] as const));
  const fields = new URLSearchParams(pairs as [string, string][]);
  const data = new FormData();
  for (const [name, value] of pairs) data.append(name, value);
  const json = `{${keys.map((key) => `${JSON.stringify(key)}:{"polluted":true}`).join()}}`;
  const body = kind === "json" ? json : kind === "form" ? fields : kind === "formData" ? data : null;
  return new Request(`http://localhost/?${kind === "query" ? fields : ""}`, {
    method: "POST",
    body,
    headers: kind === "json" ? { "content-type": "application/json" } : {},
  });
}
