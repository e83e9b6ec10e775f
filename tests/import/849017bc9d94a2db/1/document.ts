import type { OpenApiOptions } from "@scope/api/openapi";
import type { contract } from "./contract.ts";

/** The options of `openApiDocument()` that say what the contract does not. */
export const document: OpenApiOptions<typeof contract> = {
  info: { title: "Values", version: "1.0.0" },
  docs: { all: { send: {} } },
};
