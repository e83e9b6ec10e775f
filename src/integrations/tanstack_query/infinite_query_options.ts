import type { InfiniteData } from "@tanstack/query-core";
import { type AnyResult, type CallError, type SuccessfulResult, unwrapResult } from "../../client/result.ts";
import type { CallOptions } from "../../client/settings.ts";
import { describeConfidential } from "../../messages.ts";
import {
  type CallOf,
  checkCallOptions,
  type InputIn,
  type ReadAgainCheck,
  readQuery,
  toQueryKey,
  type TypedQueryKey,
} from "./calls.ts";

/** How the pages of an infinite query follow one another. */
export interface InfiniteQueryPages<Input, Success, Param> {
  /**
   * Returns the parameter of the next page, such as a cursor. It is called with a 2xx result and the parameter of that
   * page. Returns `undefined` or `null` after the last page.
   */
  readonly next: (result: Success, param: Param | undefined) => Param | null | undefined;
  /** Returns the input of the call for a page. The parameter of the first page is `undefined`. */
  readonly input: (param: Param | undefined) => Input;
}

/** A page of an infinite query. */
export interface Page<Body, Param> {
  /** The body of a 2xx result. */
  readonly body: Body;
  /** The parameter of the next page; `undefined` on the last page. */
  readonly next: Param | undefined;
}

/**
 * The data of an infinite query in the cache of TanStack Query.
 *
 * @internal
 */
export type PagesData<Data, Param> = InfiniteData<Data, Param | undefined>;

/**
 * The options of an infinite query, for `useInfiniteQuery`, `fetchInfiniteQuery` and other functions that accept them.
 */
export interface InfiniteQueryOptions<Data, Param, Failure> {
  /**
   * The parts of the route's key, the input of the first page, and `"infinite"`. The last part separates it from a
   * query with the same input, whose data differ.
   */
  readonly queryKey: TypedQueryKey<PagesData<Data, Param>, Failure>;
  /** Calls the route for a page. Rejects with a `ClientError` if the result is not 2xx. */
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: Param | undefined }) => Promise<Data>;
  /** The parameter of the first page: `undefined`. */
  readonly initialPageParam: Param | undefined;
  /** Returns the parameter of the next page, which each page contains. */
  readonly getNextPageParam: (page: Data) => Param | undefined;
  /** Never set. It declares the type of the error to TanStack Query. */
  readonly throwOnError?: (error: Failure) => boolean;
}

/**
 * Returns the options of an infinite query that calls a route for each page. `next` returns the parameter of the next
 * page, from the body or the headers of a result. `input` turns it into the input of a call. Each page contains the
 * `body` of a 2xx result; any other result becomes a `ClientError`. The options apply to each call. They exclude
 * `signal`, because TanStack Query aborts the call.
 *
 * @example Pages by a cursor, and by a link
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { infiniteQueryOptions, nextLinkQuery } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 * import { QueryClient } from "@tanstack/query-core";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     names: route.get("/names", {
 *       query: type({ "after?": "string" }),
 *       responses: { 200: response.json(type({ names: "string[]", "last?": "string" })) },
 *     }),
 *   },
 * });
 * const client = createClient(contract, {
 *   baseUrl: "https://api.example.com",
 *   fetch: ({ url }) => Response.json(url.endsWith("Ada") ? { names: ["Bob"] } : { names: ["Ada"], last: "Ada" }),
 * });
 *
 * const queries = new QueryClient();
 * const byCursor = infiniteQueryOptions(client.names, { next: ({ body }) => body.last, input: (after) => ({ query: { after } }) });
 * const { pages } = await queries.fetchInfiniteQuery({ ...byCursor, pages: 9 });
 * assertEquals(pages.flatMap(({ body }) => body.names), ["Ada", "Bob"]);
 * queries.clear();
 *
 * const byLink = infiniteQueryOptions(client.names, {
 *   next: (result) => nextLinkQuery(result)?.get("after"),
 *   input: (after) => ({ query: { after } }),
 * });
 * assertEquals<readonly unknown[]>(byLink.queryKey, ["names", "infinite"]);
 * ```
 *
 * @throws {TypeError} If a 2xx response of the route is a stream or raw, if `next` or `input` is not a function, if an
 * option is unknown, or for the reasons of {@linkcode queryKey}.
 */
export function infiniteQueryOptions<Args extends readonly unknown[], Result extends AnyResult, Param>(
  call: CallOf<Args, Result> & ReadAgainCheck<Result>,
  pages: InfiniteQueryPages<InputIn<Args>, SuccessfulResult<Result>, Param>,
  options?: Omit<CallOptions, "signal">,
): InfiniteQueryOptions<
  Page<SuccessfulResult<Result>["body"], Param>,
  Param,
  CallError<Exclude<Result, SuccessfulResult<Result>>>
> {
  const [declared, send] = readQuery(call, "infiniteQueryOptions");
  const { next, input } = checkPages(pages);
  checkCallOptions(options, "infiniteQueryOptions");
  const key: readonly unknown[] = [...toQueryKey(declared, input(undefined)), "infinite"]; // its tags exist only in types
  return {
    queryKey: key as TypedQueryKey<
      PagesData<Page<SuccessfulResult<Result>["body"], Param>, Param>,
      CallError<Exclude<Result, SuccessfulResult<Result>>>
    >,
    queryFn: async ({ signal, pageParam }) => {
      const result: AnyResult = unwrapResult(await send(input(pageParam), { ...options, signal }));
      // the contract types the result and its body
      const param = next(result as SuccessfulResult<Result>, pageParam) ?? undefined;
      return { body: result.body as SuccessfulResult<Result>["body"], next: param };
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next,
  };
}

/** Returns the functions of the pages. Throws a `TypeError` unless both are functions. */
function checkPages<Pages>(pages: Pages): Pages {
  for (const name of ["next", "input"]) {
    const found: unknown = Object(pages)[name];
    if (typeof found === "function") continue;
    throw new TypeError(`infiniteQueryOptions(): "${name}" must be a function, got ${describeConfidential(found)}`);
  }
  return pages;
}

/**
 * Returns the query of the link to the next page: the target with `rel="next"` in the `link` header of a result (RFC
 * 8288). Returns `undefined` if there is none. The URL itself is not requested: the next call sends what you copy from
 * the query.
 *
 * @example The cursor of the next page
 * ```ts
 * import { nextLinkQuery } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 *
 * const response = Response.json([], { headers: { link: '</tasks?after=42>; rel="next"' } });
 *
 * assertEquals(nextLinkQuery({ response })?.get("after"), "42");
 * ```
 *
 * @throws {TypeError} If the result has no response.
 */
export function nextLinkQuery(result: { readonly response: Response }): URLSearchParams | undefined {
  const { headers }: Partial<Response> = Object(Object(result).response);
  if (!headers) {
    throw new TypeError(`nextLinkQuery(): the result must have a "response", got ${describeConfidential(result)}`);
  }
  const target = findLink(headers.get("link") ?? "", "next");
  return target === undefined ? undefined : new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(target)?.[1]);
}

/** A link (RFC 8288): its target, then its parameters. Quoted text may contain the separators of links. */
const linkPattern = /<([^<>]*)>((?:[^,"<]|"(?:[^"\\]|\\.)*"?)*)/gs;

/** A parameter with a value: its name, then the value, quoted or bare. */
const parameterPattern = /;\s*([^\s=;,"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;,"]*))/gs;

/**
 * Returns the target of the first link with a relation type, which must be in lowercase. `undefined` if there is none.
 */
function findLink(field: string, relation: string): string | undefined {
  for (const [, target, text = ""] of field.matchAll(linkPattern)) {
    const parameters = readParameters(text);
    if (parameters.has("anchor")) continue; // it is a link of another resource (section 3.2)
    if (parameters.get("rel")?.toLowerCase().split(/\s+/).includes(relation)) return target;
  }
}

/** Returns the parameters of a link by lowercase name. If a name is repeated, the first one counts (section 3.3). */
function readParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, bare = ""] of text.matchAll(parameterPattern)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/gs, "$1") ?? bare);
  }
  return parameters;
}
