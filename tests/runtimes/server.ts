/** The server that every runtime runs. The page of a browser's test is served from here too. */
import { createFetchHandler, type FetchHandler, type FetchOptions, type OnResponse, watchBody } from "@scope/api/fetch";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer, verify } from "@scope/api/server";
import { contract, key, session, token } from "./contract.ts";
import { framedHandler } from "./framed_server.ts";
import { shapedHandler } from "./shaped_server.ts";
import { unreadHandler } from "./unread_server.ts";

/** The options of its document: 3.2 knows QUERY. */
export const documentOptions = { info: { title: "Suite", version: "1.0.0" }, version: "3.2" } as const;

/** The progress of the calls of `waits.forAbort` and `lines`. */
const waits = new Map<string, "waiting" | "aborted" | "closed">();

/** How often `watchBody()` told the end of the body of `lines`. */
const ends = new Map<string, number>();

const countEnds: OnResponse = ({ request, response, route }) => {
  if (route?.key !== "lines" || request.method === "HEAD") return;
  const id = request.url.slice(request.url.lastIndexOf("/") + 1);
  let count = 0; // of this response: a client may ask again if the connection breaks off
  return watchBody(response, () => void ends.set(id, ++count));
};

/** The phases that `onError` has heard of, by the route's key. */
const heard = new Map<string, string[]>();

/**
 * Waits for the abort. The timer is for workerd, which responds 500 if a handler awaits nothing that workerd can
 * observe.
 */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 10_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

/** A field of form data, with the properties that are the same on all runtimes. */
async function describeField([name, value]: [string, FormDataEntryValue]): Promise<string[]> {
  return typeof value === "string" ? [name, value] : [name, value.name, value.type, await value.text()];
}

async function count(body: ReadableStream<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const chunk of body) length += chunk.byteLength;
  return length;
}

/** Three lines, two and a failure, or a line every 10 ms until the reader stops. */
async function* makeLines(kind: string, id: string): AsyncGenerator<{ readonly line: number }> {
  waits.set(id, "waiting");
  try {
    for (let line = 1; kind === "endless" || line <= 3; line++) {
      if (kind === "failing" && line === 3) throw new Error("the secret of a failing stream");
      yield { line };
      if (kind === "endless") await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    waits.set(id, "closed");
  }
}

/** The properties that identify the runtimes' further arguments. */
const known = ["remoteAddr", "completed", "requestIP", "incoming", "outgoing", "waitUntil"];

/** The names of the further arguments that the runtime passes with the request. */
function namesOf(further: readonly unknown[]): string[] {
  return known.filter((name) => further.some((given) => typeof given === "object" && given !== null && name in given));
}

/** The resident memory in MiB, or 0 if the runtime does not report it. */
function readMemory(): number {
  const { process } = globalThis as { readonly process?: { memoryUsage?: () => { readonly rss: number } } };
  return (process?.memoryUsage?.().rss ?? 0) / 2 ** 20;
}

/** Three lines that are open from the beginning, as a cursor is. */
function openLines(id: string): AsyncIterable<{ readonly line: number }> {
  waits.set(id, "waiting");
  let line = 0;
  const lines: AsyncIterator<{ readonly line: number }> = {
    next: () => Promise.resolve(++line > 3 ? { done: true, value: undefined } : { done: false, value: { line } }),
    return: () => {
      waits.set(id, waits.get(id) === "closed" ? "aborted" : "closed"); // which may happen once
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { [Symbol.asyncIterator]: () => lines };
}

async function* copy(source: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const item of source) yield item;
}

/** Reads the body of a request, which no verifier may do. */
async function readBody(request: Request, how: string): Promise<void> {
  if (how === "text") return void await request.text();
  const reader = request.body!.getReader();
  await reader.read();
  if (how === "part") reader.releaseLock();
}

const server = defineServer(contract, {
  security: [
    verify(token, ({ token }) => token === "good" ? { name: "token" } : null),
    verify(session, async ({ value }) => await Promise.resolve(value === "good" ? { name: "session" } : null)),
    verify(key, async ({ key, request }) => {
      await readBody(request, key);
      return { name: "key" };
    }),
  ],
  context: ({ further, request }: { readonly further: string[]; readonly request: Request }) => ({ further, request }),
});

const behind = server.use(async ({ context, next }) => {
  const how = new URL(context.request.url).pathname.split("/").at(-2);
  const result = how === "raced" ? await Promise.race([{ status: 202, body: "raced" } as never, next()]) : await next();
  if (how === "replaced") return { ...result, status: 202, body: how };
  return how === "copied" ? { ...result, body: copy(result.body as AsyncIterable<unknown>) } : result;
}).implement(contract.routes.behind, async ({ params, response }) => {
  if (params.how === "raced") await new Promise((resolve) => setTimeout(resolve, 10));
  return response(200, openLines(params.id));
});

/** What every adapter mounts. */
export const implementation = server.implement({
  literal: () => ({ status: 200, body: "literal" }),
  echo: ({ params }) => ({ status: 200, body: params }),
  pair: ({ params }) => ({ status: 200, body: params }),
  query: ({ query }) => ({ status: 200, body: query }),
  headers: ({ headers }) => ({ status: 200, body: headers }),
  cookie: ({ headers, response }) =>
    response(200, headers.cookie ?? "", {
      "set-cookie": ["one=1; Path=/", "two=2; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT"],
    }),
  method: {
    put: ({ body }) => ({ status: 200, body }),
    delete: () => ({ status: 204 }),
    options: ({ response }) => response(204, undefined, { allow: "PUT, DELETE" }),
    query: ({ body }) => ({ status: 200, body }),
  },
  note: ({ body, response }) =>
    body.title === "taken"
      ? response(409, { value: body.title })
      : response(201, body, { location: `/api/note/${encodeURIComponent(body.title)}` }),
  meeting: ({ body }) => ({ status: 200, body }),
  text: ({ body }) => ({ status: 200, body }),
  bytes: ({ body }) => ({ status: 200, body }),
  cbor: ({ body }) => ({ status: 200, body }),
  image: ({ body, contentType, response }) => response(200, body, { "content-type": `${contentType};a=b` }),
  optional: ({ body }) => ({ status: 200, body: body?.title ?? "absent" }),
  form: ({ body }) => ({ status: 200, body }),
  formData: async ({ body }) => ({ status: 200, body: await Promise.all([...body].map(describeField)) }),
  file: async ({ body: { page } }) => ({ status: 200, body: await describeField(["page", page]) }),
  upload: async ({ body }) => ({ status: 200, body: await count(body) }),
  unread: () => ({ status: 200, body: "unread" }),
  duplex: ({ body }) => ({ status: 200, body }),
  rows: async ({ body }) => {
    const items = body[Symbol.asyncIterator]();
    const first = await items.next(); // an invalid one is answered before the response begins
    return { status: 200, body: goOn(first, items) };
  },
  download: () => ({ status: 200, body: Array.from({ length: 50 }, () => new Uint8Array(10_000)) }),
  lines: ({ params }) => ({ status: 200, body: makeLines(params.kind, params.id) }),
  behind,
  events: () => ({
    status: 200,
    body: [{ data: { line: 1 } }, { data: { line: 2 }, event: "more", id: "é", retry: 100 }],
  }),
  problem: ({ response }) => response(403, { title: "Not yours", status: 403, code: "not-yours" }),
  moved: ({ response }) => response(302, undefined, { location: "/api/further" }),
  raw: () => ({ status: 202, body: new Response("as it is", { status: 202, headers: { "x-raw": "1" } }) }),
  tagged: async ({ params, response }) => {
    if (params.as === "fetched") return response(200, await fetch("data:text/plain,fetched"), { etag: '"1"' });
    if (params.as === "raw") return response(200, new Response("raw", { headers: { etag: '"1"' } }));
    return response(404, { detail: params.as });
  },
  taggedLines: ({ response }) => response(200, [{ line: 1 }], { etag: 'W/"1"' }),
  fetched: async () => ({ status: 200, body: await fetch("data:text/plain,fetched") }),
  document: () => ({ status: 200, body: openApiDocument(contract, documentOptions) }),
  further: ({ context }) => ({ status: 200, body: context.further }),
  heard: ({ params }) => ({ status: 200, body: heard.get(params.key) ?? [] }),
  memory: () => ({ status: 200, body: readMemory() }),
  fails: () => {
    throw new Error("the secret of a thrown error");
  },
  secured: ({ caller, body, response }) => response(200, `${caller.name} adds ${body.title}`),
  waits: {
    forAbort: async ({ params, signal }) => {
      waits.set(params.id, "waiting");
      await untilAborted(signal);
      waits.set(params.id, "aborted");
      return { status: 200, body: "nobody reads this" };
    },
    state: ({ params }) => ({ status: 200, body: waits.get(params.id) ?? "unknown" }),
    ends: ({ params }) => ({ status: 200, body: String(ends.get(params.id) ?? 0) }),
  },
});

/** The most bytes of a body that it takes. */
export const maxBodyBytes = 100_000;

/** The options of every adapter. */
export const options: FetchOptions = {
  maxBodyBytes,
  onResponse: countEnds,
  onError: async ({ phase, route }) => {
    await Promise.resolve(); // an asynchronous hook; its rejection must not surface
    heard.set(route!.key, [...heard.get(route!.key) ?? [], phase]);
    throw new Error("the secret of a hook");
  },
};

/** Pages of other origins that may call. */
export const cors = { origins: ["https://app.example.com"] };

function mount(further: FetchOptions): FetchHandler<readonly unknown[]> {
  return createFetchHandler(implementation, {
    ...options,
    ...further,
    contextInput: (_request: Request, ...further: readonly unknown[]) => ({ further: namesOf(further) }),
  });
}

const plain = mount({});
const crossOrigin = mount({ cors });

/**
 * Requests of pages go to a handler with CORS, all others to one without; those below `/framed/`, `/shaped/` and
 * `/unread/` go to their own servers.
 */
export function handler(request: Request, ...further: readonly unknown[]): Response | Promise<Response> {
  if (/^https?:\/\/[^/]*\/shaped\//.test(request.url)) return shapedHandler(request, ...further);
  if (/^https?:\/\/[^/]*\/framed\//.test(request.url)) return framedHandler(request, ...further);
  if (/^https?:\/\/[^/]*\/unread\//.test(request.url)) return unreadHandler(request);
  return request.headers.has("origin") ? crossOrigin(request, ...further) : plain(request, ...further);
}

export default { fetch: handler };

async function* goOn<Item>(
  first: IteratorResult<Item, undefined>,
  rest: AsyncIterator<Item, undefined>,
): AsyncGenerator<Item, undefined> {
  for (let step = first; !step.done; step = await rest.next()) yield step.value;
}
