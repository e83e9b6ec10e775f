import { assertEquals, assertInstanceOf } from "@std/assert";
import { type Awaitable, whenReady } from "../../src/awaitable.ts";
import { FetchExchange } from "../../src/fetch/fetch_handler.ts";
import { disconnected, type Sent } from "../../src/server/http/answer.ts";
import { planSteps, runSteps, type Step } from "../../src/server/http/exchange.ts";
import { type ErrorPhase, type Outcome, Stop } from "../../src/server/define/result.ts";

const phases = ["context", "decode", "handler"] as const;

class Refused extends Stop {}

/** Runs a step for each phase, one of which acts differently. Returns which steps ran, and how they ended. */
function runPhases(odd: ErrorPhase | undefined, act: () => Outcome<void>): readonly [string[], Awaitable<unknown>] {
  const taken: string[] = [];
  const ends: unknown[] = [];
  const exchange = new FetchExchange(new Request("http://localhost/"), [], false);
  const steps = phases.map((phase): Step => ({
    phase,
    take(): Outcome<void> {
      taken.push(phase);
      return phase === odd ? act() : undefined;
    },
  }));
  const conclude = (end: Stop | void): Sent => {
    ends.push(end && ("phase" in end ? `failed in ${end.phase}` : end.constructor.name));
    return disconnected;
  };
  return [taken, whenReady(runSteps({ steps: planSteps(steps), conclude }, exchange), () => ends)];
}

Deno.test("runSteps() runs all steps in order, synchronously if all are synchronous", async () => {
  assertEquals(runPhases(undefined, () => {}), [[...phases], [undefined]]);
  const [taken, waiting] = runPhases("context", () => Promise.resolve());
  assertInstanceOf(waiting, Promise);
  assertEquals(taken, ["context"]);
  assertEquals(await waiting, [undefined]);
  assertEquals(taken, [...phases]);
});

Deno.test("runSteps() ends at the step that returns a stop, throws or rejects, in the phase of that step", async () => {
  for (const [index, phase] of phases.entries()) {
    const runs = [
      runPhases(phase, () => new Refused()),
      runPhases(phase, () => Promise.resolve(new Refused())),
      runPhases(phase, () => {
        throw new Error("thrown");
      }),
      runPhases(phase, () => Promise.reject(new Error("rejected"))),
    ];
    assertEquals(runs.map(([, end]) => end instanceof Promise), [false, true, false, true]);
    const ends = await Promise.all(runs.map(([, end]) => end));
    assertEquals(ends, [["Refused"], ["Refused"], [`failed in ${phase}`], [`failed in ${phase}`]]);
    for (const [taken] of runs) assertEquals(taken, phases.slice(0, index + 1));
  }
});
