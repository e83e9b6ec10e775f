/**
 * For any fault of the user's code at any time: the response follows from a plain reading of the rules, `onError` is
 * called once for each 5xx, the response contains nothing of the request or of an error, and every rejection is
 * handled.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { canary, foretell, mountPlan, type Plan, plans, requestOf, tellings } from "./plan.ts";
import { rejectionsOf, settled } from "../support/rejections.ts";

const codes: Readonly<Record<number, readonly string[]>> = {
  400: ["invalid-body", "invalid-request"],
  413: ["body-too-large"],
  415: ["unsupported-media-type"],
  500: ["internal-error"],
};

// proves promises | A handler runs only after validation; the status is declared or the adapter's own, whatever any
//   step does, synchronously or not
Deno.test("createFetchHandler() follows the rules whatever each step does, synchronously or not", async () => {
  const unhandled = await rejectionsOf(async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { handler, ran, heard } = mountPlan(plan);
        const answer = await handler(requestOf(plan));
        if (plan.middleware.some(goesOnAlone)) await settled();
        const expected = foretell(plan);
        assertEquals({ status: answer.status, ran, told: tellings(heard) }, expected);
        await assertSilent(answer);
      }),
      tries(300),
    );
  });
  assertEquals(unhandled, []);
});

/** Whether a middleware returns without waiting for a call of `next` that it started. */
function goesOnAlone({ deed }: Plan["middleware"][number]): boolean {
  return deed === "ignore" || deed === "twice";
}

/**
 * Asserts that a response contains nothing of the request or of an error, and is the adapter's own unless a handler
 * returned it.
 */
async function assertSilent(answer: Response): Promise<void> {
  const text = await answer.text();
  assert(!`${[...answer.headers].join()}${answer.statusText}${text}`.toLowerCase().includes(canary), text);
  const allowed = codes[answer.status];
  if (allowed) assert(allowed.includes(JSON.parse(text).code), text);
  else assert([200, 202, 503].includes(answer.status), String(answer.status));
}

/** The steps that can be stuck while the client is there. */
const stuck = fc.constantFrom(
  ...["params", "query", "headers", "body", "contextInput", "context", "middleware 0", "handler", "output"],
);

// proves promises | After a client disconnects, no further step starts
Deno.test("createFetchHandler() starts no further step after a disconnect during a stuck one, and does not report it", async () => {
  const unhandled = await rejectionsOf(async () => {
    await fc.assert(
      fc.asyncProperty(plans, stuck, fc.boolean(), async (plan, step, isDeaf) => {
        const whole: Plan = { ...plan, sent: "json" };
        const gone = new AbortController();
        const never = Promise.withResolvers<void>();
        let isReached = false;
        const mounted = mountPlan(whole, (name) => {
          if (name !== step || gone.signal.aborted) return undefined;
          isReached = true;
          return isDeaf
            ? never.promise
            : new Promise((resolve) => gone.signal.addEventListener("abort", () => resolve()));
        });
        const answer = Promise.resolve(mounted.handler(requestOf(whole, gone.signal)));
        await settled();
        const began = mounted.ran.length;
        const told = mounted.heard.length;
        gone.abort();
        await settled();
        never.resolve(); // code that ignores the signal finishes at last
        const { status } = await answer;
        await settled();
        if (!isReached || whole.middleware.some(goesOnAlone)) return;
        assertEquals(mounted.heard.length, told);
        const later = mounted.ran.slice(began);
        if (step === "handler" || step === "output") assert([200, 202, 499].includes(status), String(status));
        else if (step !== "middleware 0") assertEquals([status, later], [499, []]);
        else assertEquals(later, []);
      }),
      tries(150),
    );
  });
  assertEquals(unhandled, []);
});
