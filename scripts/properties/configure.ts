/**
 * Is loaded before property tests: how often properties are tried, and from which seed, where their tests do not say. Those of
 * `tests/hostile` say, by the same variables.
 */
import fc from "fast-check";

const usual = 100; // fast-check's own

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: usual * Number(Deno.env.get("PROPERTY_TIMES") ?? 1),
  seed: Number(Deno.env.get("PROPERTY_SEED") ?? Date.now()),
});
