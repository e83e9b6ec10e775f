/**
 * Faults of the user's code in any step, synchronously or not: the response follows the rules, `onError` is called once
 * for each 5xx, the response contains nothing of the request or of an error, and every rejection is handled.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { canary, type Pace, paces } from "../support/paces.ts";
import { rejectionsOf, settled } from "../support/rejections.ts";
import { tries } from "../support/tries.ts";
import { type bodies, createRequest, type Deeds, mountSteps, type StepName, steps } from "./steps.ts";

/** Steps that misbehave, and their outcome. */
interface Row extends Deeds {
  readonly sends?: keyof typeof bodies;
  readonly without?: readonly StepName[];
  readonly status: number;
  /** The last step that begins. All before it do, in their order. */
  readonly upTo: StepName;
  readonly told?: string;
}

const rows: Readonly<Record<string, Row>> = {
  "all steps pass": { status: 200, upTo: "output headers" },
  "params are refused": { params: "refuse", status: 400, upTo: "headers" },
  "headers are refused": { headers: "refuse", status: 400, upTo: "headers" },
  "two parts of the head are refused": { params: "refuse", query: "refuse", status: 400, upTo: "headers" },
  "params fail": { params: "fail", status: 500, upTo: "headers", told: "decode params" },
  "a failure counts more than a refusal": {
    ...{ params: "refuse", query: "refuse", headers: "fail", status: 500, upTo: "headers", told: "decode headers" },
  },
  "the first failure is reported": {
    query: "fail",
    headers: "fail",
    status: 500,
    upTo: "headers",
    told: "decode query",
  },
  "a body of another type": { sends: "other type", status: 415, upTo: "headers" },
  "a body that is too large": { sends: "too large", status: 413, upTo: "headers" },
  "a malformed body": { sends: "malformed", status: 400, upTo: "headers" },
  "a malformed body of a route without one": {
    sends: "malformed",
    without: ["body"],
    status: 200,
    upTo: "output headers",
  },
  "a refused head and a malformed body": { query: "refuse", sends: "other type", status: 400, upTo: "headers" },
  "the body is refused": { body: "refuse", status: 400, upTo: "body" },
  "the body fails": { body: "fail", status: 500, upTo: "body", told: "decode body" },
  "contextInput fails": { contextInput: "fail", status: 500, upTo: "contextInput", told: "context contextInput" },
  "contextInput returns null": { contextInput: "nothing", status: 500, upTo: "contextInput", told: "context" },
  "contextInput without a context does not run": {
    ...{ contextInput: "fail", without: ["contextInput", "context"], status: 200, upTo: "output headers" },
  },
  "the context fails": { context: "fail", status: 500, upTo: "context", told: "context context" },
  "the context is null": { context: "nothing", status: 500, upTo: "context", told: "context" },
  "outer middleware adds": { outer: "add", inner: "add", status: 200, upTo: "output headers" },
  "outer middleware fails": { outer: "fail", status: 500, upTo: "outer", told: "handler outer" },
  "outer middleware fails after the rest": { outer: "failAfter", status: 500, upTo: "handler", told: "handler outer" },
  "inner middleware fails": { inner: "fail", status: 500, upTo: "inner", told: "handler inner" },
  "both fail after the rest": {
    outer: "failAfter",
    inner: "failAfter",
    status: 500,
    upTo: "handler",
    told: "handler inner",
  },
  "outer middleware responds": { outer: "short", status: 202, upTo: "outer" },
  "inner middleware responds": { inner: "short", status: 202, upTo: "inner" },
  "inner middleware throws a result": { outer: "add", inner: "throwShort", status: 202, upTo: "inner" },
  "middleware does not await next()": { inner: "ignore", status: 202, upTo: "handler" },
  "middleware does not await next(), which fails": { inner: "ignore", handler: "fail", status: 202, upTo: "handler" },
  "middleware calls next() twice": { outer: "twice", status: 500, upTo: "handler", told: "handler" },
  "middleware returns no result": { outer: "nothing", status: 500, upTo: "outer", told: "encode" },
  "the handler throws a result": { handler: "throwResult", status: 200, upTo: "output headers" },
  "the handler fails": { handler: "fail", status: 500, upTo: "handler", told: "handler handler" },
  "the handler returns an undeclared status": { handler: "undeclared", status: 500, upTo: "handler", told: "encode" },
  "the handler returns nothing": { handler: "nothing", status: 500, upTo: "handler", told: "encode" },
  "the handler returns a native response": { handler: "native", status: 500, upTo: "handler", told: "encode" },
  "the handler returns a header of two lines": {
    ...{ handler: "header", without: ["output headers"], status: 500, upTo: "output", told: "encode" },
  },
  "the handler returns a header of two lines, which its schema accepts": {
    ...{ handler: "header", status: 500, upTo: "output headers", told: "encode" },
  },
  "the output is refused": { output: "refuse", status: 500, upTo: "output", told: "encode" },
  "the output fails": { output: "fail", status: 500, upTo: "output", told: "encode output" },
  "output headers are refused": { "output headers": "refuse", status: 500, upTo: "output headers", told: "encode" },
  "output headers fail": {
    "output headers": "fail",
    status: 500,
    upTo: "output headers",
    told: "encode output headers",
  },
  "onError fails": { handler: "fail", onError: "fail", status: 500, upTo: "handler", told: "handler handler" },
  "onError replaces the response": {
    output: "fail",
    onError: "replace",
    status: 503,
    upTo: "output",
    told: "encode output",
  },
  "onError returns nonsense": {
    params: "fail",
    onError: "nonsense",
    status: 500,
    upTo: "headers",
    told: "decode params",
  },
};

async function check(
  { sends = "json", without = [], status, upTo, told, ...deeds }: Row,
  paceOf: (name: StepName) => Pace,
): Promise<void> {
  const mounted = mountSteps({ deeds, without, paceOf });
  const answer = await mounted.handler(createRequest(sends));
  if (deeds.inner === "ignore" || deeds.outer === "twice") await settled();
  const ran = steps.slice(0, steps.indexOf(upTo) + 1).filter((name) => !without.includes(name));
  assertEquals([answer.status, mounted.ran, mounted.told], [status, ran, told === undefined ? [] : [told]]);
  const text = await answer.text();
  assert(!`${[...answer.headers].join()}${answer.statusText}${text}`.toLowerCase().includes(canary), text);
  const codes = { 413: "body-too-large", 415: "unsupported-media-type", 500: "internal-error" };
  if (status in codes) assertEquals(JSON.parse(text).code, codes[status as 500]);
}

// proves promises | A handler runs only after validation; the status is declared or the adapter's own, whatever any
//   step does, synchronously or not
Deno.test("createFetchHandler() follows the rules whatever each step does, synchronously or not", async (test) => {
  const mixed = fc.array(fc.constantFrom(...paces), { minLength: steps.length, maxLength: steps.length });
  for (const [name, row] of Object.entries(rows)) {
    await test.step(name, async () => {
      const unhandled = await rejectionsOf(async () => {
        for (const pace of paces) await check(row, () => pace);
        const property = fc.asyncProperty(mixed, (paces) => check(row, (name) => paces[steps.indexOf(name)]!));
        await fc.assert(property, tries(5));
      });
      assertEquals(unhandled, []);
    });
  }
});

/** The steps that can be stuck, with the statuses for a client that has gone: a response may be complete by then. */
const stuck: Readonly<Partial<Record<StepName, readonly number[]>>> = {
  params: [499],
  query: [499],
  headers: [499],
  body: [499],
  contextInput: [499],
  context: [499],
  outer: [499],
  handler: [200, 499],
  output: [200, 499],
};

// proves promises | After a client disconnects, no further step starts
Deno.test("createFetchHandler() starts no further step after a disconnect during a stuck one, and does not report it", async (test) => {
  for (const [stuckIn, statuses] of Object.entries(stuck)) {
    await test.step(stuckIn, async () => {
      const unhandled = await rejectionsOf(async () => {
        for (const pace of paces) {
          for (const isDeaf of [false, true]) {
            const gone = new AbortController();
            const never = Promise.withResolvers<void>();
            gone.signal.addEventListener("abort", () => isDeaf || never.resolve());
            const { handler, ran, told } = mountSteps({
              paceOf: () => pace,
              wait: (name) => name === stuckIn ? never.promise : undefined,
            });
            const answer = Promise.resolve(handler(createRequest("json", gone.signal)));
            await settled();
            const began = ran.length;
            gone.abort();
            await settled();
            never.resolve(); // code that ignores the signal finishes at last
            const { status } = await answer;
            await settled();
            assert(statuses.includes(status), `${status} at the pace ${pace}`);
            assertEquals([told, status === 499 ? ran.slice(began) : []], [[], []]);
          }
        }
      });
      assertEquals(unhandled, []);
    });
  }
});
