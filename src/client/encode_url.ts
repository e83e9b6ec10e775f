/** The URL of a call, which must not match another route. */
import { type Awaitable, whenReady } from "../awaitable.ts";
import { codecClientOf } from "../contract/codec.ts";
import type { RouteNode } from "../contract/node.ts";
import { encodeSegment, parsePath, type Segment } from "../path.ts";
import type { Schema } from "../schema.ts";
import { formatQuery, isTextValue, toFields, toTextPairs } from "../wire/text_fields.ts";

/** The values that a URL is built from. */
export interface UrlValues {
  readonly params?: unknown;
  readonly query?: unknown;
}

/** Returns the URL of a call: synchronously, unless a codec is asynchronous. */
export type ToUrl = (base: string, input: UrlValues) => Awaitable<string>;

/** Plans how the calls of a route become URLs. `nodes` are all routes of the contract. */
export function planUrl(node: RouteNode, nodes: readonly RouteNode[]): ToUrl {
  const segments = parsePath(node.path).map((segment) => "literal" in segment ? encodeURI(segment.literal) : segment);
  let rivals: readonly Rival[] | undefined; // found at the first call, because most clients call few of a contract's routes
  const encodeParams = planSlot(node.params, "params");
  const encodeQuery = planSlot(node.query, "query");
  const toPathUrl = (base: string, params: unknown): string => {
    const values = params === undefined ? {} : toFields(params, "params");
    let path = "";
    for (const segment of segments) {
      path += `/${typeof segment === "string" ? segment : formatParameter(segment.parameter, values)}`;
    }
    rivals ??= findRivals(node, nodes);
    if (rivals.length > 0) checkRivals(rivals, path.slice(1).split("/"));
    return base + (path || "/");
  };
  return (base, { params = {}, query = {} }) =>
    whenReady(encodeParams(params), (encoded) => {
      const url = toPathUrl(base, encoded);
      return node.query ? whenReady(encodeQuery(query), (fields) => url + formatSearch(fields, node.query!)) : url;
    });
}

function formatParameter(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const encoded = isTextValue(value) ? encodeSegment(String(value)) : undefined;
  if (encoded !== undefined) return encoded;
  const state = value === undefined ? "is missing" : isTextValue(value) ? "is invalid in a URL" : "must be a string";
  throw new TypeError(`the path parameter ${name} ${state}`);
}

function formatSearch(query: unknown, { isSpaced }: Schema & { readonly isSpaced?: boolean }): string {
  const fields = query === undefined ? [] : toTextPairs(query, "the query");
  const text = formatQuery(fields);
  return text && `?${isSpaced ? text.replaceAll("+", "%20") : text}`; // RFC 6570 has no + between items
}

/** A route that the server matches instead of another one, if the other's parameters equal its literal segments. */
export interface Rival {
  /** The route's dotted key. */
  readonly key: string;
  readonly segments: readonly Segment[];
}

/** Finds the routes that a call of `node` could reach instead: `/users/me` if `/users/:id` is called with `me`. */
export function findRivals(node: RouteNode, nodes: readonly RouteNode[]): Rival[] {
  const own = parsePath(node.path);
  return nodes.filter(({ method }) => method === node.method || (node.method === "HEAD" && method === "GET"))
    .map(({ key, path }) => ({ key, segments: parsePath(path) }))
    .filter(({ segments }) => segments.length === own.length && isPreferred(segments, own));
}

/**
 * Returns whether the server prefers a path to another of the same length: where they first differ in kind, this one
 * has the literal.
 */
function isPreferred(path: readonly Segment[], other: readonly Segment[]): boolean {
  const differing = path.find((segment, index) => ("literal" in segment) !== ("literal" in other[index]!));
  return differing !== undefined && "literal" in differing;
}

/** Throws a `TypeError` if the encoded segments of a path match a rival. */
function checkRivals(rivals: readonly Rival[], segments: readonly string[]): void {
  const rival = rivals.find((rival) =>
    rival.segments.every((segment, index) =>
      "parameter" in segment || segment.literal === decodeURIComponent(segments[index]!)
    )
  );
  if (rival) throw new TypeError(`these params match the route ${rival.key}; call that instead`);
}

/** Returns the wire value of a slot. */
type EncodeSlot = (value: unknown) => Awaitable<unknown>;

/** Plans how a slot is encoded: by its codec, or not at all. */
export function planSlot(schema: Schema | undefined, name: string): EncodeSlot {
  const codec = codecClientOf(schema);
  return codec ? (value) => codec.encode(value, name) : (value) => value;
}
