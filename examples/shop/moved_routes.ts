/** The half that has moved: the products, and the list of orders. */
import type { Implementation } from "@scope/api/server";
import { defineServer } from "@scope/api/server";
import { contract } from "./contract.ts";
import type { Store } from "./store.ts";

/** What the handlers need of a request of Express. */
export interface Session {
  /** The user of the session. `undefined` if nobody has signed in. */
  readonly user: string | undefined;
}

/** Implements six of the twelve routes. */
export function createMovedRoutes({ products, orders, nextId }: Store): Implementation<Session> {
  const server = defineServer(contract, {
    context: ({ user }: Session) => ({ user }),
    refuse: ({ problem, status, response }) => status && response(status, { message: problem.code }),
  });
  // every route with this 401 that changes something, or reads orders, is for users
  const members = server.at(contract.routes.products).use(({ context: { user }, route, next, response }) =>
    route.method === "GET" || user !== undefined ? next() : response(401, { message: "Sign in first" })
  );
  return server.partial({
    products: members.implement({
      list: ({ response }) => response(200, [...products.values()]),
      add: ({ body, response }) => {
        const product = { id: nextId(), ...body };
        products.set(product.id, product);
        return response(201, product);
      },
      byId: ({ params, response }) => {
        const product = products.get(params.id);
        return product ? response(200, product) : response(404, { message: "No such product" });
      },
      change: ({ params, body: { name, cents }, response }) => {
        const product = products.get(params.id);
        if (!product) return response(404, { message: "No such product" });
        const changed = { ...product, name: name ?? product.name, cents: cents ?? product.cents };
        products.set(product.id, changed);
        return response(200, changed);
      },
      remove: ({ params, response }) =>
        products.delete(params.id) ? response(204) : response(404, { message: "No such product" }),
    }),
    orders: {
      list: ({ context: { user }, response }) =>
        user === undefined ? response(401, { message: "Sign in first" }) : response(200, [...orders.values()]),
    },
  });
}
