/** The connections of slim contracts: what clients need of messages, without schemas. */
import { codec, defineContract, representation, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { empty, slimContract, socket } from "@scope/api/slim";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as z from "zod";
import { writeSlimContract } from "../../src/tools/slim/write_slim_contract.ts";
import { socketFactsOf } from "../../src/representation/socket.ts";
import { toSlim } from "./to_slim.ts";
import type { RouteCall } from "../../src/contract/call.ts";

const Moment = codec(z.object({ at: z.string() }), z.object({ at: z.date() }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});
const packed = representation<string>({ contentType: "application/msgpack", encode: String, decode: () => "" });
const contract = defineContract({
  routes: {
    room: route.get("/rooms/:room", {
      responses: {
        101: response.socket({
          fromClient: z.object({ text: z.string() }),
          fromServer: Moment,
          closes: { 4001: "The room was closed" },
          protocols: ["chat"],
        }),
        404: response.empty(),
      },
    }),
    plain: route.get("/plain", {
      responses: { 101: response.socket({ fromClient: z.string(), fromServer: z.string() }) },
    }),
    packed: route.get("/packed", {
      responses: { 101: response.socket({ fromClient: request.as(packed), fromServer: response.text() }) },
    }),
  },
});

Deno.test("writeSlimContract() writes what clients need of messages: codecs, and no schema", () => {
  const text = writeSlimContract(contract, {
    name: "contract",
    contract: "./contract.ts",
    codecs: { path: "./codecs.ts", specifier: "./codecs.ts", exports: { Moment, packed } },
    library: "@scope/api/slim",
  });

  assertStringIncludes(
    text,
    `101: slim.socket({
        fromClient: { kind: "json" },
        fromServer: { kind: "json", schema: codecs.Moment },
        closes: { "4001": "" },
        protocols: ["chat"],
      }),`,
  );
  assertStringIncludes(
    text,
    `101: slim.socket({ fromClient: { kind: "json" }, fromServer: { kind: "json" }, closes: {} })`,
  );
  assertStringIncludes(
    text,
    '101: slim.socket({ fromClient: { kind: "as", custom: codecs.packed }, fromServer: { kind: "text" }, closes: {} }),',
  );
});

Deno.test("the calls of a slim contract know of connections what those of the whole one do", () => {
  const client = createClient(toSlim(contract), { baseUrl: "http://localhost" }) as Record<string, unknown>;
  const factsOf = (key: string) => {
    const { responses } = (client[key] as { readonly "~scope/api": RouteCall })["~scope/api"];
    return socketFactsOf(responses.get(101)!.representation)!;
  };

  const { fromClient, fromServer, closes, protocols } = factsOf("room");
  assertEquals([fromClient.kind, fromClient.schema, fromServer.schema], ["json", undefined, Moment]);
  assertEquals([Object.keys(closes), protocols], [["4001"], ["chat"]]);
  assertEquals(factsOf("packed").fromClient.custom, packed);
  assertEquals(factsOf("packed").fromServer.kind, "text");
});

Deno.test("a slim contract with a socket compiles, and an outdated one does not", () => {
  const json = { kind: "json" } as const;
  const slim = slimContract<typeof contract>({
    room: ["GET", "/rooms/:room", {}, {
      101: socket({ fromClient: json, fromServer: { ...json, schema: Moment }, closes: { 4001: "" } }),
      404: empty,
    }],
    plain: ["GET", "/plain", {}, { 101: socket({ fromClient: json, fromServer: json, closes: {} }) }],
    // @ts-expect-error: the whole contract declares 101
    packed: ["GET", "/packed", {}, {}],
  });
  assertEquals(Object.keys(slim.calls), ["room", "plain", "packed"]);
});
