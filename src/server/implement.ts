import { type Contract } from "../contract/contract.ts";
import { type RouteNode } from "../contract/node.ts";
import { isMarked } from "../mark.ts";
import { type ContextFactory, type Endpoint } from "./endpoint.ts";

/** An endpoint for every route of a contract, or one `TypeError` that lists every leaf of `handlers` that is amiss. */
export function toEndpoints(
  contract: Contract,
  handlers: unknown,
  createContext: ContextFactory | undefined,
): Endpoint[] {
  const endpoints: Endpoint[] = [];
  const found: Found = (node, handle) => {
    const route = Object.freeze({ key: node.key, method: node.method, path: node.path });
    endpoints.push({ node, route, handle, createContext });
  };
  const amiss = [...pair(contract.routes, handlers, "", found)];
  if (amiss.length === 0) return endpoints;
  throw new TypeError(`Cannot implement the contract: ${amiss.join("; ")}`);
}

type Found = (node: RouteNode, handle: Endpoint["handle"]) => void;

/** Walks routes and handlers side by side; yields what is amiss, by dotted key. */
function* pair(node: unknown, entry: unknown, key: string, found: Found): Generator<string> {
  if (isMarked(node, "route")) {
    if (typeof entry === "function") found(node as RouteNode, entry as Endpoint["handle"]);
    else yield entry === undefined ? `${key} is missing; write a function` : `${key} is no function; write a function`;
    return;
  }
  if (entry === null || (entry !== undefined && typeof entry !== "object")) {
    yield `${key || "the tree"} is no object; write an object of handlers`;
    return;
  }
  const nodes = node as Record<string, unknown>;
  const entries = (entry ?? {}) as Record<string, unknown>; // of a missing router every handler is missing
  const below = (child: string): string => key === "" ? child : `${key}.${child}`;
  for (const child of Object.keys(nodes)) {
    yield* pair(nodes[child], Object.hasOwn(entries, child) ? entries[child] : undefined, below(child), found);
  }
  for (const child of Object.keys(entries)) {
    if (!Object.hasOwn(nodes, child)) yield `${below(child)} is unknown; the contract has no such route`;
  }
}
