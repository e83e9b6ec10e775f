/** What every runtime serves. The page of a browser's test is served from here too. */
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contract } from "./contract.ts";

/** How far the calls of `waits.forAbort` have come. */
const waits = new Map<string, "waiting" | "aborted">();

/** Waits for the abort. The timer is for workerd, which answers 500 for a handler that waits for nothing that it knows of. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 10_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

/** What tells the runtimes' further arguments apart. */
const known = ["remoteAddr", "completed", "requestIP", "incoming", "outgoing", "waitUntil"];

/** The names of what the runtime gives beside the request. */
function namesOf(further: readonly unknown[]): string[] {
  return known.filter((name) => further.some((given) => typeof given === "object" && given !== null && name in given));
}

const implementation = defineServer(contract, {
  context: ({ further }: { readonly further: string[] }) => ({ further }),
}).implement({
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
  further: ({ context }) => ({ status: 200, body: context.further }),
  fails: () => {
    throw new Error("the secret of a thrown error");
  },
  waits: {
    forAbort: async ({ params, signal }) => {
      waits.set(params.id, "waiting");
      await untilAborted(signal);
      waits.set(params.id, "aborted");
      return { status: 200, body: "nobody reads this" };
    },
    state: ({ params }) => ({ status: 200, body: waits.get(params.id) ?? "unknown" }),
  },
});

/** The most bytes of a body that it takes. */
export const maxBodyBytes = 100_000;

export const handler = createFetchHandler(implementation, {
  maxBodyBytes,
  onError: () => {},
  contextInput: (_request: Request, ...further: readonly unknown[]) => ({ further: namesOf(further) }),
});

export default { fetch: handler };
