/** The routes as Express has them. Those that have moved can be deleted: their requests no longer come here. */
// @ts-types="@types/express"
import { type Request, type RequestHandler, Router } from "express";
// @ts-types="@types/express-session"
import type { SessionData } from "express-session";
import type { Store } from "./store.ts";

/** A request with the session that `express-session` adds. */
interface SessionRequest extends Request {
  readonly session: Request["session"] & Partial<SessionData> & { user?: string };
}

/** Returns the user of the session. `undefined` if nobody has signed in. */
export function userOf(request: Request): string | undefined {
  return (request as SessionRequest).session.user;
}

const requireUser: RequestHandler = (request, response, next) => {
  if (userOf(request) === undefined) response.status(401).json({ message: "Sign in first" });
  else next();
};

/** How the service reaches its database. The health check shows it, which its document does not say. */
const database = { host: "db.internal", user: "shop", password: "of the example" };

/** Creates the router of all twelve routes. */
export function createOldRoutes({ products, orders, nextId }: Store): Router {
  const routes = Router();
  routes.get("/health", (_request, response) => void response.json({ ok: true, database }));

  routes.post("/session", (request, response) => {
    const { user } = request.body ?? {};
    if (typeof user !== "string" || user === "") return void response.status(400).json({ message: "Who are you?" });
    (request as SessionRequest).session.user = user;
    response.status(204).end();
  });
  routes.get("/session", requireUser, (request, response) => void response.json({ user: userOf(request) }));
  routes.delete("/session", (request, response) => request.session.destroy(() => void response.status(204).end()));

  routes.get("/products", (_request, response) => void response.json([...products.values()]));
  routes.post("/products", requireUser, (request, response) => {
    const { name, cents } = request.body ?? {};
    if (typeof name !== "string" || !Number.isInteger(cents)) {
      return void response.status(400).json({ message: "Invalid" });
    }
    const product = { id: nextId(), name, cents };
    products.set(product.id, product);
    response.status(201).json(product);
  });
  routes.get("/products/:id", (request, response) => {
    const product = products.get(request.params.id);
    if (product === undefined) return void response.status(404).json({ message: "No such product" });
    response.json(product);
  });
  routes.patch("/products/:id", requireUser, (request, response) => {
    const product = products.get(String(request.params.id));
    if (product === undefined) return void response.status(404).json({ message: "No such product" });
    const changed = { ...product, ...request.body };
    products.set(product.id, changed);
    response.json(changed);
  });
  routes.delete("/products/:id", requireUser, (request, response) => {
    if (!products.delete(String(request.params.id))) {
      return void response.status(404).json({ message: "No such product" });
    }
    response.status(204).end();
  });

  routes.get("/orders", requireUser, (_request, response) => void response.json([...orders.values()]));
  routes.post("/orders", requireUser, (request, response) => {
    const { product, quantity } = request.body ?? {};
    if (!products.has(product)) return void response.status(404).json({ message: "No such product" });
    const order = { id: nextId(), product, quantity };
    orders.set(order.id, order);
    response.status(201).json(order);
  });
  routes.get("/orders/:id", requireUser, (request, response) => {
    const order = orders.get(String(request.params.id));
    if (order === undefined) return void response.status(404).json({ message: "No such order" });
    response.json(order);
  });
  return routes;
}
