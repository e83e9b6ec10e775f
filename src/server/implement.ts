import { type RouteNode } from "../contract/node.ts";
import { describeValue } from "../describe_value.ts";
import { isMarked, markAs } from "../mark.ts";
import { type Endpoint } from "./endpoint.ts";
import { type Implementation } from "./implementation.ts";

/** The members that a server adds to each of its endpoints. */
export type ServerPart = Pick<Endpoint, "createContext" | "verifiers" | "guards" | "middleware" | "shared" | "refuse">;

/**
 * Pairs a node of a contract with its implementation: returns an endpoint for every route below it. Throws one
 * `TypeError` that lists all mistakes.
 *
 * @param key The dotted key of the node. Empty for the whole contract.
 */
export function implementNode(
  node: unknown,
  key: string,
  tree: unknown,
  part: ServerPart,
): Implementation<never> {
  const endpoints: Endpoint[] = [];
  const found: Found = {
    handler: (node, handle) => {
      const route = Object.freeze({ key: node.key, method: node.method, path: node.path });
      endpoints.push({ node, route, handle, ...part });
    },
    fragment: (fragment) => void endpoints.push(...fragment.endpoints),
  };
  const amiss = [...pair({ node, key }, tree, found)];
  if (amiss.length > 0) throw new TypeError(`server.implement(): ${amiss.join("; ")}`);
  return markAs("implementation", { node, endpoints: Object.freeze(endpoints), refuse: part.refuse });
}

/** The dotted key of a node in a tree, empty for the tree itself. `undefined` if the tree does not contain it. */
export function findKey(tree: unknown, node: unknown, key = ""): string | undefined {
  if (tree === node) return key;
  if (!isMarked(tree, "router")) return undefined;
  for (const [child, below] of Object.entries(tree)) {
    const found = findKey(below, node, joinKey(key, child));
    if (found !== undefined) return found;
  }
  return undefined;
}

function joinKey(key: string, child: string): string {
  return key === "" ? child : `${key}.${child}`;
}

/** Creates the endpoints of handlers and fragments. */
interface Found {
  readonly handler: (node: RouteNode, handle: Endpoint["handle"]) => void;
  readonly fragment: (fragment: Implementation<never>) => void;
}

/** A route or router, with the dotted key that messages use. */
interface KeyedNode {
  readonly node: unknown;
  readonly key: string;
}

/** Walks nodes and their implementations in parallel. Yields each mistake, with its dotted key. */
function* pair({ node, key }: KeyedNode, entry: unknown, found: Found): Generator<string> {
  if (isMarked(entry, "implementation")) {
    const fragment = entry as Implementation<never>;
    if (fragment.node === node) found.fragment(fragment);
    else yield `${key} must be a fragment of ${key} in this contract, got one of another route or router`;
  } else if (isMarked(node, "route")) {
    if (typeof entry === "function") found.handler(node as RouteNode, entry as Endpoint["handle"]);
    else yield `${key} ${entry === undefined ? "is missing" : `must be a function, got ${describeValue(entry)}`}`;
  } else if (entry === null || (entry !== undefined && typeof entry !== "object")) {
    yield `${key || "the argument"} must be an object of handlers, got ${describeValue(entry)}`;
  } else {
    yield* pairChildren({ node, key }, (entry ?? {}) as Children, found); // if a router is missing, each of its handlers is
  }
}

type Children = Readonly<Record<string, unknown>>;

function* pairChildren({ node, key }: KeyedNode, entries: Children, found: Found): Generator<string> {
  const nodes = node as Children;
  for (const child of Object.keys(nodes)) {
    const entry = Object.hasOwn(entries, child) ? entries[child] : undefined;
    yield* pair({ node: nodes[child], key: joinKey(key, child) }, entry, found);
  }
  for (const child of Object.keys(entries)) {
    if (!Object.hasOwn(nodes, child)) yield `${joinKey(key, child)} is not in the contract; remove it`;
  }
}
