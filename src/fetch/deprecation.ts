import { type RouteNode } from "../contract/node.ts";
import { editHeaders } from "./edit_headers.ts";

/** Adds the headers of a deprecated route to a response. */
export type AddDeprecation = (response: Response) => Response;

/**
 * Plans the headers `deprecation` (RFC 9745), `sunset` (RFC 8594) and `link`. `undefined` for a route without dates.
 */
export function planDeprecation({ deprecated }: RouteNode): AddDeprecation | undefined {
  if (typeof deprecated !== "object") return undefined;
  const { since, sunset, link } = deprecated;
  const deprecation = `@${Math.floor(Date.parse(since) / 1000)}`;
  const end = sunset === undefined ? undefined : new Date(sunset).toUTCString();
  const target = link === undefined ? undefined : `<${link}>; rel="deprecation"`;
  const edit = (headers: Headers): void => {
    headers.set("deprecation", deprecation);
    if (end !== undefined) headers.set("sunset", end);
    // a native response that a handler returns several times has it already
    if (target !== undefined && !headers.get("link")?.includes(target)) headers.append("link", target);
  };
  return (response) => editHeaders(response, edit);
}
