import { type Awaitable, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { parsePath } from "../path.ts";
import { encodeSegment } from "../wire/pathname.ts";
import { formatQuery } from "../wire/query.ts";
import { isTextValue, toFields, toTextPairs } from "../wire/text_fields.ts";
import { planSlot } from "./encode_slot.ts";
import { findRivals, type Rival } from "./rivals.ts";

/** What the URL of a call is made of. */
export interface UrlValues {
  readonly params?: unknown;
  readonly query?: unknown;
}

/** The URL of a call, at once unless a codec is asynchronous. */
export type ToUrl = (base: string, input: UrlValues) => Awaitable<string>;

/** Works out how the calls of a route become URLs; `nodes` are all routes of the contract. */
export function planUrl(node: RouteNode, nodes: readonly RouteNode[]): ToUrl {
  const { literals, names } = splitPath(node.path);
  let rivals: readonly Rival[] | undefined; // found at the first call, for most clients call few of a contract's routes
  const encodeParams = planSlot(node.params, "params");
  const encodeQuery = planSlot(node.query, "query");
  const toPathUrl = (base: string, params: unknown): string => {
    const values = params === undefined ? {} : toFields(params, "params");
    refuseRivals(values, rivals ??= findRivals(node, nodes));
    let url = base + literals[0];
    for (let index = 0; index < names.length; index++) {
      url += formatParameter(names[index]!, values) + literals[index + 1];
    }
    return url;
  };
  return (base, { params = {}, query = {} }) =>
    whenReady(encodeParams(params), (encoded) => {
      const url = toPathUrl(base, encoded);
      return node.query ? whenReady(encodeQuery(query), (fields) => url + formatSearch(fields)) : url;
    });
}

/** The text around a path's parameters, escaped, and their names. */
function splitPath(path: string): { readonly literals: readonly string[]; readonly names: readonly string[] } {
  const literals = [""];
  const names: string[] = [];
  for (const segment of parsePath(path)) {
    literals[names.length] += "literal" in segment ? `/${encodeURI(segment.literal)}` : "/";
    if ("parameter" in segment) literals[names.push(segment.parameter)] = "";
  }
  return { literals: literals[0] === "" ? ["/"] : literals, names };
}

/** Refuses parameters with which the path is another route's. */
function refuseRivals(values: ParamValues, rivals: readonly Rival[]): void {
  if (rivals.length === 0) return;
  const rival = rivals.find(({ literals }) => literals.every(([name, literal]) => String(values[name]) === literal));
  if (rival) throw new TypeError(`the server answers with ${rival.key} where params are these; call that instead`);
}

type ParamValues = Readonly<Record<string, unknown>>;

function formatParameter(name: string, values: ParamValues): string {
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
