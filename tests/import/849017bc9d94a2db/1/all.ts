import { request, response, route } from "@scope/api";
import * as v from "valibot";
import { toSchema } from "./valibot.ts";

export const send = route.post("/values", {
  body: request.json(toSchema(
    v.union([v.array(v.array(v.unknown())), v.array(v.record(v.string(), v.unknown()))]),
  )),
  responses: {
    200: response.json(toSchema(
      v.union([v.array(v.array(v.unknown())), v.array(v.record(v.string(), v.unknown()))]),
    )),
  },
  docs: { operationId: "send" },
});
