import { assertEquals } from "@std/assert";
import { normalizeImports } from "./sources.ts";

Deno.test("normalizeImports() makes the sources that dnt copies equal to those of the project", () => {
  const source = `import { type Schema } from "../schema.ts";
import "./effects.ts";
export { route } from "./src/contract/route.ts";
export type Late = import("./late.ts").Late;
`;
  assertEquals(normalizeImports(source.replaceAll(".ts", ".js")), source);
  assertEquals(normalizeImports(source), source);
});

Deno.test("normalizeImports() changes neither packages nor other text", () => {
  const source = `import { build } from "packer/build.js";
const file = "./main.js"; // from ./main.js
`;
  assertEquals(normalizeImports(source), source);
});
