import { defineContract, router } from "@scope/api";
import * as items from "./items.ts";

/** Shop 1.0.0 */
export const contract = defineContract({
  routes: { items: router("/", { docs: { tags: ["items"] }, routes: items }) },
});
