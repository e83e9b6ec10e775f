import { assertEquals, assertInstanceOf } from "@std/assert";
import { type ErrorPhase, type Outcome, Stop } from "../../src/server/result.ts";
import { type PipelineStep, planPipeline } from "../../src/fetch/handler.ts";

const phases = ["decode", "context", "handler", "encode"] as const;

class Refused extends Stop {}

/** A pipeline whose steps each add their phase to a list, except one. */
function planPhases(odd: ErrorPhase | undefined, act: () => Outcome<string>): () => unknown {
  const toStep = (phase: ErrorPhase): PipelineStep<string, string, object> => ({
    phase,
    take: (done) => phase === odd ? act() : `${done} ${phase}`,
  });
  const [first, second, third, fourth] = phases;
  const steps = [toStep(first), toStep(second), toStep(third), toStep(fourth)] as const;
  const run = planPipeline(steps, (stop) => "phase" in stop ? `failed in ${stop.phase}` : stop.constructor.name);
  return () => run("started", {});
}

Deno.test("planPipeline() runs all steps in order, synchronously if all are synchronous", async () => {
  assertEquals(planPhases(undefined, () => "")(), "started decode context handler encode");
  const waiting = planPhases("context", () => Promise.resolve("waited"))();
  assertInstanceOf(waiting, Promise);
  assertEquals(await waiting, "waited handler encode");
});

Deno.test("planPipeline() ends at the step that returns a stop, throws or rejects, in the phase of that step", async () => {
  for (const phase of phases) {
    const ends = [
      planPhases(phase, () => new Refused())(),
      planPhases(phase, () => Promise.resolve(new Refused()))(),
      planPhases(phase, () => {
        throw new Error("thrown");
      })(),
      planPhases(phase, () => Promise.reject(new Error("rejected")))(),
    ];
    assertEquals(ends.map((end) => end instanceof Promise), [false, true, false, true]);
    assertEquals(await Promise.all(ends), ["Refused", "Refused", `failed in ${phase}`, `failed in ${phase}`]);
  }
});
