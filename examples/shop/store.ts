import type { Order, Product } from "./contract.ts";

/** What the service stores. Both halves use it. */
export interface Store {
  readonly products: Map<string, Product>;
  readonly orders: Map<string, Order>;
  /** Returns the id of the next entry. */
  readonly nextId: () => string;
}

/** Creates a store with one product. */
export function createStore(): Store {
  let last = 1;
  return {
    products: new Map([["1", { id: "1", name: "Tea", cents: 450 }]]),
    orders: new Map(),
    nextId: () => String(++last),
  };
}
