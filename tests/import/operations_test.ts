/** What of an operation a contract declares, and what the report says of the rest. */
import { ClientError, createClient, validateResponses } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler } from "@scope/api/fetch";
import { importContract, type ImportReport, writeContract } from "@scope/api/import";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertObjectMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { routesOf } from "../../src/contract/node.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { createLoader, writers } from "./writers.ts";

const info = { title: "Shop", version: "1.0.0" };
const done = { 204: { description: "" } };
const json = (schema: object) => ({ "application/json": { schema } });

/** A document of operations by path and method. */
function documentOf(paths: object, more: object = {}): object {
  return { openapi: "3.1.0", info, paths, ...more };
}

/** A document whose only operation has parameters. */
function parametersDocument(path: string, parameters: readonly object[]): object {
  return documentOf({ [path]: { get: { operationId: "get", tags: ["it"], parameters, responses: done } } });
}

/** The changes of each operation by its method and path; the reason for one that was left out. */
function changesOf({ operations }: ImportReport): Record<string, readonly string[] | string> {
  return Object.fromEntries(operations.map(({ operation, changes, reason }) => [operation, reason ?? changes]));
}

/** The text of the module of a tag. */
function textOf(document: object, tag = "it"): string {
  return writeContract(document).files.find(({ path }) => path === `${tag}.ts`)!.text;
}

Deno.test("an operation id that two operations have is renamed, so that the contract has a document", () => {
  const document = documentOf({
    "/a": { get: { operationId: "cancel", tags: ["t"], responses: done } },
    "/b": { get: { operationId: "cancel", tags: ["t"], responses: done } },
    "/c": { get: { operationId: "cancel2", tags: ["t"], responses: done } },
    "/d": { get: { tags: ["t"], responses: done } },
    "/e": { get: { operationId: "t.getD", tags: ["t"], responses: done } },
  });
  const { contract, report } = importContract(document);

  assertEquals(changesOf(report), {
    "GET /a": [],
    "GET /b": ['its operationId is "cancel3", because another operation has "cancel"'],
    "GET /c": [],
    "GET /d": [],
    "GET /e": ['its operationId is "t.getD2", because another operation has "t.getD"'],
  });
  assertEquals(routesOf(contract.routes).map(({ docs }) => docs.operationId), [
    "cancel",
    "cancel3",
    "cancel2",
    undefined,
    "t.getD2",
  ]);
  const described = openApiDocument(contract, { info, refusals: false });
  assertEquals(Object.keys(described.paths), ["/a", "/b", "/c", "/d", "/e"]);
  assertEquals(diffContracts(document as never, contract).filter(({ verdict }) => verdict === "breaking"), []);
});

Deno.test("callbacks are named in the report, each with its place", () => {
  const event = { post: { requestBody: { content: json({ type: "object" }) }, responses: done } };
  const document = documentOf({
    "/a": {
      post: { operationId: "a", tags: ["t"], responses: done, callbacks: { done: { "{$request.body#/url}": event } } },
    },
    "/b": { post: { operationId: "b", tags: ["t"], responses: done, callbacks: { $ref: "#/x/callbacks" } } },
  }, { x: { event, callbacks: { failed: {} } } });
  const callback = "the callback is not declared";

  assertEquals(importContract(document).report.omitted, [
    { place: "#/paths/~1a/post/callbacks/done", message: callback },
    { place: "#/x/callbacks/failed", message: callback },
  ]);
  assertEquals(importContract(document, { only: ["a"] }).report.omitted, [
    { place: "#/paths/~1a/post/callbacks/done", message: callback },
  ]);
});

Deno.test("headers whose names differ by case are one: the operation's, otherwise the required one", async () => {
  const header = (name: string, schema: object, required = false) => ({ in: "header", name, schema, required });
  const document = documentOf({
    "/a": {
      parameters: [header("X-Request-ID", { type: "string" })],
      get: {
        operationId: "a",
        tags: ["it"],
        parameters: [
          header("x-request-id", { type: "integer" }),
          header("X-Key", { type: "integer" }, true),
          header("x-key", { type: "string" }),
        ],
        responses: {
          204: {
            description: "",
            headers: {
              "X-B": { schema: { type: "string", minLength: 1 }, required: true },
              "x-b": { schema: { type: "string" } },
            },
          },
        },
      },
    },
  });
  const { report } = importContract(document);

  assertEquals(changesOf(report)["GET /a"], [
    "the header x-request-id is also declared as X-Request-ID; it is one",
    "the header x-key is also declared as X-Key; it is one",
    "the header x-b of the response 204 is declared twice; it is one",
  ]);
  assertEquals(textOf(document).match(/"x-[^,} ]*[^,}]*/g), [
    '"x-request-id": fromText(z.int()).optional()',
    '"x-key": fromText(z.int()) ',
    '"x-b": z.string().min(1) ',
  ]);
  await inTemporaryFolder(async (folder) => {
    for (const { path, text } of writeContract(document).files) await Deno.writeTextFile(`${folder}/${path}`, text);
    await import(`file://${folder}/contract.ts`);
  }, new URL(".", import.meta.url).pathname);
});

const either = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
const numbers = { oneOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] };

for (
  const [name, schema, schemas] of [
    ["a text or a list", either, {}],
    ["a reference to both", { $ref: "#/components/schemas/Either" }, { Either: either }],
    ["a text or a reference to a list", { anyOf: [{ type: "string" }, { $ref: "#/components/schemas/List" }] }, {
      List: { type: "array", items: { type: "string" } },
    }],
    ["a number or a list of numbers", numbers, {}],
  ] as const
) {
  Deno.test(`a parameter that is ${name} is a list where separators make one`, async () => {
    const parameters = [
      { in: "path", name: "ids", required: true, schema },
      { in: "query", name: "comma", explode: false, schema },
      { in: "query", name: "pipe", style: "pipeDelimited", schema },
      { in: "query", name: "each", schema },
      { in: "header", name: "x-ids", schema },
    ];
    const { contract, report } = importContract({
      ...parametersDocument("/a/{ids}", parameters),
      components: { schemas },
    });
    let received: unknown;
    const server = defineServer(contract);
    // deno-lint-ignore no-explicit-any -- the types of an imported contract are not known
    const implement = server.implement as (handlers: any) => any;
    // deno-lint-ignore no-explicit-any -- likewise
    const get = ({ params, query, headers, response }: any) => (received = { params, query, headers }, response(204));
    const fetch = createFetchHandler(implement({ it: { get } }));
    let url = "";
    // deno-lint-ignore no-explicit-any -- likewise
    const client = createClient(contract as any, {
      baseUrl: "http://localhost",
      fetch: (request: Request) => (url = request.url, fetch(request)),
      // deno-lint-ignore no-explicit-any -- likewise
    }) as any;

    assertEquals(report.operations[0]!.changes, [
      "the header x-ids is a list, also of one text",
      "the parameter ids is a list, also of one text",
      "the query parameter comma is a list, also of one text",
      "the query parameter pipe is a list, also of one text",
    ]);
    await client.it.get({
      params: { ids: ["1", "2"] },
      query: { comma: ["1", "2"], pipe: "1", each: ["1", "2"] },
      headers: { "x-ids": ["1", "2"] },
    });
    const [one, two] = name === "a number or a list of numbers" ? [1, 2] : ["1", "2"];
    assertEquals(url, "http://localhost/a/1%2C2?comma=1%2C2&pipe=1&each=1&each=2");
    assertEquals(received, {
      params: { ids: [one, two] },
      query: { comma: [one, two], pipe: [one], each: [one, two] },
      headers: { "x-ids": [one, two] },
    });
  });
}

Deno.test("a reference to what no text can be is one text in a path, and in a header", () => {
  const document = {
    ...parametersDocument("/a/{id}", [
      { in: "path", name: "id", required: true, schema: { $ref: "#/components/schemas/Point" } },
      { in: "header", name: "x-at", schema: { $ref: "#/components/schemas/Point" } },
    ]),
    components: { schemas: { Point: { type: "object", properties: { x: { type: "number" } } } } },
  };

  assertEquals(importContract(document).report.operations[0]!.changes, [
    "the header x-at is one text",
    "the parameter id is one text",
  ]);
  assertStringIncludes(textOf(document), 'headers: z.object({ "x-at": z.string().optional() }),');
});

for (const schemas of ["zod", "valibot", "arktype"] as const) {
  Deno.test(`modules import what their code uses, whatever their prose says, with ${schemas}`, () => {
    const prose = "See fromText(x), toSchema(x), divisibleBy(2), z.object(), v.object(), type() and dated(x)";
    const [get, post] = ["get", "post"].map((operationId) => ({
      operationId,
      tags: ["it"],
      description: `${prose}.\n\n@deprecated Use the other one. Mail a@b.com or see @other.`,
      responses: { 204: { description: prose } },
    }));
    const document = documentOf({ "/a": { get, post: { ...post, deprecated: true } } });
    const { files } = writeContract(document, { schemas });

    assertEquals(files.map(({ path }) => path), [
      "contract.ts",
      "it.ts",
      "contract.types.ts",
      "it.types.ts",
      "document.ts",
    ]);
    assertEquals(files[1]!.text.match(/^import .*/gm), ['import { response, route } from "@scope/api";']);
    assertEquals(files[1]!.text.match(/@\S+|\\@\S+/g), [
      '@scope/api";',
      "\\@deprecated",
      "@b.com",
      "\\@other.",
      "\\@deprecated",
      "@b.com",
      "\\@other.",
      "@deprecated",
    ]);
  });
}

Deno.test("a text in an enum or a pattern is not code that needs an import", () => {
  const schema = { type: "string", enum: ["fromText(x)", "z.x"] };
  const document = documentOf({
    "/a": { post: { operationId: "a", tags: ["it"], requestBody: { content: json(schema) }, responses: done } },
  });
  const { files } = writeContract(document, { schemas: "valibot" });

  assertEquals(files.map(({ path }) => path), [
    "contract.ts",
    "it.ts",
    "valibot.ts",
    "contract.types.ts",
    "it.types.ts",
    "document.ts",
  ]);
  assertStringIncludes(files[1]!.text, 'import { toSchema } from "./valibot.ts";');
});

Deno.test("an operation with a server of its own on another host is named with the server", () => {
  const get = (servers?: object) => ({ get: { tags: ["it"], responses: done, ...(servers && { servers }) } });
  const document = documentOf({
    "/a": get(),
    "/b": { servers: [{ url: "https://upload.example.com/v1" }], ...get() },
    "/c": get([{ url: "https://{region}.example.com/v1", variables: { region: { default: "eu" } } }]),
    "/d": get([{ url: "https://api.example.com/v1" }, { url: "https://other.example.com" }]),
    "/e": get([{ url: "/v1" }]),
  }, { servers: [{ url: "https://api.example.com/v1" }] });

  assertEquals(changesOf(importContract(document).report), {
    "GET /a": [],
    "GET /b": ["its server is https://upload.example.com; pass that as the baseUrl of a client for it"],
    "GET /c": ["its server is https://eu.example.com; pass that as the baseUrl of a client for it"],
    "GET /d": [],
    "GET /e": ["its server is the host of the document; pass that as the baseUrl of a client for it"],
  });
});

Deno.test("a credential that clients do not send is named with the way to send it", () => {
  const schemes = {
    query: { type: "apiKey", in: "query", name: "api_key" },
    header: { type: "apiKey", in: "header", name: "Authorization" },
    tls: { type: "mutualTLS" },
    sent: { type: "apiKey", in: "header", name: "x-key" },
  };
  const paths = Object.keys(schemes).map((name) =>
    [`/${name}`, { get: { responses: done, security: [{ [name]: [] }] } }] as const
  );
  const { report } = importContract(
    documentOf(Object.fromEntries(paths), { components: { securitySchemes: schemes } }),
  );

  assertEquals(changesOf(report), {
    "GET /query": ['clients do not send the credential "query": add it as the query parameter api_key, in "fetch"'],
    "GET /header": ['clients do not send the credential "header": add it as the header Authorization, in "headers"'],
    "GET /tls": ['clients do not send the credential "tls": add it in "fetch"'],
    "GET /sent": [],
  });
});

Deno.test("an operation whose response refers to nothing is left out, and no other", () => {
  const nothing = { $ref: "#/nothing" };
  const document = documentOf({
    "/a": { get: { operationId: "a", responses: { ...done, 600: nothing } } },
    "/b": { get: { operationId: "b", responses: { 200: { description: "", headers: { "Content-Type": nothing } } } } },
    "/c": { get: { operationId: "c", responses: done } },
  });

  assertEquals(changesOf(importContract(document).report), {
    "GET /a": 'the document does not define "#/nothing"',
    "GET /b": 'the document does not define "#/nothing"',
    "GET /c": [],
  });
});

Deno.test("OpenAPI 3.2: media types are references, and methods that contracts do not have are left out", () => {
  const operation = { tags: ["it"], responses: done };
  const requestBody = { required: true, content: { "application/json": { $ref: "#/components/mediaTypes/User" } } };
  const document = {
    ...documentOf({
      "/a": {
        post: { ...operation, operationId: "send", requestBody },
        query: { ...operation, operationId: "search" },
        additionalOperations: {
          COPY: { ...operation, operationId: "copy" },
          DELETE: { $ref: "#/components/x-remove" },
        },
      },
    }, {
      components: {
        mediaTypes: { User: { schema: { type: "object", properties: { name: { type: "string" } } } } },
        "x-remove": { ...operation, operationId: "remove" },
      },
    }),
    openapi: "3.2.0",
  };

  assertEquals(changesOf(importContract(document).report), {
    "POST /a": [],
    "QUERY /a": [],
    "COPY /a": "a contract cannot declare the method COPY",
    "DELETE /a": [],
  });
  assertStringIncludes(textOf(document), "body: request.json(z.object({ name: z.string().optional() })),");
});

Deno.test("Swagger 2.0: lists that tabs separate are named, and lists of forms have their separators", () => {
  const list = (format: string | undefined, place: string) => ({
    in: place,
    name: format ?? "default",
    type: "array",
    items: { type: "string" },
    ...(format && { collectionFormat: format }),
  });
  const formats = ["csv", "ssv", "tsv", "pipes", "multi", undefined];
  const document = {
    swagger: "2.0",
    info,
    paths: {
      "/query": {
        get: {
          operationId: "query",
          tags: ["it"],
          parameters: formats.map((each) => list(each, "query")),
          responses: done,
        },
      },
      "/form": {
        post: {
          operationId: "form",
          tags: ["it"],
          consumes: ["application/x-www-form-urlencoded"],
          parameters: formats.map((each) => list(each, "formData")),
          responses: done,
        },
      },
      "/header": {
        get: {
          operationId: "header",
          tags: ["it"],
          parameters: ["csv", "pipes"].map((each) => list(each, "header")),
          responses: done,
        },
      },
    },
  };

  assertEquals(changesOf(importContract(document).report), {
    "GET /query": ["the query parameter tsv is one text, in the style tabDelimited"],
    "POST /form": ["the field tsv of the form is one text, in the style tabDelimited"],
    "GET /header": ["the header pipes is one text, in the style pipeDelimited"],
  });
  const styles = '{ csv: "comma", ssv: "space", pipes: "pipe", default: "comma" }';
  assertEquals(textOf(document).replaceAll(/\s+/g, " ").split(styles).length, 3);
});

Deno.test("the header content-encoding is declared for bytes only, because servers refuse other bodies with a coding", () => {
  const coding = { name: "Content-Encoding", in: "header", schema: { type: "string", enum: ["gzip", "identity"] } };
  const post = (id: string, type: string) => ({
    post: {
      operationId: id,
      tags: ["it"],
      parameters: [coding],
      requestBody: { required: true, content: { [type]: { schema: { type: "string", format: "binary" } } } },
      responses: done,
    },
  });
  const document = documentOf({
    "/text": post("text", "text/plain"),
    "/bytes": post("bytes", "application/octet-stream"),
    "/none": { get: { operationId: "none", tags: ["it"], parameters: [coding], responses: done } },
  });
  const { contract, report } = importContract(document);

  assertEquals(changesOf(report), {
    "POST /text": ["the header content-encoding is not declared: servers refuse coded bodies, but for bytes"],
    "POST /bytes": [],
    "GET /none": [],
  });
  assertEquals(routesOf(contract.routes).map(({ key, headers }) => [key, headers !== undefined]), [
    ["it.text", false],
    ["it.bytes", true],
    ["it.none", true],
  ]);
});

/** A document whose response has headers that are numbers and booleans. */
const rates = documentOf({
  "/a": {
    get: {
      operationId: "a",
      tags: ["it"],
      responses: {
        200: {
          description: "",
          headers: {
            "x-limit": { required: true, schema: { type: "integer", minimum: 1 } },
            "x-price": { schema: { type: "number" } },
            "x-last": { schema: { type: "boolean" } },
            "x-version": { schema: { type: "integer", enum: [1, 2] } },
            "x-name": { schema: { type: "string", minLength: 2 } },
            "Transfer-Encoding": { schema: { type: "string" } },
          },
          content: json({ type: "string" }),
        },
      },
    },
  },
});

Deno.test("response headers that are numbers and booleans are validated and sent as text, and documented as they were", () =>
  inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    for (const writer of writers) {
      const { contract, report } = await load(rates, writer);
      let headers: object = { "x-limit": 12, "x-price": 1.5, "x-last": true, "x-version": "2", "x-name": "ab" };
      const server = defineServer(contract as never) as AnyServer;
      const fetch = createFetchHandler(
        server.implement({ it: { a: ({ response }) => response(200, "", headers) } }) as never,
        { onError: () => {} },
      );
      const options = { baseUrl: "http://localhost", fetch };
      const { it } = createClient(contract as never, options) as AnyClient;
      const checked = createClient(contract as never, { ...options, validate: validateResponses }) as AnyClient;

      const connection = "the header transfer-encoding of responses is not declared, because the server decides it";
      assertEquals(changesOf(report), { "GET /a": [connection] }, writer);
      const changed = diffContracts(rates as never, contract).map(({ where }) => where);
      assertEquals(changed, ["200 headers /transfer-encoding"], writer);
      const text = { "x-limit": "12", "x-price": "1.5", "x-last": "true", "x-version": "2", "x-name": "ab" };
      assertObjectMatch((await it.a()).headers, text, writer);
      assertObjectMatch((await checked.it.a()).headers, text, writer);
      headers = { "x-limit": "many" };
      assertEquals((await assertRejects(() => it.a(), ClientError)).status, 500, writer);
    }
    const { files } = writeContract(rates, { schemas: "none" });
    assertStringIncludes(files.find(({ path }) => path === "it.ts")!.text, '"x-limit": string;');
  }));

/** A server and a client of a contract whose types are not known. */
interface AnyServer {
  // deno-lint-ignore no-explicit-any -- the types of the routes are not known
  implement(handlers: { readonly it: { readonly a: (input: any) => unknown } }): unknown;
}

interface AnyClient {
  readonly it: { readonly a: () => Promise<{ readonly headers: Record<PropertyKey, unknown> }> };
}
