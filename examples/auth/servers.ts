/**
 * Two servers of one contract: one for everybody, and one for members only, whose handlers know who calls. Ada's token comes
 * from the environment variable AUTH_TOKEN; without it nobody is let in.
 *
 * @module
 */
import { defineServer } from "@scope/api/server";
import { bySession, byToken, requireMember } from "./authenticate.ts";
import { contract } from "./contract.ts";
import { createMembers } from "./members.ts";
import { logRequests, nameSpan } from "./observe.ts";
import { parseOrigins } from "./origins.ts";
import { requestIdOf } from "./request_id.ts";
import { createSessions } from "./sessions.ts";

/** The origins of other sites whose pages may call. */
export const origins = parseOrigins(Deno.env.get("ALLOWED_ORIGINS"));

const members = await createMembers(Deno.env.get("AUTH_TOKEN"));
const sessions = createSessions();

export const everybody = defineServer(contract, {
  context: ({ request }) => ({ request, requestId: requestIdOf(request), members, sessions, origins }),
}).use(nameSpan).use(logRequests);

export const membersOnly = everybody.use(byToken).use(bySession).use(requireMember);
