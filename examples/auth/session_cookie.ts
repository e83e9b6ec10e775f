/**
 * The cookie that carries a session's id.
 *
 * @module
 */
import { deleteCookie, getCookies, setCookie } from "@std/http/cookie";
import { sessionSeconds } from "./sessions.ts";

// By its prefix browsers take the cookie from this host alone, over TLS: no neighbouring subdomain can plant one.
const name = "__Host-session";

// No script reads it; and a page of another site sends it with nothing but links that are followed.
const attributes = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

/** The session id that a request shows. */
export function readSessionId(headers: Headers): string | undefined {
  try {
    return getCookies(headers)[name] || undefined;
  } catch {
    return undefined; // a Cookie field that can't be read, which anyone can send, is none
  }
}

/** The Set-Cookie field of a session that starts. */
export function formatSessionCookie(id: string): string {
  return format((headers) => setCookie(headers, { name, value: id, maxAge: sessionSeconds, ...attributes }));
}

/** The Set-Cookie field of a session that ends. */
export function formatEndedCookie(): string {
  return format((headers) => deleteCookie(headers, name, attributes));
}

function format(set: (headers: Headers) => void): string {
  const headers = new Headers();
  set(headers);
  return headers.getSetCookie().join();
}
