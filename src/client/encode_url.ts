import { type Awaitable, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { parsePath } from "../path.ts";
import { encodeSegment } from "../wire/pathname.ts";
import { formatQuery } from "../wire/query.ts";
import { isTextValue, toFields, toTextPairs } from "../wire/text_fields.ts";
import { planSlot } from "./encode_slot.ts";
import { findRivals, refuseRivals, type Rival } from "./rivals.ts";

/** The values that a URL is built from. */
export interface UrlValues {
  readonly params?: unknown;
  readonly query?: unknown;
}

/** Returns the URL of a call: synchronously, unless a codec is asynchronous. */
export type ToUrl = (base: string, input: UrlValues) => Awaitable<string>;

/** Plans how the calls of a route become URLs. `nodes` are all routes of the contract. */
export function planUrl(node: RouteNode, nodes: readonly RouteNode[]): ToUrl {
  const segments = parsePath(node.path);
  let rivals: readonly Rival[] | undefined; // found at the first call, because most clients call few of a contract's routes
  const encodeParams = planSlot(node.params, "params");
  const encodeQuery = planSlot(node.query, "query");
  const toPathUrl = (base: string, params: unknown): string => {
    const values = params === undefined ? {} : toFields(params, "params");
    const encoded = segments.map((segment) =>
      "literal" in segment ? encodeURI(segment.literal) : formatParameter(segment.parameter, values)
    );
    refuseRivals(rivals ??= findRivals(node, nodes), encoded);
    return `${base}/${encoded.join("/")}`;
  };
  return (base, { params = {}, query = {} }) =>
    whenReady(encodeParams(params), (encoded) => {
      const url = toPathUrl(base, encoded);
      return node.query ? whenReady(encodeQuery(query), (fields) => url + formatSearch(fields)) : url;
    });
}

function formatParameter(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const encoded = isTextValue(value) ? encodeSegment(String(value)) : undefined;
  if (encoded !== undefined) return encoded;
  const state = value === undefined ? "is missing" : isTextValue(value) ? "is invalid in a URL" : "must be a string";
  throw new TypeError(`the path parameter ${name} ${state}`);
}

function formatSearch(query: unknown): string {
  const fields = query === undefined ? [] : toTextPairs(query, "the query");
  return fields.length === 0 ? "" : `?${formatQuery(fields)}`;
}
