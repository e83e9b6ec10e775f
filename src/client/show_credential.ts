/** The credential of a call: one scheme of its route, among the header fields that the caller chose. */
import { type RouteNode } from "../contract/node.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { type CredentialPlace } from "../wire/credentials.ts";
import { type CredentialSources } from "./credentials.ts";
import { type HeaderSources, namesHeader } from "./merge_headers.ts";

/** Adds the credential of a call to its own header fields, which win; `sources` are what they were merged of. */
export type ShowCredential = (own: Headers | undefined, sources: HeaderSources) => Promise<Headers | undefined>;

/** A scheme that a route accepts and a client has a credential for. */
interface HeldScheme {
  readonly name: string;
  readonly place: CredentialPlace;
  readonly source: unknown;
}

/**
 * Plans which credential the calls of a route send: the first of its list that has a value. Nothing else is sent or run where the header
 * fields show a credential of the list by themselves.
 */
export function planCredential(
  { security = [] }: RouteNode,
  sources: CredentialSources,
): ShowCredential | undefined {
  const schemes = requirementsOf(security).map(({ scheme }) => scheme);
  const places = schemes.flatMap(({ credential }) => credential ?? []);
  const held = schemes.flatMap(({ name, credential: place }): HeldScheme[] =>
    place && sources.has(name) ? [{ name, place, source: sources.get(name) }] : []
  );
  if (held.length === 0) return undefined;
  return async (own, ownSources) => {
    const headers = own ?? new Headers();
    if (places.some(({ read }) => read(headers) !== undefined)) return own;
    for (const scheme of held) {
      const { field, format } = scheme.place;
      const present = headers.get(field);
      if (present === null && namesHeader(ownSources, field)) continue; // they remove it
      const value = await readCredential(scheme);
      if (value === undefined) continue;
      headers.set(field, format(value as never, present)); // which checks it
      return headers;
    }
    return own;
  };
}

/** The credential that a client was given; what its function throws may have the credential's text, so the message does not quote it. */
async function readCredential({ name, source }: HeldScheme): Promise<unknown> {
  if (typeof source !== "function") return source;
  try {
    return await source();
  } catch (cause) {
    throw new TypeError(`the function of the credential ${JSON.stringify(name)} threw`, { cause });
  }
}
