/**
 * The credential of a call: that of one scheme of its route, unless the caller's own headers have one. Clients reach
 * this code through the credential places, so bundles without security do not contain it.
 */
import { type AcceptedScheme, type CredentialPlace, type ShowCredential } from "./credential_place.ts";
import { namesHeader } from "./header_sources.ts";

/** A scheme that a route accepts and for which a client has a credential. */
interface HeldScheme {
  readonly name: string;
  readonly place: CredentialPlace;
  readonly source: unknown;
}

/**
 * Plans which credential the calls of a route send: the first in its list that has a value in `sources`. If the headers
 * of a call already have a credential of the list, no other is sent or evaluated.
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
      if (present === null && namesHeader(ownSources, field)) continue; // the call removes it
      const value = await readCredential(scheme);
      if (value === undefined) continue;
      headers.set(field, format(value as never, present)); // format() checks it
      return headers;
    }
    return own;
  };
}

/**
 * The credential that a client was configured with. An error from its function may contain the credential, so the
 * message does not quote it.
 */
async function readCredential({ name, source }: HeldScheme): Promise<unknown> {
  if (typeof source !== "function") return source;
  try {
    return await source();
  } catch (cause) {
    throw new TypeError(`the function of the credential ${JSON.stringify(name)} threw`, { cause });
  }
}
