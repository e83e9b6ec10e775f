// Stands in for jsr:@std/http/cookie where JSR is out of reach: the same functions, from npm, with their types written out.
// Removing "links" from deno.json must be all it takes to run the original: this may offer less, never more or other.

import * as std from "deno-std/http";

/** A cookie that is to be set. */
export interface Cookie {
  name: string;
  value: string;
  /** In milliseconds since 1970, or as a date. */
  expires?: Date | number;
  /** In seconds. */
  maxAge?: number;
  domain?: string;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
}

export const getCookies: (headers: Headers) => Partial<Record<string, string>> = std.getCookies;
export const setCookie: (headers: Headers, cookie: Cookie) => void = std.setCookie;
export const getSetCookies: (headers: Headers) => Cookie[] = std.getSetCookies;
export const deleteCookie: (
  headers: Headers,
  name: string,
  attributes?: Pick<Cookie, "path" | "domain" | "secure" | "httpOnly">,
) => void = std.deleteCookie;
