/** The things that are known to exist on a server: from the user, and from responses. */
import type { RouteNode } from "../../contract/node.ts";
import { Refusal } from "../../server/http/answer.ts";
import { createRouteTable, matchRoute, type RouteTable } from "../../server/http/route_table.ts";
import { parameterNames } from "../../path.ts";
import { pathOf } from "./wire_request.ts";

type KnownTexts = Readonly<Record<string, string>>;

/** How many things are remembered for each route and each name. Newer ones replace older ones. */
const maxKnown = 16;

export interface Known {
  readonly paths: Map<string, readonly KnownTexts[]>;
  /** The values of members that have the name of a path parameter, by name. */
  readonly values: Map<string, readonly string[]>;
  /** All values that were among these, also older ones. */
  readonly seen: Set<string>;
  readonly tags: Map<string, string>;
}

export function createKnown(): Known {
  return { paths: new Map(), values: new Map(), seen: new Set(), tags: new Map() };
}

export function addKnown<Item>(lists: Map<string, readonly Item[]>, key: string, item: Item): void {
  lists.set(key, [item, ...(lists.get(key) ?? [])].slice(0, maxKnown));
}

export interface Locator {
  readonly locate: (path: string) => readonly { readonly node: RouteNode; readonly params: KnownTexts }[];
  /** Returns the path in the header `location`, if it leads to the same server. `from` is the path of the request. */
  readonly resolve: (headers: Headers, from: string) => string | undefined;
  readonly names: ReadonlySet<string>;
}

export function createLocator(nodes: readonly RouteNode[], baseUrl: string): Locator {
  const table: RouteTable<RouteNode> = createRouteTable(nodes.map((node) => ({ node, target: node })));
  const methods = [...new Set(nodes.map(({ method }) => method))];
  const locate: Locator["locate"] = (path) =>
    methods.flatMap((method) => {
      const match = matchRoute(table, method, path, 0);
      return match instanceof Refusal ? [] : [{ node: match.target, params: match.params }];
    });
  const resolve = (headers: Headers, from: string): string | undefined => {
    const location = headers.get("location");
    const base = `${baseUrl}${from}`;
    if (location === null || !URL.canParse(location, base)) return undefined;
    const { href } = new URL(location, base);
    return href.startsWith(`${baseUrl}/`) ? pathOf(href.slice(baseUrl.length)) : undefined;
  };
  return { locate, resolve, names: new Set(nodes.flatMap(({ path }) => parameterNames(path))) };
}
