/** The same servers by `@scope/api/node`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createNodeHandler, type NodeHandler } from "@scope/api/node";
import { framed, framedOptions } from "./framed_server.ts";
import { cors, implementation, options } from "./server.ts";
import { shaped, shapedOptions } from "./shaped_server.ts";
import { countsOf, parsePath, unread } from "./unread_server.ts";

const contextInput = (): { readonly further: string[] } => ({ further: [] });

const handlers = {
  shaped: createNodeHandler(shaped, shapedOptions),
  framed: createNodeHandler(framed, { ...framedOptions, contextInput }),
  unread: createNodeHandler(unread, { onError: () => {}, contextInput: ({ req }) => parsePath({ url: req.url! }) }),
  plain: createNodeHandler(implementation, { ...options, contextInput }),
  crossOrigin: createNodeHandler(implementation, { ...options, cors, contextInput }),
};

/** Counts an upload, and whether something begins to read it. */
function watchBody(req: IncomingMessage): void {
  const counts = countsOf(parsePath({ url: req.url! }).id);
  counts.begun++;
  req.on("newListener", (event) => {
    if (event === "data") counts.opened++;
  });
}

function choose({ url = "", headers }: IncomingMessage): NodeHandler<IncomingMessage> {
  const [, path = ""] = url.match(/^(?:https?:\/\/[^/]*)?\/(shaped|framed|unread)\//) ?? [];
  if (path === "shaped" || path === "framed" || path === "unread") return handlers[path];
  return headers.origin === undefined ? handlers.plain : handlers.crossOrigin;
}

/** Responds to every request. */
export function listener(req: IncomingMessage, res: ServerResponse): void {
  const handler = choose(req);
  if (handler === handlers.unread && req.method === "POST") watchBody(req);
  handler(req, res);
}
