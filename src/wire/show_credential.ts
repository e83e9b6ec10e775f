/**
 * The credential of a call: one scheme of its route, among the header fields that the caller chose. A client finds this in the places of
 * credentials, so that a bundle without security has none of it.
 */
import { type AcceptedScheme, type CredentialPlace, type ShowCredential } from "./credential_place.ts";
import { namesHeader } from "./header_sources.ts";

/** A scheme that a route accepts and a client has a credential for. */
interface HeldScheme {
  readonly name: string;
  readonly place: CredentialPlace;
  readonly source: unknown;
}

/**
 * Plans which credential the calls of a route send: the first of its list that has a value in `sources`. Nothing else is sent or run where
 * the header fields show a credential of the list by themselves.
 */
export function planCredential(
  schemes: readonly AcceptedScheme[],
  sources: Readonly<Record<string, unknown>>,
): ShowCredential | undefined {
  const places = schemes.flatMap(({ credential }) => credential ?? []);
  const held = schemes.flatMap(({ name, credential: place }): HeldScheme[] =>
    place && Object.hasOwn(sources, name) ? [{ name, place, source: sources[name] }] : []
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
