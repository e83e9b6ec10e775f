/** Connections in documents. */
import { defineContract, representation, request, response, route, security } from "@scope/api";
import { type OpenApiDocument, openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import * as z from "zod";
import { assertValid } from "../support/validate_document.ts";

const info = { title: "Chat", version: "1" };
const Said = z.object({ id: z.string(), text: z.string() }).meta({ id: "Said" });
const token = security.bearer("token");
const contract = defineContract({
  routes: {
    room: route.get("/rooms/:room", {
      query: z.object({ after: z.string().optional() }),
      security: [token],
      responses: {
        101: response.socket({
          fromClient: z.object({ text: z.string().min(1) }),
          fromServer: Said,
          closes: { 4001: "The room was closed" },
          protocols: ["chat.v2", "chat"],
          maxMessageBytes: 1_000,
          description: "The room",
        }),
        404: response.json(z.object({ message: z.string() })),
      },
    }),
    said: route.get("/said", { security: [], responses: { 200: response.json(Said) } }),
    clock: route.get("/clock", {
      security: [],
      responses: { 101: response.socket({ fromClient: request.bytes(), fromServer: response.text() }) },
    }),
  },
});

// proves openapi | A document describes WebSockets by x-websocket
Deno.test("the document of a socket has its messages, its close codes and the refusals of its handshake", async () => {
  for (const version of ["3.1", "3.2"] as const) {
    const document = openApiDocument(contract, { info, version });
    await assertValid(document);
    const { responses } = document.paths["/rooms/{room}"]!.get!;

    assertEquals(responses["101"], {
      description: "The room",
      "x-websocket": {
        fromClient: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { text: { type: "string", minLength: 1 } },
                required: ["text"],
              },
            },
          },
        },
        fromServer: { content: { "application/json": { schema: { $ref: "#/components/schemas/Said" } } } },
        closes: { 4001: "The room was closed" },
        protocols: ["chat.v2", "chat"],
        maxMessageBytes: 1_000,
      },
    });
    assertEquals(Object.keys(responses), ["101", "400", "401", "403", "404", "426", "500", "503"]);
    assertEquals(responses["426"], { $ref: "#/components/responses/UpgradeRequired" });
    const required = document.components?.responses?.["UpgradeRequired"];
    assertEquals(Object.keys(required?.headers ?? {}), ["upgrade"]);
    assertEquals(required?.content?.["application/problem+json"]?.example, {
      type: "about:blank",
      title: "Upgrade Required",
      status: 426,
      code: "upgrade-required",
    });
    assertEquals(document.paths["/said"]?.get?.responses["200"]?.content?.["application/json"]?.schema, {
      $ref: "#/components/schemas/Said",
    });
  }
});

Deno.test("the document of a socket tells text from bytes, and formats with the structure of JSON from others", () => {
  const format = (structure?: "json") =>
    representation({
      contentType: "application/msgpack",
      ...(structure && { structure }),
      encode: (value: { at: number }) => JSON.stringify(value),
      decode: (content) => JSON.parse(new TextDecoder().decode(content)) as { at: number },
    });
  const packed = defineContract({
    routes: {
      packed: route.get("/packed", {
        responses: {
          101: response.socket({
            fromClient: request.as(format("json"), z.object({ at: z.number() })),
            fromServer: response.as(format()),
          }),
        },
      }),
    },
  });
  const socketOf = (described: OpenApiDocument, path: string): unknown => {
    const declared = described.paths[path]?.get?.responses["101"];
    return declared?.$ref === undefined ? declared?.["x-websocket"] : undefined;
  };
  const document = openApiDocument(contract, { info });

  assertEquals(socketOf(document, "/clock"), {
    fromClient: { content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } },
    fromServer: { content: { "text/plain": { schema: { type: "string" } } } },
  });
  assertEquals(Object.keys(document.paths["/clock"]?.get?.responses ?? {}), ["101", "400", "403", "426", "500", "503"]);
  assertEquals(socketOf(openApiDocument(packed, { info }), "/packed"), {
    fromClient: {
      content: {
        "application/msgpack": {
          schema: { type: "object", properties: { at: { type: "number" } }, required: ["at"] },
        },
      },
    },
    fromServer: { content: { "application/msgpack": { schema: { type: "string", format: "binary" } } } },
  });
});
