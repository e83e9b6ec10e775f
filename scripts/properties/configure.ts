/** Is loaded before the tests: how often properties are tried, and from which seed, where their tests do not say. */
import fc from "fast-check";

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: Number(Deno.env.get("PROPERTY_RUNS")),
  seed: Number(Deno.env.get("PROPERTY_SEED")),
});
