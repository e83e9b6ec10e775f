import { request, response, route } from "@scope/api";
import * as z from "zod";

export const send = route.post("/values", {
  body: request.json(z.union([
    z.array(z.record(z.string(), z.unknown())),
    z.array(z.array(z.unknown())),
  ])),
  responses: {
    200: response.json(z.union([
      z.array(z.record(z.string(), z.unknown())),
      z.array(z.array(z.unknown())),
    ])),
  },
  docs: { operationId: "send" },
});
