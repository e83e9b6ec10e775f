/**
 * The cookie that carries a session's id. Its name is in the contract; the adapter reads it.
 *
 * @module
 */
import { deleteCookie, setCookie } from "@std/http/cookie";
import { session } from "./contract.ts";
import { sessionSeconds } from "./sessions.ts";

// by its prefix `__Host-`, browsers accept the cookie from this host alone, over TLS: no other subdomain can plant one
const name = session.options.cookie!;

// no script can read it, and pages of other sites send it only when a link is followed
const attributes = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

/** The Set-Cookie field that starts a session. */
export function formatSessionCookie(id: string): string {
  return format((headers) => setCookie(headers, { name, value: id, maxAge: sessionSeconds, ...attributes }));
}

/** The Set-Cookie field that ends a session. */
export function formatEndedCookie(): string {
  return format((headers) => deleteCookie(headers, name, attributes));
}

function format(set: (headers: Headers) => void): string {
  const headers = new Headers();
  set(headers);
  return headers.getSetCookie().join();
}
