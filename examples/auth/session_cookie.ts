/**
 * The cookie with the id of a session. The contract declares its name, and the adapter reads it.
 *
 * @module
 */
import { deleteCookie, setCookie } from "@std/http/cookie";
import { session } from "./contract.ts";
import { sessionSeconds } from "./sessions.ts";

// with the prefix `__Host-`, browsers accept the cookie only from this host over TLS, not from another subdomain
const name = session.options.cookie!;

// scripts cannot read it, and other sites send it only when the user follows a link
const attributes = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

/** Returns the Set-Cookie header that starts a session. */
export function formatSessionCookie(id: string): string {
  return format((headers) => setCookie(headers, { name, value: id, maxAge: sessionSeconds, ...attributes }));
}

/** Returns the Set-Cookie header that ends a session. */
export function formatEndedCookie(): string {
  return format((headers) => deleteCookie(headers, name, attributes));
}

function format(set: (headers: Headers) => void): string {
  const headers = new Headers();
  set(headers);
  return headers.getSetCookie().join();
}
