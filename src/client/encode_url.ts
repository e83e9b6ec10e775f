import { type Awaitable, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { parsePath, type Segment } from "../path.ts";
import { encodeSegment } from "../wire/pathname.ts";
import { formatQuery } from "../wire/query.ts";
import { isTextValue, toFields, toTextPairs } from "../wire/text_fields.ts";
import { planSlot } from "./encode_slot.ts";
import { findRivals, type Rival } from "./rivals.ts";

/** What the URL of a call is made of. */
export interface UrlInput {
  readonly params?: unknown;
  readonly query?: unknown;
}

/** The URL of a call, at once unless a codec is asynchronous. */
export type ToUrl = (base: string, input: UrlInput) => Awaitable<string>;

/** Works out how the calls of a route become URLs; `nodes` are all routes of the contract. */
export function planUrl(node: RouteNode, nodes: readonly RouteNode[]): ToUrl {
  const segments = parsePath(node.path).map((segment) =>
    "literal" in segment ? { literal: encodeURI(segment.literal) } : segment
  );
  let rivals: readonly Rival[] | undefined; // found at the first call, for most clients call few of a contract's routes
  const encodeParams = planSlot(node.params, "params");
  const encodeQuery = planSlot(node.query, "query");
  return (base, { params = {}, query = {} }) =>
    whenReady(
      encodeParams(params),
      (params) => {
        const path = formatPath(segments, params, rivals ??= findRivals(node, nodes));
        return whenReady(node.query && encodeQuery(query), (query) => `${base}${path}${formatSearch(query)}`);
      },
    );
}

/** The path of a call; refused where it is another route's, or no URL can carry it. */
function formatPath(segments: readonly Segment[], params: unknown, rivals: readonly Rival[]): string {
  const values = params === undefined ? {} : toFields(params, "params");
  const rival = rivals.length === 0
    ? undefined
    : rivals.find(({ literals }) => literals.every(([name, literal]) => String(values[name]) === literal));
  if (rival) throw new TypeError(`the server answers with ${rival.key} where params are these; call that instead`);
  let path = "";
  for (const segment of segments) {
    path += `/${"literal" in segment ? segment.literal : formatParameter(segment.parameter, values)}`;
  }
  return path || "/";
}

function formatParameter(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const encoded = isTextValue(value) ? encodeSegment(String(value)) : undefined;
  if (encoded !== undefined) return encoded;
  const state = value === undefined ? "missing" : isTextValue(value) ? "nothing that a URL can carry" : "no text";
  throw new TypeError(`the path parameter ${name} is ${state}`);
}

function formatSearch(query: unknown): string {
  const fields = query === undefined ? [] : toTextPairs(query, "the query");
  return fields.length === 0 ? "" : `?${formatQuery(fields)}`;
}
