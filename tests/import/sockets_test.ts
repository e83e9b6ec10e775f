/** The connections of documents, which `x-websocket` describes. */
import { defineContract, request, response, route } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { importContract, writeContract } from "@scope/api/import";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as z from "zod";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { createLoader, writers } from "./writers.ts";

const info = { title: "Chat", version: "1" };
const Said = z.object({ id: z.string(), text: z.string() }).meta({ id: "Said" });
const chat = defineContract({
  routes: {
    room: route.get("/rooms/:room", {
      query: z.object({ after: z.string().optional() }),
      responses: {
        101: response.socket({
          fromClient: z.object({ text: z.string() }),
          fromServer: Said,
          closes: { 4001: "The room was closed" },
          protocols: ["chat"],
          maxMessageBytes: 1_000,
          description: "The room",
        }),
        404: response.empty(),
      },
      docs: { tags: ["rooms"] },
    }),
    clock: route.get("/clock", {
      responses: { 101: response.socket({ fromClient: request.bytes(), fromServer: response.text() }) },
      docs: { tags: ["rooms"] },
    }),
  },
});

// proves import | WebSockets that a document of this package describes are declared again
Deno.test("a document with sockets is imported and published again as it was, with every library", async () => {
  const document = openApiDocument(chat, { info, refusals: false });
  await inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    for (const writer of writers) {
      const { contract, report, document: options } = await load(document, writer);
      const published = openApiDocument(contract, { ...options, refusals: false });
      assertEquals(published.paths, document.paths, writer);
      assertEquals(published.components, document.components, writer);
      assertEquals(report.operations.flatMap(({ changes }) => changes), []);
      assertEquals(diffContracts(document, contract), []);
    }
  }, new URL(".", import.meta.url).pathname);
});

Deno.test("writeContract() writes sockets and their types", () => {
  const document = openApiDocument(chat, { info, refusals: false });
  const textOf = (path: string, schemas: "zod" | "none" = "zod") =>
    writeContract(document, { schemas }).files.find((file) => file.path === path)!.text;

  assertStringIncludes(
    textOf("rooms.ts"),
    `101: response.socket({
      fromClient: z.object({ text: z.string() }),
      fromServer: Said,
      closes: { 4001: "The room was closed" },
      protocols: ["chat"],
      maxMessageBytes: 1000,
    }),`,
  );
  assertStringIncludes(
    textOf("rooms.ts"),
    "response.socket({ fromClient: request.bytes(), fromServer: response.text() })",
  );
  assertStringIncludes(textOf("rooms.types.ts"), "101: api.DeclaredSocket<{ text: string }, Said, 4001>");
  assertStringIncludes(
    textOf("rooms.ts", "none"),
    '101: slim.TypedResponse<"socket", SocketResponse<{ text: string }, Said, 4001>>',
  );
});

Deno.test("a response 101 whose messages are not described is named in the report", () => {
  const responses = { 101: { description: "Switching" }, 200: { description: "Fine" } };
  const get = { operationId: "a", tags: ["t"], responses };
  const { report } = importContract({ openapi: "3.1.0", info, paths: { "/a": { get } } });

  assertEquals(report.operations.flatMap(({ changes }) => changes), [
    "the response 101 is not declared",
  ]);
});

Deno.test("what of x-websocket is not declared is named in the report", () => {
  const content = { "application/msgpack": { schema: { type: "object" } } };
  const odd = { protocols: ["a b", "bearer.x"], maxMessageBytes: -1 };
  const socket = { fromClient: { content }, fromServer: "text", closes: { 4000: "fine", 1000: "over" }, ...odd };
  const get = { operationId: "a", tags: ["t"], responses: { 101: { description: "", "x-websocket": socket } } };
  const { report } = importContract({ openapi: "3.1.0", info, paths: { "/a": { get } } });

  assertEquals(report.operations.flatMap(({ changes }) => changes), [
    "the close code 1000 is not declared",
    "some subprotocols are not declared",
    "the most bytes of a message are not declared",
    "the messages fromClient are application/msgpack, whose schema is not declared",
    "fromServer has no content",
  ]);
});
