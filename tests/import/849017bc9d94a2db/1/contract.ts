import { defineContract, router } from "@scope/api";
import * as all from "./all.ts";
import type { Api } from "./contract.types.ts";

/** Values 1.0.0 */
export const contract: Api = defineContract({
  routes: { all: router("/", { docs: { tags: ["All"] }, routes: all }) },
});
