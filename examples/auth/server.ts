/**
 * The contract's handlers, for `deno serve`. What is for members only is a fragment of the server that lets nobody else pass.
 *
 * @module
 */
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { type Credentials } from "./authenticate.ts";
import { contract } from "./contract.ts";
import { withCors } from "./cors.ts";
import { withoutCachedErrors } from "./no_store.ts";
import { logError } from "./observe.ts";
import { requestIdOf, withRequestId } from "./request_id.ts";
import { everybody, membersOnly, origins } from "./servers.ts";
import { formatEndedCookie, formatSessionCookie, readSessionId } from "./session_cookie.ts";

const session = membersOnly.implement(contract.routes.session, {
  start: async ({ context, response }) => {
    await endSession(context);
    const id = await context.sessions.start(context.member.id);
    return response(204, undefined, { "set-cookie": formatSessionCookie(id) });
  },
  end: async ({ context, response }) => {
    await endSession(context);
    return response(204, undefined, { "set-cookie": formatEndedCookie() });
  },
});

async function endSession({ request, sessions }: Credentials): Promise<void> {
  const id = readSessionId(request.headers);
  if (id !== undefined) await sessions.end(id);
}

const users = membersOnly.implement(contract.routes.users, {
  me: ({ context, response }) => response(200, context.member),
  rename: ({ body, context, response }) => response(200, context.members.rename(context.member, body.name)),
  byId: ({ params, context, response }) => {
    const member = context.members.find(params.id);
    return member ? response(200, member) : response(404, { message: `No user ${params.id}` });
  },
});

const implementation = everybody.implement({ health: ({ response }) => response(200, "ok"), session, users });

const routed = createFetchHandler(implementation, {
  maxBodyBytes: 10_000,
  onError: (report) => logError(report, requestIdOf(report.request)),
});

/** From a `Request` to a `Response`: what a runtime serves and what a test calls. */
export const handler = withCors(withRequestId(withoutCachedErrors(routed)), {
  origins,
  methods: ["GET", "POST", "PATCH", "DELETE"],
  headers: ["authorization", "content-type", "x-request-id"],
  exposed: ["x-request-id"],
});

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(greet(`http://localhost:${address.port}`));
  },
} satisfies Deno.ServeDefaultExport;

function greet(baseUrl: string): string {
  const { health, session, users } = createClient(contract, { baseUrl });
  return `Serving the auth example. With the token that the server was given in AUTH_TOKEN, try:

  curl ${health.url()}
  curl -i ${users.me.url()}
  curl -H "authorization: Bearer $AUTH_TOKEN" ${users.me.url()}
  curl -i -X POST -H "authorization: Bearer $AUTH_TOKEN" ${session.start.url()}
`;
}
