/**
 * Two schemes, a bearer token and a session cookie, each a middleware that finds out who calls; and one that lets nobody pass
 * who was not found out.
 *
 * @module
 */
import { type MiddlewareInput, type MiddlewareResult } from "@scope/api/server";
import { type refusals } from "./contract.ts";
import { type Member, type Members } from "./members.ts";
import { mayChange } from "./origins.ts";
import { readSessionId } from "./session_cookie.ts";
import { type Sessions } from "./sessions.ts";

/** What the schemes look into. */
export interface Credentials {
  readonly request: Request;
  readonly members: Members;
  readonly sessions: Sessions;
  readonly origins: ReadonlySet<string>;
}

/** Who calls, as far as it is known. */
export interface Caller {
  readonly member: Member | undefined;
}

type Refusals = typeof refusals;

const challenge = 'Bearer realm="api"';

/** `Authorization: Bearer …` (RFC 6750). A token that is not valid is refused, whatever else the request shows. */
export async function byToken(
  { context, next, response }: MiddlewareInput<Credentials, Refusals>,
): Promise<MiddlewareResult<Refusals, Caller>> {
  const token = readToken(context.request.headers);
  if (token === undefined) return await next({ member: undefined });
  const member = await context.members.findByToken(token);
  if (member) return await next({ member });
  const headers = { "www-authenticate": `${challenge}, error="invalid_token"` };
  return response(401, { message: "The token is not valid" }, headers);
}

/** The cookie of a session, where no token was shown. */
export async function bySession(
  { context, next, response }: MiddlewareInput<Credentials & Caller, Refusals>,
): Promise<MiddlewareResult<Refusals, Caller>> {
  const { request, members, sessions, origins } = context;
  const id = readSessionId(request.headers);
  if (context.member || id === undefined) return await next({ member: context.member });
  if (!mayChange(request, origins)) return response(403, { message: "Another site's page may not do this" });
  const memberId = await sessions.find(id);
  return await next({ member: memberId === undefined ? undefined : members.find(memberId) });
}

/** For members only. What they get is theirs: no cache may keep it for others. */
export async function requireMember(
  { context: { member }, next, response }: MiddlewareInput<Caller, Refusals>,
): Promise<MiddlewareResult<Refusals, { readonly member: Member }>> {
  if (!member) return response(401, { message: "Show a token or a session" }, { "www-authenticate": challenge });
  const result = await next({ member });
  return { ...result, headers: { ...result.headers, "cache-control": "no-store" } };
}

function readToken(headers: Headers): string | undefined {
  return headers.get("authorization")?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1];
}
