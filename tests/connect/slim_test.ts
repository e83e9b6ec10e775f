import { codec, defineContract, request, response, route, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { connect, openInMemory } from "@scope/api/connect";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { bearerCredential, json, slimContract, socket } from "@scope/api/slim";
import { memorySockets } from "@scope/api/socket";
import { assertEquals } from "@std/assert";
import { type } from "arktype";

Deno.test.sanitizer({ ops: true, resources: true });

const Moment = codec(type("string"), type("Date"), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const token = security.bearer("token");
const whole = defineContract({
  security: [token],
  routes: {
    moments: route.get("/moments", {
      responses: { 101: response.socket({ fromClient: Moment, fromServer: Moment, closes: { 4001: "Over" } }) },
    }),
    bytes: route.get("/bytes", {
      responses: { 101: response.socket({ fromClient: request.bytes(), fromServer: response.text() }) },
    }),
  },
});

const bytesSocket = socket({ fromClient: { kind: "bytes" }, fromServer: { kind: "text" }, closes: {} });

Deno.test("connect() takes a call of a slim contract", async () => {
  const contract = slimContract<typeof whole>({
    moments: ["GET", "/moments", {}, {
      101: socket({
        fromClient: { kind: "json", schema: Moment },
        fromServer: { kind: "json", schema: Moment },
        closes: { 4001: "" },
      }),
    }, ["token"]],
    bytes: ["GET", "/bytes", {}, { 101: bytesSocket }, ["token"]],
  }, { token: bearerCredential() });
  const implementation = defineServer(whole, { security: [verify(token, ({ token }) => ({ name: token }))] }).implement(
    {
      moments: ({ response }) =>
        response(101, async (socket) => {
          for await (const moment of socket) await socket.send(new Date(moment.getTime() + 1000));
        }),
      bytes: ({ caller, response }) =>
        response(101, async (socket) => {
          for await (const bytes of socket) await socket.send(`${caller.name} ${bytes.length}`);
        }),
    },
  );
  const handler = createFetchHandler(implementation, { sockets: memorySockets() });
  const client = createClient(contract, {
    baseUrl: "https://a.example",
    fetch: handler,
    credentials: { token: "ada" },
  });
  const open = openInMemory(handler);

  const moments = connect(client.moments, {}, { open });
  moments.send(new Date(0));
  assertEquals((await moments.next()).value, new Date(1000));
  moments.close(4001);
  const bytes = connect(client.bytes, {}, { open });
  bytes.send(new Uint8Array(3));
  assertEquals((await bytes.next()).value, "ada 3");
  bytes.close();
  await Promise.all([moments.closed, bytes.closed]);
});

Deno.test("slimContract() does not accept another representation for a socket", () => {
  slimContract<typeof whole>({
    // @ts-expect-error -- it is a socket
    moments: ["GET", "/moments", {}, { 101: json }, ["token"]],
    bytes: ["GET", "/bytes", {}, { 101: bytesSocket }, ["token"]],
  }, { token: bearerCredential() });
});
