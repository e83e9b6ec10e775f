/**
 * The server, for `deno serve`. The environment variable AUTH_TOKEN is Ada's token; without it, no user can sign in. Pages of the
 * origins in ALLOWED_ORIGINS, separated by commas, may call the API.
 *
 * @module
 */
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { contract, session, token } from "./contract.ts";
import { createMembers, type Member } from "./members.ts";
import { logError, logRefusal, logRequests, nameSpan, requestIdOf, withRequestId } from "./observe.ts";
import { formatEndedCookie, formatSessionCookie } from "./session_cookie.ts";
import { createSessions } from "./sessions.ts";

const members = await createMembers(Deno.env.get("AUTH_TOKEN"));
const sessions = createSessions();

/** The authenticated caller: a member with a token or a session. */
interface Caller {
  readonly member: Member;
  readonly sessionId?: string;
}

const server = defineServer(contract, {
  security: [
    verify(token, async ({ token }) => toCaller(await members.findByToken(token))),
    verify(session, async ({ value }) => toCaller(members.find(await sessions.find(value)), value)),
  ],
  context: ({ request }) => ({ requestId: requestIdOf(request) }),
  refuse: logRefusal,
}).use(nameSpan).use(logRequests);

function toCaller(member: Member | undefined, sessionId?: string): Caller | undefined {
  return member && { member, ...(sessionId !== undefined && { sessionId }) };
}

const implementation = server.implement({
  health: ({ response }) => response(200, "ok"),
  session: {
    start: async ({ caller, response }) => {
      await endSession(caller);
      const id = await sessions.start(caller.member.id);
      return response(204, undefined, { "set-cookie": formatSessionCookie(id) });
    },
    end: async ({ caller, response }) => {
      await endSession(caller);
      return response(204, undefined, { "set-cookie": formatEndedCookie() });
    },
  },
  users: {
    me: ({ caller, response }) => response(200, caller.member),
    rename: ({ body, caller, response }) => response(200, members.rename(caller.member, body.name)),
    byId: ({ params, response }) => {
      const member = members.find(params.id);
      return member ? response(200, member) : response(404, { detail: `No user ${params.id}` });
    },
  },
});

async function endSession({ sessionId }: Caller): Promise<void> {
  if (sessionId !== undefined) await sessions.end(sessionId);
}

const origins = (Deno.env.get("ALLOWED_ORIGINS") ?? "").split(",").map((origin) => origin.trim()).filter(Boolean);

/** The handler, from a `Request` to a `Response`, for a runtime or a test. */
export const handler = withRequestId(createFetchHandler(implementation, {
  cors: { origins, headers: ["x-request-id"], exposed: ["x-request-id"] },
  maxBodyBytes: 10_000,
  onError: logError,
}));

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(greet(`http://localhost:${address.port}`));
  },
} satisfies Deno.ServeDefaultExport;

function greet(baseUrl: string): string {
  const { health, session, users } = createClient(contract, { baseUrl });
  return `Serving the auth example. With the token in AUTH_TOKEN, try:

  curl ${health.url()}
  curl -i ${users.me.url()}
  curl -H "authorization: Bearer $AUTH_TOKEN" ${users.me.url()}
  curl -i -X POST -H "authorization: Bearer $AUTH_TOKEN" ${session.start.url()}
`;
}
