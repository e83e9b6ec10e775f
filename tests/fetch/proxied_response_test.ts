/** Responses of `fetch` that a server passes on, over sockets. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler, type FetchOptions, watchBody } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

const text = "hello ".repeat(50);
const codings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  gzip: gzipSync,
  GZIP: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  "gzip, br": (text) => brotliCompressSync(gzipSync(text)),
  none: (text) => new TextEncoder().encode(text),
};

/** Serves a text in the coding and with the status that the path names, with the headers of a connection. */
async function serveUpstream(): Promise<{ readonly url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer(({ url }, answer) => {
    const [, coding = "", status = "200"] = decodeURIComponent(url!).split("/");
    const packed = codings[coding]!(text);
    answer.writeHead(Number(status), {
      "content-type": "text/plain",
      "content-length": packed.byteLength,
      ...(coding !== "none" && { "content-encoding": coding }),
      connection: "keep-alive, X-Hop",
      "keep-alive": "timeout=5",
      "x-hop": "1",
      "x-end": "1",
      location: "/",
    }).end(packed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const token = security.bearer("token");
const raw = { 200: response.raw(), 302: response.raw(), 206: response.raw() };
const contract = defineContract({
  security: [],
  routes: {
    plain: route.get("/plain/:coding/:status", { responses: raw }),
    dated: route.get("/dated/:coding/:status", { responses: raw, deprecated: { since: "2026-01-01" } }),
    secured: route.get("/secured/:coding/:status", { responses: raw, security: [token] }),
    added: route.get("/added/:coding/:status", { responses: raw }),
    broken: route.get("/broken/:coding/:status", { responses: raw }),
  },
});

/** Serves the contract in front of an upstream. */
function serveProxy(upstream: string, options: FetchOptions): Deno.HttpServer<Deno.NetAddr> {
  const ask = ({ coding, status }: { readonly coding: string; readonly status: string }, request?: Request) =>
    fetch(`${upstream}/${encodeURIComponent(coding)}/${status}`, {
      redirect: "manual",
      method: request?.method ?? "GET",
    });
  const server = defineServer(contract, {
    security: [verify(token, () => ({}))],
    context: ({ request }) => ({ request }),
  });
  const handler = createFetchHandler(
    server.implement({
      plain: async ({ params, context, response }) =>
        response(Number(params.status) as 200, await ask(params, context.request)),
      dated: async ({ params, response }) => response(Number(params.status) as 200, await ask(params)),
      secured: async ({ params, response }) => response(Number(params.status) as 200, await ask(params)),
      added: async ({ params, response }) =>
        response(Number(params.status) as 200, await ask(params), { "x-added": "1" }),
      broken: () => {
        throw new Error("broken");
      },
    }),
    {
      onError: ({ route, request }) => fetch(`${upstream}/${request.url.split("/")[4]}/200`).then((r) => route && r),
      ...options,
    },
  );
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen(): void {} }, (request) => handler(request));
}

const everyOption: Readonly<Record<string, FetchOptions>> = {
  "no option": {},
  cors: { cors: { origins: ["https://app.example.com"] } },
  onResponse: { onResponse: ({ response }) => watchBody(response, () => {}) },
};

for (const [name, options] of Object.entries(everyOption)) {
  Deno.test(`a fetched response in any coding reaches the client as its upstream sent it, with ${name}`, async () => {
    await using upstream = await serveUpstream();
    await using server = serveProxy(upstream.url, options);
    const headers = { authorization: "Bearer a", origin: "https://app.example.com" };
    for (const key of ["plain", "dated", "secured", "added", "broken"]) {
      for (const coding of Object.keys(codings)) {
        for (const status of key === "plain" ? [200, 206, 302] : [200]) {
          const url = `http://127.0.0.1:${server.addr.port}/${key}/${encodeURIComponent(coding)}/${status}`;
          const answer = await fetch(url, { headers, redirect: "manual" });
          const encoded = answer.headers.get("content-encoding");
          const content = new Uint8Array(await answer.arrayBuffer());
          // Deno decodes gzip and br; other codings stay, with their length
          const isDecoded = ["gzip", "GZIP", "br", "none"].includes(coding);
          assertEquals(
            content,
            isDecoded ? codings.none!(text) : new Uint8Array(codings[coding]!(text)),
            `${key} ${coding}`,
          );
          assertEquals([answer.status, encoded], [status, isDecoded ? null : coding]);
          const fields = ["keep-alive", "x-hop", "x-end", "content-type"].map((field) => answer.headers.get(field));
          assertEquals(fields, [null, null, "1", "text/plain"]);
        }
      }
    }
  });
}

// proves http | A response that is passed on has no field of another connection | 7.6.1
Deno.test("a fetched response to HEAD has the fields of that to GET", async () => {
  await using upstream = await serveUpstream();
  await using server = serveProxy(upstream.url, {});
  for (const coding of Object.keys(codings)) {
    const url = `http://127.0.0.1:${server.addr.port}/plain/${encodeURIComponent(coding)}/200`;
    const [got, head] = await Promise.all([fetch(url), fetch(url, { method: "HEAD" })]);
    await got.body?.cancel();
    for (const field of ["content-encoding", "content-length", "content-type", "keep-alive", "x-hop"]) {
      assertEquals(head.headers.get(field), got.headers.get(field), `${coding} ${field}`);
    }
  }
});

Deno.test("a body that a handler has compressed stays as it is", async () => {
  const packed = new Uint8Array(gzipSync(text));
  const headers = { "content-encoding": "gzip", "content-length": String(packed.byteLength) };
  const zipped = defineContract({
    routes: {
      raw: route.get("/raw", { responses: { 200: response.raw() } }),
      bytes: route.get("/bytes", { responses: { 200: response.bytes({ contentType: "text/plain" }) } }),
      stream: route.get("/stream", { responses: { 200: response.stream({ contentType: "text/plain" }) } }),
    },
  });
  const implementation = defineServer(zipped).implement({
    raw: ({ response }) => response(200, new Response(packed, { headers })),
    bytes: ({ response }) => response(200, packed, headers),
    stream: ({ response }) => response(200, [packed], headers),
  });
  const handler = createFetchHandler(implementation);
  for (const key of Object.keys(zipped.routes)) {
    const answer = await handler(new Request(`http://localhost/${key}`));
    assertEquals(
      ["content-encoding", "content-length"].map((field) => answer.headers.get(field)),
      Object.values(headers),
    );
    assertEquals(await answer.bytes(), packed);
  }
});
