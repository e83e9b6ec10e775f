/** All routes of the service, the moved ones and the others, as an import of its OpenAPI document would declare them. */
import { defineContract, response, route, router } from "@scope/api";
import * as z from "zod";

const Product = z.object({ id: z.string(), name: z.string(), cents: z.int() }).meta({ id: "Product" });
const NewProduct = z.object({ name: z.string().min(1), cents: z.int().min(0) }).meta({ id: "NewProduct" });
const Order = z.object({ id: z.string(), product: z.string(), quantity: z.int() }).meta({ id: "Order" });
const Message = z.object({ message: z.string() }).meta({ id: "Message" });
const message = response.json(Message);

export type Product = z.infer<typeof Product>;
export type Order = z.infer<typeof Order>;

export const contract = defineContract({
  basePath: "/api",
  refusals: { 400: message },
  routes: {
    health: route.get("/health", { responses: { 200: response.json(z.object({ ok: z.boolean() })) } }),
    session: router("/session", {
      routes: {
        start: route.post("/", {
          body: z.object({ user: z.string().min(1) }),
          responses: { 204: response.empty(), 400: message },
        }),
        read: route.get("/", { responses: { 200: response.json(z.object({ user: z.string() })), 401: message } }),
        end: route.delete("/", { responses: { 204: response.empty() } }),
      },
    }),
    products: router("/products", {
      responses: { 401: message, 404: message },
      routes: {
        list: route.get("/", { responses: { 200: response.json(z.array(Product)) } }),
        add: route.post("/", { body: NewProduct, responses: { 201: response.json(Product) } }),
        byId: route.get("/:id", { responses: { 200: response.json(Product) } }),
        change: route.patch("/:id", { body: NewProduct.partial(), responses: { 200: response.json(Product) } }),
        remove: route.delete("/:id", { responses: { 204: response.empty() } }),
      },
    }),
    orders: router("/orders", {
      responses: { 401: message, 404: message },
      routes: {
        list: route.get("/", { responses: { 200: response.json(z.array(Order)) } }),
        add: route.post("/", {
          body: z.object({ product: z.string(), quantity: z.int().min(1) }),
          responses: { 201: response.json(Order) },
        }),
        byId: route.get("/:id", { responses: { 200: response.json(Order) } }),
      },
    }),
  },
});
