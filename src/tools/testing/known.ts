/** The things that are known to exist on a server: from the user, and from responses. */
import type { RouteNode } from "../../contract/node.ts";
import { Refusal } from "../../fetch/response.ts";
import { createRouteTable, matchRoute, type RouteTable } from "../../fetch/route_table.ts";
import { parameterNames } from "../../path.ts";
import type { AnsweredRequest } from "./answered_request.ts";
import { pathOf } from "./wire_request.ts";

/** Texts by name. */
type Texts = Readonly<Record<string, string>>;

/** How many things are remembered for each route and each name. Newer ones replace older ones. */
const maxKnown = 16;

/** The things that are known to exist. */
export class Known {
  readonly #paths = new Map<string, Texts[]>();
  readonly #names = new Map<string, string[]>();
  readonly #tags = new Map<string, string>();

  /** Returns path parameters that identify something, by the key of a route. */
  pathsOf(key: string): readonly Texts[] {
    return this.#paths.get(key) ?? [];
  }

  /** Returns the values of members that have the name of a path parameter. */
  valuesOf(name: string): readonly string[] {
    return this.#names.get(name) ?? [];
  }

  /** Returns the last entity tag of a path. */
  tagOf(path: string): string | undefined {
    return this.#tags.get(path);
  }

  /** Remembers path parameters that identify something. */
  addPath(key: string, params: Texts): void {
    add(this.#paths, key, params);
  }

  /** Remembers the value of a member that has the name of a path parameter. */
  addValue(name: string, value: string): void {
    if (!this.valuesOf(name).includes(value)) add(this.#names, name, value);
  }

  /** Remembers the entity tag of a path. */
  setTag(path: string, tag: string): void {
    this.#tags.set(path, tag);
  }
}

function add<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  lists.set(key, [item, ...(lists.get(key) ?? [])].slice(0, maxKnown));
}

/** Finds the routes of a path. */
export interface Locator {
  /** Returns the routes that match the path of a URL, with their parameters. */
  readonly locate: (path: string) => readonly Located[];
  /** Returns the path in the header `location`, if it leads to the same server. `from` is the path of the request. */
  readonly resolve: (headers: Headers, from: string) => string | undefined;
  /** The names of all path parameters. */
  readonly names: ReadonlySet<string>;
}

/** A route with the parameters of a path. */
interface Located {
  readonly node: RouteNode;
  readonly params: Readonly<Record<string, string>>;
}

/** Creates a locator from the route table that servers use. */
export function createLocator(nodes: readonly RouteNode[], baseUrl: string): Locator {
  const table: RouteTable<RouteNode> = createRouteTable(nodes.map((node) => ({ node, target: node })));
  const methods = [...new Set(nodes.map(({ method }) => method))];
  const locate = (path: string): Located[] =>
    methods.flatMap((method) => {
      const match = matchRoute(table, method, `http://localhost${path}`);
      return match instanceof Refusal ? [] : [{ node: match.target, params: match.params }];
    });
  const resolve = (headers: Headers, from: string): string | undefined => {
    const location = headers.get("location");
    const url = location === null ? null : URL.parse(location, `${baseUrl}${from}`);
    return url?.href.startsWith(`${baseUrl}/`) ? pathOf(url.href.slice(baseUrl.length)) : undefined;
  };
  return { locate, resolve, names: new Set(nodes.flatMap(({ path }) => parameterNames(path))) };
}

/** Remembers what an exchange reveals. */
export function learn({ request, answer, plan }: AnsweredRequest, known: Known, locator: Locator): void {
  const { status, headers } = answer;
  if (status < 200 || status >= 300 || !plan) return;
  const own = pathOf(request.path);
  const isCreated = status === 201 || status === 202;
  const created = isCreated ? locator.resolve(headers, request.path) : undefined;
  const place = created ?? own;
  if (request.method !== "DELETE") {
    for (const { node, params } of locator.locate(place)) known.addPath(node.key, params);
    for (const { params } of locator.locate(place).slice(0, 1)) addValues(params, known);
    const tag = headers.get("etag");
    if (tag !== null) known.setTag(place, tag);
  }
  if (plan.node.responses[status]?.representation.describes === "value") learnMembers(answer.body, known, locator);
}

function addValues(params: Readonly<Record<string, string>>, known: Known): void {
  for (const [name, value] of Object.entries(params)) known.addValue(name, value);
}

const maxLearned = 65_536;

function learnMembers(body: Uint8Array, known: Known, { names }: Locator): void {
  if (body.length > maxLearned || names.size === 0) return;
  try {
    visit(JSON.parse(new TextDecoder().decode(body)), 3);
  } catch {
    return; // not JSON
  }

  function visit(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null || depth === 0) return;
    for (const [name, member] of Object.entries(value).slice(0, 32)) {
      if (names.has(name) && (typeof member === "string" || typeof member === "number")) {
        known.addValue(name, `${member}`);
      } else visit(member, depth - 1);
    }
  }
}
