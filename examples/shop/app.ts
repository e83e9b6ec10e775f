/** The application of Express, with its session and its body parser, before and after half of its routes have moved. */
import { createNodeHandler, type NodeExchange } from "@scope/api/node";
// @ts-types="@types/express"
import express, { type Express, type Request } from "express";
// @ts-types="@types/express-session"
import session from "express-session";
import { createMovedRoutes } from "./moved_routes.ts";
import { createOldRoutes, userOf } from "./old_routes.ts";
import { createStore } from "./store.ts";

/** Creates the application. */
export function createApp({ isMoved }: { readonly isMoved: boolean }): Express {
  const store = createStore();
  const app = express();
  app.use(session({ secret: "of the example", resave: false, saveUninitialized: false, name: "sid" }));
  app.use(express.json());
  if (isMoved) {
    const moved = createNodeHandler(createMovedRoutes(store), {
      contextInput: ({ req }: NodeExchange<Request>) => ({ user: userOf(req) }),
    });
    app.use("/api", moved); // what it has no route for goes on
  }
  app.use("/api", createOldRoutes(store));
  return app;
}
