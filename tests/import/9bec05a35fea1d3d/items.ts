import { request, response, route, styled } from "@scope/api";
import * as v from "valibot";
import { toSchema } from "./valibot.ts";

export const replace = route.put("/items/:where", {
  body: request.formData(styled(
    toSchema(
      v.object({
        names: v.optional(v.array(v.string())),
        tags: v.optional(v.array(v.string())),
        range: v.object({ from: v.number() }),
      }),
    ),
    { tags: "comma", range: "json" },
  )),
  responses: { 204: response.empty() },
  docs: { operationId: "replace" },
});

export const find = route.post("/items/:where", {
  params: styled(
    toSchema(v.object({ where: v.object({ from: v.pipe(v.number(), v.integer()) }) })),
    { where: "json" },
  ),
  query: styled(
    toSchema(v.object({ also: v.optional(v.object({ from: v.number() })) })),
    { also: "json" },
  ),
  headers: styled(
    toSchema(v.object({ "x-also": v.optional(v.object({ from: v.boolean() })) })),
    { "x-also": "json" },
  ),
  body: request.form(styled(
    toSchema(
      v.object({
        names: v.optional(v.array(v.string())),
        tags: v.optional(v.array(v.string())),
        range: v.object({ from: v.number() }),
      }),
    ),
    { tags: "comma", range: "json" },
  )),
  responses: { 204: response.empty() },
  docs: { operationId: "find" },
});
