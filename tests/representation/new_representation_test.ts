/**
 * All the steps that CONTRIBUTING lists for a new representation: a value for declarations and a row in each table. The
 * types of its helper are left out; a cast replaces them.
 */
import { defineContract, type RequestBody, type ResponseDeclaration, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import { declareBody } from "../../src/contract/request.ts";
import { declareResponse } from "../../src/contract/response.ts";
import { planSentItems, planWhole, resultPlans } from "../../src/server/answer/encode_result.ts";
import { contentDecoders } from "../../src/server/steps/decode.ts";
import { descriptions } from "../../src/tools/openapi/representations.ts";
import { formatNdjsonItem, parseLines, receiveItems } from "../../src/representation/stream.ts";
import { type Incoming, trackResults, type WholeBody } from "../../src/representation/representation.ts";
import { listen } from "../support/mount_route.ts";

// the file of a whole body: its value for declarations and clients, and what a server runs

/** A number in words of one letter. */
const toy: WholeBody = Object.freeze({
  kind: "toy",
  contentType: "text/vnd.toy",
  encode: encodeToy,
  decode: decodeToy,
});

function encodeToy(value: unknown): string {
  if (typeof value === "number") return "i".repeat(value);
  throw new TypeError("A toy is a number");
}

function decodeToy(content: Uint8Array): number {
  const text = new TextDecoder().decode(content);
  if (/^i*$/.test(text)) return text.length;
  throw new SyntaxError("malformed");
}

// the file of a stream of items

/** Items as they arrive, each a line of JSON. */
const toys = Object.freeze({
  kind: "toys",
  contentType: "application/vnd.toys",
  describes: "item",
  needsSchema: "it has no schema",
  readLater: trackResults,
  receive: (incoming: Incoming) =>
    receiveItems(incoming, { records: parseLines(incoming.call.maxRecordBytes), toItem: (_, value) => value }),
});

// its rows
Object.assign(contentDecoders, { toy: { decode: decodeToy } });
Object.assign(resultPlans, { toy: planWhole(encodeToy), toys: planSentItems(formatNdjsonItem) });
Object.assign(descriptions, {
  toy: { describe: (schema: unknown) => ({ schema: schema ?? { type: "string" } }) },
  toys: { describe: (schema: unknown) => ({ schema }), prose: "A stream of toys." },
});

const Small = type("number < 5");
const contract = defineContract({
  routes: {
    echo: route.post("/echo", {
      body: declareBody(toy as never, [Small]) as RequestBody<{ received: number; sent: number }>,
      responses: {
        200: declareResponse(toy as never, []) as ResponseDeclaration<
          { sent: number; received: number; headers: undefined }
        >,
      },
    }),
    list: route.get("/list", {
      responses: {
        200: declareResponse(toys as never, [Small]) as ResponseDeclaration<
          { sent: Iterable<number>; received: AsyncIterable<number>; headers: undefined }
        >,
      },
    }),
  },
});
const { heard, onError } = listen();
const handler = createFetchHandler(
  defineServer(contract).implement({
    echo: ({ body, response }) => response(200, body + 1),
    list: ({ response }) => response(200, [1, 2, 3]),
  }),
  { onError },
);
const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });

function post(body: string): Request {
  return new Request("http://localhost/echo", { method: "POST", body, headers: { "content-type": "text/vnd.toy" } });
}

Deno.test("a representation that has its value and its rows is sent, checked and received", async () => {
  const result = await client.echo({ body: 2 });

  assertEquals([result.body, result.response.headers.get("content-type")], [3, "text/vnd.toy"]);
  assertEquals((await (await handler(post("jj"))).json()).code, "invalid-body");
  assertEquals((await (await handler(post("iiiii"))).json()).code, "invalid-request");
  assertEquals(heard, []);
});

Deno.test("a representation of items that has its value and its rows is sent, checked and received one by one", async () => {
  const { body } = await client.list();

  assertEquals(await Array.fromAsync(body), [1, 2, 3]);
});

Deno.test("a representation that has its value and its rows is in the document", () => {
  const { paths } = openApiDocument(contract, { info: { title: "Toys", version: "1" } });
  const content = { "text/vnd.toy": { schema: { type: "number", exclusiveMaximum: 5 } } };

  assertEquals(paths["/echo"]?.post?.requestBody?.content, content);
  assertEquals(paths["/echo"]?.post?.responses["200"]?.content, { "text/vnd.toy": { schema: { type: "string" } } });
  assertEquals(paths["/list"]?.get?.responses["200"]?.description, "OK. A stream of toys.");
});
