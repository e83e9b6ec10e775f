/** The header fields that CORS names of a route's requests and responses: what follows from the contract. */
import { type RouteNode } from "../contract/node.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { declaredKeys, type Schema } from "../schema.ts";
import { isToken } from "../wire/headers.ts";

/** The fields that the requests of a route may have. */
export interface RequestFields {
  /** Their names, in lower case. */
  readonly names: readonly string[];
  /** Whether the route may look at any others, for its schema cannot tell its keys. */
  readonly isOpen: boolean;
}

/** The fields that a page may set for a route: those of its slots and its credentials, and of conditional requests. */
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

/** The fields of a route's credentials, less `cookie`, which browsers let no page set. */
function credentialFields({ security = [] }: RouteNode): string[] {
  const fields = requirementsOf(security).flatMap(({ scheme: { credential } }) => credential?.field ?? []);
  return fields.filter((field) => field !== "cookie");
}

/** The fields by which a client asks whether it still has the response. */
function conditionalFields(headers: Schema | undefined): string[] {
  const declared = headers && declaredKeys(headers) || [];
  return [
    ...(declared.includes("etag") ? ["if-none-match"] : []),
    ...(declared.includes("last-modified") ? ["if-modified-since"] : []),
  ];
}

/** The names that a preflight asks for, in lower case. */
export function parseNames(requested: string | null): string[] {
  const names = (requested ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "*" && isToken(name));
}

/** Whether pages may read a response's field only if it is named. */
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
