import { defineContract, response, route, security } from "@scope/api";
import { type } from "arktype";

export const token = security.bearer("token");

const numbers = response.socket({
  fromClient: type("number"),
  fromServer: type({ id: "number", text: "string" }),
  closes: { 4001: "Enough" },
});

export const contract = defineContract({
  basePath: "/api",
  security: [],
  routes: {
    room: route.get("/rooms/:room", {
      query: type({ "after?": "string.integer.parse" }),
      responses: { 101: numbers, 404: response.json(type({ message: "string" })) },
    }),
    whoami: route.get("/whoami", { security: [token], responses: { 101: numbers, 401: response.problem() } }),
  },
});
