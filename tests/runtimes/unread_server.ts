/** A server whose uploads end before anyone has read them, below `/unread/`. It counts the bodies that were opened. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";

/** How many uploads of one id have begun, and how many of their native bodies were opened. */
export interface Counts {
  begun: number;
  opened: number;
}

const contract = defineContract({
  basePath: "/unread",
  responses: { 429: response.text() },
  routes: {
    counts: route.get("/:id", { responses: { 200: response.json<Counts>() } }),
    text: route.post("/slow-guard/:id", {
      body: request.text({ maxBytes: 15_000 }),
      responses: { 204: response.empty() },
    }),
    called: route.get("/called/:bytes", { responses: { 200: response.json<readonly number[]>() } }),
    form: route.post("/form", { body: request.formData({ maxBytes: 1_000 }), responses: { 204: response.empty() } }),
    upload: route.post("/:end/:id", {
      body: request.stream(),
      responses: { 200: response.stream({ headers: type({ "x-end?": "'valid'" }) }) },
    }),
  },
});

const countsById = new Map<string, Counts>();

/** Returns the counts of an id. */
export function countsOf(id: string): Counts {
  const counts = countsById.get(id) ?? { begun: 0, opened: 0 };
  countsById.set(id, counts);
  return counts;
}

/** The end and the id that the path of an upload names. */
export function parsePath({ url }: { readonly url: string }): { readonly end: string; readonly id: string } {
  const [end = "", id = ""] = url.split("/").slice(-2);
  return { end, id };
}

/** Counts an upload, and its body when its property `body` is first read: then some runtimes open the native stream. */
function watchBody(upload: Request): void {
  const counts = countsOf(parsePath(upload).id);
  counts.begun++;
  let isOpen = false;
  Object.defineProperty(upload, "body", {
    get: () => {
      if (!isOpen) counts.opened++;
      isOpen = true;
      return Reflect.get(Object.getPrototypeOf(upload), "body", upload);
    },
  });
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** What the handler does before it answers 429, or the result that it returns instead, by the end of the upload. */
const ends: Readonly<Record<string, (body: Body, signal: AbortSignal) => unknown>> = {
  "handler-throws": () => {
    throw new Error("the secret of a handler");
  },
  "handler-cancels": async (body) => {
    await Promise.resolve(); // something cached
    await body.cancel();
  },
  "handler-reads": async (body) => {
    const reader = body.getReader();
    const reading = reader.read().catch(() => {});
    await Promise.resolve();
    await reader.cancel();
    await reading;
  },
  "middleware-replaces": (body) => ({ status: 200, body }),
  "result-status": (body) => ({ status: 418, body }),
  "result-headers": (body) => ({ status: 200, body, headers: { "x-end": "invalid" } }),
  "disconnect": async (body, signal) => {
    await untilAborted(signal);
    return { status: 200, body };
  },
};

/** Time in which the bytes of an upload arrive. */
function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits for the abort, or for five seconds on workerd, which does not report it. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 5000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

const server = defineServer(contract, { context: ({ end }: { readonly end: string }) => ({ end }) })
  .guard(async ({ request, response }) => {
    const { end } = parsePath(request);
    await (end === "slow-guard" ? wait(20) : Promise.resolve());
    if (end === "guard") return response(429, "later");
  })
  .use(async ({ context: { end }, next }) => {
    const result = end === "middleware-answers" ? undefined : await next();
    return result && end !== "middleware-replaces" ? result : { status: 429, body: "later" };
  });

/** What every adapter mounts. */
export const unread = server.implement({
  counts: ({ params: { id }, response }) => response(200, countsOf(id)),
  called: async ({ params: { bytes }, response }) => response(200, await callForm(Number(bytes))),
  form: ({ response }) => response(204),
  text: ({ response }) => response(204),
  upload: async ({ params: { end }, body, signal, response }) =>
    await ends[end]?.(body, signal) as never ?? response(429, "later"), // some are invalid on purpose
});

const handler = createFetchHandler(unread, { onError: () => {}, contextInput: parsePath });

/** The statuses of forms with a file of some bytes, sent to the handler in this process, as tests of a server do. */
async function callForm(bytes: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const path of ["form", "slow-guard/called", "nowhere/at/all"]) {
    const body = new FormData();
    body.append("file", new File([new Uint8Array(bytes)], "a.bin"));
    const { status } = await handler(new Request(`http://localhost/unread/${path}`, { method: "POST", body }));
    statuses.push(status);
    await wait(5); // Node reads the rest of the form
  }
  return statuses;
}

/** Responds to every path below `/unread/`. */
export function unreadHandler(request: Request): Response | Promise<Response> {
  if (request.method === "POST") watchBody(request);
  return handler(request);
}
