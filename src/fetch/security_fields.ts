import { type Security } from "../contract/security_scheme.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { addVary } from "../wire/vary.ts";
import { editHeaders } from "./edit_headers.ts";

/**
 * Adds the headers that follow from security to a response. `isPrivate` says whether the response may depend on the
 * caller.
 */
export type AddSecurityFields = (answer: Response, isPrivate: boolean) => Response;

/**
 * Plans the headers of a secured route's responses (RFC 9111). Caches must not store a response for one caller unless
 * its result sets `cache-control`. Other responses list in `vary` the headers that they depend on.
 */
export function planSecurityFields(security: Security): AddSecurityFields {
  const fields = [
    ...new Set(requirementsOf(security).flatMap(({ scheme: { credential } }) => credential?.field ?? [])),
  ];
  const edit = (headers: Headers, isPrivate: boolean): void => {
    const stated = headers.get("cache-control");
    if (stated === null && isPrivate) headers.set("cache-control", "no-store");
    else if (stated === null || !noStore.test(stated)) addVary(headers, fields);
  };
  return (answer, isPrivate) => editHeaders(answer, (headers) => edit(headers, isPrivate));
}

/** Matches a `cache-control` that contains `no-store`. */
const noStore = /(?:^|,)[\t ]*no-store[\t ]*(?:,|$)/i;
