import { response, route, type Schema } from "@scope/api";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { assertProblem, mountRoute } from "../support/mount_route.ts";

const ordinary: [string, string][] = [
  ["Accept", "text/html"],
  ["Accept-Language", "de, en;q=0.5"],
  ["User-Agent", "Test/1.0"],
  ["Sec-Fetch-Mode", "navigate"],
];

/**
 * The handler's headers as the schema returns them, next to a browser's ordinary headers; or the status of the refusal.
 */
async function readHeaders(headers: Schema<unknown, unknown>, given: [string, string][] = []): Promise<unknown> {
  const declared = route.get("/", {
    headers: headers as Schema<Record<string, string>>,
    responses: { 200: response.json<unknown>() },
  });
  const handler = mountRoute(declared, ({ headers, response }) => response(200, headers));
  const answer = await handler(new Request("http://localhost/", { headers: [...ordinary, ...given] }));
  return answer.status === 200 ? await answer.json() : answer.status;
}

// proves http | Header names are case-insensitive | 5.1
Deno.test("headers have lowercase names, and repeated ones are joined", async () => {
  const Headers = type({ "x-id": "string.numeric.parse", "accept-language": "string", "x-list?": "string" });
  const given: [string, string][] = [["X-Id", "5"], ["X-List", "a"], ["x-list", "b"]];
  assertEquals(await readHeaders(Headers, given), {
    "x-id": 5,
    "accept-language": "de, en;q=0.5",
    "x-list": "a, b",
  });
});

Deno.test("headers pass a schema that rejects unknown keys", async () => {
  const strict = [
    type({ "+": "reject", "x-id": "string", "accept?": "string" }),
    z.strictObject({ "x-id": z.string(), accept: z.string().optional() }),
    z.object({ "x-id": z.string(), accept: z.string().optional() }),
  ];
  for (const Headers of strict) {
    assertEquals(await readHeaders(Headers, [["x-id", "5"]]), { "x-id": "5", accept: "text/html" });
    assertEquals(await readHeaders(Headers), 400);
  }
});

Deno.test("headers reach a schema without JSON Schema, which handles unknown keys itself", async () => {
  const Headers = v.object({ "x-id": v.string(), accept: v.string() });
  assertEquals(await readHeaders(Headers, [["x-id", "5"]]), { "x-id": "5", accept: "text/html" });
});

Deno.test("headers all reach a schema with any key", async () => {
  const all = {
    accept: "text/html",
    "accept-language": "de, en;q=0.5",
    "sec-fetch-mode": "navigate",
    "user-agent": "Test/1.0",
  };
  const open = [
    type({ "[string]": "string" }),
    type("Record<string, string>"),
    type({ accept: "string", "[string]": "string" }),
    z.record(z.string(), z.string()),
    z.looseObject({ accept: z.string() }),
    z.object({ accept: z.string() }).catchall(z.string()),
    v.record(v.string(), v.string()),
    v.looseObject({ accept: v.string() }),
  ];
  for (const Headers of open) assertEquals(await readHeaders(Headers), all);
});

Deno.test("headers reach a schema with several alternatives", async () => {
  const either = [
    type({ "x-a": "string" }).or({ "x-b": "string" }),
    z.union([z.object({ "x-a": z.string() }), z.object({ "x-b": z.string() })]),
  ];
  for (const Headers of either) {
    assertEquals((await readHeaders(Headers, [["x-b", "1"]]) as Record<string, string>)["x-b"], "1");
    assertEquals(await readHeaders(Headers, [["x-c", "1"]]), 400);
  }
});

Deno.test("headers are never offered as lists: a header is a single text", async () => {
  assertEquals(await readHeaders(type({ "x-a": "string[]" }) as unknown as Schema, [["x-a", "1"]]), 400);
});

Deno.test("headers issues contain their place and reason", async () => {
  const declared = route.get("/", {
    headers: type({ "x-id": "string.numeric" }),
    responses: { 204: response.empty() },
  });
  const handler = mountRoute(declared, ({ response }) => response(204));
  await assertProblem(await handler(new Request("http://localhost/")), 400, "Bad Request", "invalid-request", [{
    location: "headers",
    path: ["x-id"],
    pointer: "/x-id",
    message: 'value at ["x-id"] must be a string (was missing)',
  }]);
});

Deno.test("headers with invalid names are refused at mount, by name", () => {
  for (const name of ["X-Id", "a b", ""]) {
    const declared = route.get("/here", {
      headers: z.object({ [name]: z.string() }),
      responses: { 200: response.empty() },
    });
    const { message } = assertThrows(() => mountRoute(declared, ({ response }) => response(200)), TypeError);
    assertStringIncludes(
      message,
      `Cannot mount GET /here (it): "headers" must declare lower-case header names, got ${JSON.stringify(name)}`,
    );
  }
});
