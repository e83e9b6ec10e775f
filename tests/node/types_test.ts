import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { createServer as createHttp2Server, type Http2ServerRequest } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { defineContract, response, route } from "@scope/api";
import { createNodeHandler, type NodeExchange, type NodeHandler } from "@scope/api/node";
import { type ContextInput, defineServer, type Implementation } from "@scope/api/server";

const contract = defineContract({ routes: { me: route.get("/me", { responses: { 200: response.text() } }) } });
const plain = defineServer(contract).implement({ me: ({ response }) => response(200, "me") });
const needing = defineServer(contract, {
  context: ({ user, ip }: { readonly user: string; readonly ip: string }) => ({ user, ip }),
}).implement({ me: ({ context, response }) => response(200, context.user + context.ip) });

/** A request of a framework. */
interface WithUser extends IncomingMessage {
  readonly user: string;
}

/** Never called: the compiler checks it. */
function _check(withUser: WithUser, req: IncomingMessage, res: ServerResponse): void {
  const handler: NodeHandler = createNodeHandler(plain, { maxBodyBytes: 1_000 });
  createServer(handler);
  createHttpsServer(handler);
  createHttp2Server(handler);
  handler(req, res, (error?: unknown) => void error);
  const _has: boolean = handler.has(req);

  // @ts-expect-error the context factory needs `user` and `ip`
  createNodeHandler(needing);
  // @ts-expect-error `ip` is missing
  createNodeHandler(needing, { contextInput: ({ req }: NodeExchange<WithUser>) => ({ user: req.user }) });
  // @ts-expect-error a message of Node has no `user`
  createNodeHandler(needing, { contextInput: ({ req }) => ({ user: req.user, ip: "::1" }) });
  // @ts-expect-error it is no option here
  createNodeHandler(plain, { preserveRequestBody: true });

  const typed = createNodeHandler(needing, {
    contextInput: ({ req, res }: NodeExchange<WithUser>) => ({ user: req.user, ip: String(res.headersSent) }),
  });
  typed(withUser, res);
  // @ts-expect-error the type of `req` follows from the annotation
  typed(req, res);
  // @ts-expect-error and a server does not pass such a request
  createServer(typed);

  createServer(createNodeHandler(needing, { contextInput: ({ req }) => ({ user: req.url ?? "", ip: "::1" }) }));
  createHttp2Server(
    createNodeHandler(needing, {
      contextInput: ({ req }: NodeExchange<Http2ServerRequest>) => ({ user: req.authority, ip: "::1" }),
    }),
  );
}

Deno.test("createNodeHandler() has the type of its request, and requires contextInput if an implementation needs it", () => {
  const _: Implementation<ContextInput> = plain;
});
