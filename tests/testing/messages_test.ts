/** The messages of contract tests: they contain no secret, nothing that a terminal obeys, and are short. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { createShow } from "../../src/tools/testing/finding.ts";
import { findAll, firstLine } from "./findings.ts";

const closed = defineContract({
  routes: { a: route.get("/a", { responses: { 200: response.json(type({ id: "string", "+": "reject" })) } }) },
});

Deno.test("a message is short, whatever the server answers", async () => {
  const long = "x".repeat(1_000_000);
  const answers: readonly (() => Response)[] = [
    () => Response.json({ id: "1", [long]: 1 }),
    () => new Response("a", { headers: { "content-type": `text/${long.slice(0, 100_000)}` } }),
    () => {
      throw new Error(long);
    },
  ];
  for (const answer of answers) {
    const found = await findAll(contractTests(closed, { target: (_: Request) => answer(), runs: 2 }));
    assert(found.length > 0);
    assertEquals(found.filter(({ message }) => message.length > 12_000), []);
  }
});

Deno.test("a message has no part of a secret, wherever the text is cut", async () => {
  const secret = "s3cr3t-0123456789-ABCDEFGHIJ";
  const scheme = security.bearer("token");
  const notes = defineContract({
    security: [scheme],
    routes: {
      save: route.put("/notes/:id", { responses: { 200: response.json<unknown>() } }),
      read: route.get("/notes/:id", { responses: { 200: response.json<unknown>() } }),
    },
  });
  let count = 0;
  for (let offset = 0; offset < 130; offset += 7) {
    const quoted = `${"-".repeat(offset)}${secret}'${secret}`;
    const target = ({ method, headers }: Request): Response => {
      if (headers.get("authorization") !== `Bearer ${secret}`) return new Response(null, { status: 401 });
      if (method === "PATCH") return new Response(`at ${quoted}:1:2`, { status: 500 });
      return Response.json([quoted, quoted, ++count]);
    };
    const options = { target, credentials: { token: secret }, runs: 2 };
    const [compared] = contractTests(notes, { ...options, against: target });
    const found = await findAll([compared!, ...contractTests(notes, options)]);
    const text = found.map(({ message }) => message).join("\n");

    for (const rule of ["same-answers", "put-twice", "no-leak"]) assert(found.some((each) => each.rule === rule), rule);
    assertFalse(text.includes(secret.slice(0, 6)), text);
  }
});

Deno.test("a text of a message has no part of a secret at its end", () => {
  const secret = "s3cr3t's-0123456789";
  for (let offset = 0; offset < 400; offset++) {
    const show = createShow([secret]);
    for (
      const text of [
        "-".repeat(offset) + secret,
        "-".repeat(offset) + secret.repeat(40),
        `/${encodeURIComponent(secret)}`.repeat(30),
      ]
    ) {
      assertFalse(show(text).replaceAll("***", "").includes("s3c"), show(text));
    }
  }
});

Deno.test("a message escapes characters that are invisible or reorder text", async () => {
  const target = (_: Request): Response => Response.json({ id: "1", "\u202e\u200b\ufeff\u{e0041}": 1 });
  const [valid] = contractTests(closed, { target, runs: 1 });
  const [found] = await findAll([valid!]);

  assertStringIncludes(firstLine(found!), "/\\u202e\\u200b\\ufeff\\udb40\\udc41 is not allowed");
});

Deno.test("only the first 64 KiB of an error are searched for a stack", async () => {
  const trace = "Error: none\n    at find (file:///srv/things.ts:12:3)";
  const broken = defineContract({
    routes: { a: route.get("/a", { responses: { 200: response.text(), 409: response.text() } }) },
  });
  const serve = (text: string) => async (request: Request): Promise<Response> => {
    const handler = createFetchHandler(defineServer(broken).implement({ a: ({ response }) => response(409, text) }));
    return await handler(request);
  };
  const rulesOf = async (text: string): Promise<string[]> => {
    const [valid] = contractTests(broken, { target: serve(text), runs: 2 });
    return (await findAll([valid!])).map(({ rule }) => rule);
  };

  assertEquals(await rulesOf("x ".repeat(32_000) + trace), ["no-leak"]);
  assertEquals(await rulesOf("x ".repeat(33_000) + trace), []);
});

Deno.test("a test ends early for a server whose bodies are endless", async () => {
  let begun = 0;
  const chunk = new Uint8Array(2 ** 24);
  const target = (_: Request): Response => {
    begun++;
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const [valid] = contractTests(closed, { target, runs: 1_000, limit: 60_000 });
  const found = await findAll([valid!]);

  assertEquals(found.map(({ rule }) => rule), ["no-failure"]);
  assert(begun <= 33, `${begun}`); // 2 GiB in bodies of 64 MiB
});
