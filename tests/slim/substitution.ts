/** Part of the run on slim contracts only: it fails if `@scope/api/client` is the entry point itself. */
import { createClient } from "@scope/api/client";
import { assert } from "@std/assert";
import { createClient as createWhole } from "../../client.ts";

Deno.test("the tests run with slim contracts", () => {
  assert(createClient !== createWhole);
});
