/** The header names that CORS needs for a route's requests and responses, as they follow from the contract. */
import { type RouteNode } from "../contract/node.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { declaredKeys, type Schema } from "../schema.ts";
import { isToken } from "../wire/headers.ts";

/** The headers that requests to a route may have. */
export interface RequestFields {
  /** Their names, in lowercase. */
  readonly names: readonly string[];
  /** Whether the route may read any other, because its schema does not reveal its keys. */
  readonly isOpen: boolean;
}

/** The headers that a page may send to a route: those of its inputs, its credentials and conditional requests. */
export function listRequestFields(node: RouteNode): RequestFields {
  const declared = node.headers && declaredKeys(node.headers);
  const names = [
    ...(declared ?? []),
    ...(node.body ? ["content-type"] : []),
    ...credentialFields(node),
    ...conditionalFields(node.responses[200]?.headers),
  ];
  return { names, isOpen: node.headers !== undefined && declared === undefined };
}

/** The headers of a route's credentials, without `cookie`, which pages cannot set. */
function credentialFields({ security = [] }: RouteNode): string[] {
  const fields = requirementsOf(security).flatMap(({ scheme: { credential } }) => credential?.field ?? []);
  return fields.filter((field) => field !== "cookie");
}

/** The headers with which a client asks whether its copy is current. */
function conditionalFields(headers: Schema | undefined): string[] {
  const declared = headers && declaredKeys(headers) || [];
  return [
    ...(declared.includes("etag") ? ["if-none-match"] : []),
    ...(declared.includes("last-modified") ? ["if-modified-since"] : []),
  ];
}

/** The header names in a preflight's request, in lowercase. */
export function parseNames(requested: string | null): string[] {
  const names = (requested ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "*" && isToken(name));
}

/** Whether pages may read a response header only if it is listed. */
export function isExposed(name: string): boolean {
  return !alwaysReadable.has(name) && !neverReadable.has(name) && !name.startsWith("access-control-");
}

/** Fetch Standard, "CORS-safelisted response-header name". */
const alwaysReadable: ReadonlySet<string> = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
]);

/** Fetch Standard, "forbidden response-header name". */
const neverReadable: ReadonlySet<string> = new Set(["set-cookie", "set-cookie2"]);
