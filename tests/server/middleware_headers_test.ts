/** Headers that middleware adds to responses that declare headers. */
import { codec, defineContract, response, type ResponseDeclaration, route, type Schema } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type MiddlewareInput, type NextResult, type Result } from "@scope/api/server";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";
import { listen } from "../support/mount_route.ts";

type Change = (result: Result, input: MiddlewareInput) => unknown;

/** Sends a result with middleware around it, the first outermost, and returns the response with the errors. */
async function send(declared: ResponseDeclaration, result: object, ...changes: readonly Change[]): Promise<{
  readonly answer: Response;
  readonly heard: readonly string[];
}> {
  const contract = defineContract({ routes: { it: route.get("/", { responses: { 200: declared } }) } });
  const server = changes.reduce(
    (server, change) =>
      server.use(async (input) => await change(await input.next() as Result, input as MiddlewareInput) as NextResult),
    defineServer(contract),
  );
  const { heard, onError } = listen();
  const implementation = server.implement({ it: () => ({ status: 200, ...result }) as never });
  const answer = await createFetchHandler(implementation, { onError })(new Request("http://localhost/"));
  return { answer, heard: heard.map(({ error }) => String(error)) };
}

const add = (headers: Readonly<Record<string, unknown>>): Change => (result) => ({
  ...result,
  headers: { ...result.headers, ...headers },
});

const schemas: Readonly<Record<string, Schema>> = {
  "Zod, which strips": z.object({ etag: z.string() }),
  "Zod, which refuses": z.strictObject({ etag: z.string() }),
  "a Zod union, whose keys are not known": z.union([z.object({ etag: z.string() }), z.object({ link: z.string() })]),
  "Valibot, which strips": v.object({ etag: v.string() }),
  "Valibot, which refuses": v.strictObject({ etag: v.string() }),
  "ArkType, which deletes": type({ "+": "delete", etag: "string" }),
  "ArkType, which refuses": type({ "+": "reject", etag: "string" }),
};

for (const [name, headers] of Object.entries(schemas)) {
  Deno.test(`headers that middleware adds are sent with those of ${name}`, async () => {
    const changes = [add({ "X-Outer": "1" }), add({ "set-cookie": ["a=1", "b=2"], "x-none": undefined })];
    const declarations: readonly [ResponseDeclaration, unknown][] = [
      [response.json(z.number(), { headers }), 1],
      [response.empty({ headers }), undefined],
      [response.stream({ headers }), [new Uint8Array(1)]],
    ];
    for (const [declared, body] of declarations) {
      const { answer, heard } = await send(declared, { body, headers: { etag: '"1"' } }, ...changes);
      const { etag, "x-outer": outer, "x-none": none } = Object.fromEntries(answer.headers);
      assertEquals([heard, answer.status, etag, outer, none], [[], 200, '"1"', "1", undefined]);
      assertEquals(answer.headers.getSetCookie(), ["a=1", "b=2"]);
      await answer.body?.cancel();
    }
  });

  Deno.test(`headers of the handler are validated by ${name}, whatever middleware adds`, async () => {
    const { answer, heard } = await send(
      response.empty({ headers }),
      { headers: { etag: 5 } },
      add({ "x-a": "1" }),
    );
    assertEquals([answer.status, heard.length], [500, 1]);
    assertStringIncludes(heard[0]!, "Cannot send the headers of 200 from GET / (it): ");
  });
}

const Declared = z.object({
  etag: z.string(),
  "x-page": z.string().optional(),
  "set-cookie": z.array(z.string()).optional(),
});
const empty = response.empty({ headers: Declared });

Deno.test("headers that middleware changes are validated if they are declared", async () => {
  const changed = await send(empty, { headers: { etag: '"1"' } }, add({ etag: '"2"', "x-page": "7" }));
  assertEquals([...changed.answer.headers], [["etag", '"2"'], ["x-page", "7"]]);
  for (const headers of [{ etag: 5 }, { "x-page": 7 }, { "X-A": "a\nb" }]) {
    const { answer, heard } = await send(empty, { headers: { etag: '"1"' } }, add(headers));
    assertEquals([answer.status, heard.length], [500, 1]);
  }
});

Deno.test("cookies that middleware appends to declared and undeclared ones are all sent", async () => {
  const append: Change = (result) => ({
    ...result,
    headers: { ...result.headers, "set-cookie": [result.headers?.["set-cookie"] ?? [], "seen=1"].flat() },
  });
  for (const declared of [empty, response.empty({ headers: z.object({ etag: z.string() }) })]) {
    const headers = { etag: '"1"', "set-cookie": ["theme=dark"] };
    const { answer } = await send(declared, { headers }, append);
    assertEquals(answer.headers.getSetCookie(), ["theme=dark", "seen=1"]);
  }
});

Deno.test("middleware can remove a header, and change the object of headers itself", async () => {
  const removed = await send(empty, { headers: { etag: '"1"', "x-page": "7" } }, (result) => {
    const { "x-page": _, ...headers } = result.headers!;
    return { ...result, headers };
  });
  assertEquals([...removed.answer.headers], [["etag", '"1"']]);
  const changed = await send(empty, { headers: { etag: '"1"' } }, (result) => {
    Object.assign(result.headers!, { "x-late": "1" });
    return result;
  });
  assertEquals([...changed.answer.headers], [["etag", '"1"'], ["x-late", "1"]]);
});

Deno.test("headers that middleware adds pass a codec and defaults of the handler's", async () => {
  const Expiry = codec(type({ expires: "string" }), type({ expires: "Date" }), {
    decode: ({ expires }) => ({ expires: new Date(expires) }),
    encode: ({ expires }) => Promise.resolve({ expires: expires.toUTCString() }),
  });
  const { answer } = await send(
    response.empty({ headers: Expiry }),
    { headers: { expires: new Date(0) } },
    add({ "x-a": "1", expires: new Date(1_000) }),
  );
  assertEquals([...answer.headers], [["expires", "Thu, 01 Jan 1970 00:00:01 GMT"], ["x-a", "1"]]);
  const defaulted = await send(
    response.empty({ headers: z.object({ "x-n": z.string().default("5") }) }),
    {},
    add({ "x-a": "1" }),
  );
  assertEquals([...defaulted.answer.headers], [["x-a", "1"], ["x-n", "5"]]);
});

Deno.test("a header that the handler sets and its schema strips is not sent because middleware adds another", async () => {
  const { answer } = await send(empty, { headers: { etag: '"1"', "x-secret": "1" } }, add({ "x-a": "1" }));
  assertEquals([...answer.headers], [["etag", '"1"'], ["x-a", "1"]]);
});

Deno.test("headers in a Headers object are refused where a schema would drop them", async () => {
  const optional = response.empty({ headers: z.object({ etag: z.string().optional() }) });
  const { heard } = await send(optional, { headers: new Headers({ etag: '"1"' }) });
  assertStringIncludes(heard[0]!, "must be a plain object, got a Headers");
  const { heard: heardOfMap } = await send(optional, { headers: new Map([["etag", '"1"']]) });
  assertStringIncludes(heardOfMap[0]!, "must be a plain object, got an object");
});

Deno.test("headers of another type are refused as they are, also if middleware passes them on", async () => {
  const declared = response.empty({ headers: z.object({ etag: z.string() }) });
  for (const [headers, found] of [[["etag"], "array"], ["etag", "string"], [5, "number"]] as const) {
    const { heard } = await send(declared, { headers }, (result) => result);
    assertStringIncludes(heard[0]!, `expected object, received ${found}`);
  }
});
