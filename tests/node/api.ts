/** The API that the programs of these tests serve. */
import { defineContract, request, response, route, router, security } from "@scope/api";
import { type ContextInput, defineServer, verify } from "@scope/api/server";
import * as z from "zod";

const Named = z.object({ name: z.string() });
const token = security.bearer("token");
const signature = security.signature("shop", { headers: ["x-signature"], maxBytes: 100 });
const text = { responses: { 200: response.text() } };

const contract = defineContract({
  security: [],
  routes: {
    text: route.get("/text", text),
    user: route.get("/users/:id", { responses: { 200: response.json(z.object({ id: z.string() })) } }),
    me: route.get("/me", text),
    admin: route.get("/admin/:id", text),
    headers: route.get("/headers", { responses: { 200: response.json<unknown>() } }),
    request: route.post("/request", { ...text, body: request.stream() }),
    json: route.post("/json", { ...text, body: Named }),
    small: route.post("/small", { ...text, body: request.json(Named, { maxBytes: 100 }) }),
    label: route.post("/label", { ...text, body: request.json(z.string()) }),
    raw: route.post("/raw", { ...text, body: request.text() }),
    bytes: route.post("/bytes", { ...text, body: request.bytes() }),
    coded: route.post("/coded", {
      ...text,
      headers: z.object({ "content-encoding": z.string() }),
      body: request.bytes(),
    }),
    copied: route.delete("/copied", text),
    late: route.post("/late", { responses: { 200: response.stream() }, body: request.stream() }),
    form: route.post("/form", {
      ...text,
      body: request.form(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
    }),
    upload: route.post("/upload", { ...text, body: request.stream({ contentType: "application/octet-stream" }) }),
    ignored: route.post("/ignored", { ...text, body: request.stream() }),
    half: route.post("/half", { ...text, body: request.stream() }),
    guarded: route.post("/guarded", { ...text, body: Named, security: [token] }),
    signed: route.post("/signed", { ...text, body: Named, security: [security.all(token, signature)] }),
    fields: route.get("/fields/:which", text),
    empty: route.get("/empty", { responses: { 204: response.empty() } }),
    native: route.get("/native/:which", { responses: { 200: response.raw() } }),
    lines: route.get("/lines/:which", { responses: { 200: response.stream() } }),
    slow: route.get("/slow", text),
    owned: router("/owned/:owner", {
      responses: { 403: response.text() },
      routes: {
        page: route.get("/:page", { ...text, params: z.object({ page: z.coerce.number() }) }),
      },
    }),
    reports: route.get("/reports", { responses: { 200: response.json(z.array(z.string())) } }),
  },
});

/** What has happened since the last call of `/reports`. */
export const reports: string[] = [];

const encoder = new TextEncoder();

/** Three lines in the same memory. */
function* reuse(): Generator<Uint8Array<ArrayBuffer>> {
  const line = encoder.encode("0\n");
  for (const digit of [49, 50, 51]) {
    line[0] = digit;
    yield line;
  }
}

async function* lines(which: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield encoder.encode("one\n");
    if (which === "failing") throw new Error("no more lines");
    if (which === "endless") { for (;;) yield new Uint8Array(64 * 1024); }
    await new Promise((resolve) => setTimeout(resolve, which === "slow" ? 2_000 : 1));
    yield encoder.encode("two\n");
  } finally {
    reports.push("closed");
  }
}

/** Sends something before it reads. */
async function* readLate(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield encoder.encode("first ");
  await new Promise((resolve) => setTimeout(resolve, 20));
  yield* body;
}

const fields: Readonly<Record<string, Record<string, string | string[]>>> = {
  cookies: { "set-cookie": ["one=1", "two=2"], vary: "accept" },
  latin: { "x-name": "Zoë" },
  greek: { "x-name": "Ζωή" },
  connection: {
    connection: "close",
    "keep-alive": "timeout=1",
    upgrade: "h2c",
    trailer: "x",
    "transfer-encoding": "gzip",
  },
  length: { "content-length": "3" },
};

async function count(body: ReadableStream<Uint8Array>): Promise<string> {
  const kinds = new Set<string>();
  let length = 0;
  for await (const chunk of body) {
    if (chunk.byteLength > 0) kinds.add(chunk.constructor.name); // platforms differ in whether an empty body has a chunk
    length += chunk.byteLength;
  }
  return `${length} bytes in ${[...kinds]}`;
}

const server = defineServer(contract, {
  security: [
    verify(token, async ({ token, request }) => {
      if (token === "reads") await request.text();
      if (token === "copies") return { token: await request.clone().text() };
      return token === "bad" ? null : { token };
    }),
    verify(signature, ({ content, headers }) => {
      return new TextDecoder().decode(content) === headers.get("x-signature") ? { name: "shop" } : null;
    }),
  ],
  context: (input: ContextInput & { readonly user: string | undefined }) => ({ input }),
});

const owned = server.at(contract.routes.owned)
  .guard(({ params, response }) => params.owner === "a/b" ? response(403, `raw ${params.owner}`) : undefined)
  .use(({ params, next, response }) =>
    params.owner === "ada" ? next({ owner: params.owner }) : response(403, `not ${params.owner}`)
  );

export const implementation = server.implement({
  owned: owned.implement({
    page: ({ context, params, response }) => response(200, `${context.owner} ${typeof params.page}`),
  }),
  text: ({ response }) => response(200, "text"),
  user: ({ params, response }) => response(200, params),
  me: ({ context, response }) => response(200, context.input.user ?? "nobody"),
  admin: ({ params, response }) => response(200, `admin ${params.id}`),
  headers: ({ context: { input: { headers } }, response }) => {
    const each: string[] = [];
    headers.forEach((value, name) => each.push(`${name}: ${value}`));
    const get = (name: string): string | null => headers.get(name);
    const read = {
      tenant: get("X-Tenant"),
      cookie: get("cookie"),
      authorization: get("authorization"),
      none: get("x-none"),
    };
    return response(200, {
      ...read,
      has: [headers.has("x-tenant"), headers.has("x-none")],
      each,
      entries: [...headers].length,
    });
  },
  request: async ({ context, response }) => {
    const { method, url, headers, signal, body } = context.input.request;
    return response(
      200,
      [method, url, headers.get("x-tag"), signal.aborted, await new Response(body).text()].join(" "),
    );
  },
  json: ({ body, response }) => response(200, `Hello, ${body.name}`),
  small: ({ body, response }) => response(200, `Hello, ${body.name}`),
  label: ({ body, response }) => response(200, body),
  raw: ({ body, response }) => response(200, body),
  bytes: ({ body, response }) => response(200, `${body.constructor.name} ${body.buffer.byteLength} ${body[0]}`),
  coded: ({ body, response }) => response(200, `${body.byteLength} bytes`),
  copied: ({ context, response }) => response(200, new Request(context.input.request.clone()).method),
  late: ({ body, response }) => response(200, readLate(body)),
  form: ({ body, response }) => response(200, JSON.stringify(body)),
  upload: async ({ body, response }) => response(200, await count(body)),
  ignored: ({ response }) => response(200, "ignored"),
  half: async ({ body, response }) => {
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    return response(200, "half");
  },
  guarded: ({ body, caller, response }) => response(200, `${caller.token} ${body.name}`),
  signed: ({ body, caller, response }) => response(200, `${caller.shop.name}: ${body.name}`),
  fields: ({ params, response }) => response(200, "Ζωή", fields[params.which]),
  empty: ({ response }) => response(204, undefined, { "content-length": "3" }),
  native: ({ params, response }) => {
    const native = new Response("native", {
      statusText: "Fine",
      headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]],
    });
    if (params.which === "locked") native.body!.getReader();
    if (params.which === "connection") native.headers.set("connection", "close");
    return response(200, native);
  },
  lines: ({ params, response }) => response(200, params.which === "reused" ? reuse() : lines(params.which)),
  slow: async ({ signal, response }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    reports.push("aborted");
    signal.throwIfAborted();
    return response(200, "never");
  },
  reports: ({ response }) => response(200, reports.splice(0)),
});
