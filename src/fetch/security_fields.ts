import { type Security } from "../contract/security_scheme.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { addVary } from "../wire/vary.ts";
import { editHeaders } from "./edit_headers.ts";

/** Adds the fields that follow from security to an answer; `isPrivate` says whether the answer may depend on who called. */
export type AddSecurityFields = (answer: Response, isPrivate: boolean) => Response;

/**
 * Plans the fields of a secured route's answers (RFC 9111): no cache keeps what may be for one caller alone, unless its result says how;
 * a cache that keeps another answer is told which fields it depends on.
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

/** The directive by which caches must not keep an answer, among others. */
const noStore = /(?:^|,)[\t ]*no-store[\t ]*(?:,|$)/i;
