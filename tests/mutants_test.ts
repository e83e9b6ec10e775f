import { assert, assertEquals } from "@std/assert";
import { listJobs } from "../scripts/mutants/jobs.ts";

Deno.test("every mutant of `deno task mutate` applies to the source, and names tests that exist", async () => {
  const { jobs, faults } = await listJobs(new URL("../", import.meta.url));

  assert(jobs.length > 400);
  assertEquals(faults, []);
});
