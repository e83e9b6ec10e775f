/**
 * A request's path through every step that runs a user's code, each following a plan, now or later; and the outcome of
 * a plan by a plain reading of the rules.
 */
import { defineContract, request, response, route, type Schema } from "@scope/api";
import { createFetchHandler, type ErrorReport, type FetchHandler } from "@scope/api/fetch";
import { type Awaitable, defineServer } from "@scope/api/server";
import fc from "fast-check";

/** When a step ends: at once, a microtask or a timer later, or as a foreign thenable. */
export type Pace = "now" | "soon" | "late" | "thenable";
/** The outcomes of a schema for a value. */
export type Verdict = "pass" | "refuse" | "fail";

/** One step: its action, and when it happens. */
export interface Step<Deed extends string> {
  readonly deed: Deed;
  readonly pace: Pace;
}

type Around =
  | "pass"
  | "add"
  | "fail"
  | "failAfter"
  | "failNow"
  | "short"
  | "throwShort"
  | "ignore"
  | "twice"
  | "nothing";
type Answering = "pass" | "throwResult" | "fail" | "failNow" | "undeclared" | "nothing" | "native" | "header";

/** A request and all that it meets. */
export interface Plan {
  readonly params?: Step<Verdict> | undefined;
  readonly query?: Step<Verdict> | undefined;
  readonly headers?: Step<Verdict> | undefined;
  readonly body?: Step<Verdict> | undefined;
  readonly sent: "json" | "malformed" | "other type" | "too large";
  readonly contextInput?: Step<"pass" | "fail" | "nothing"> | undefined;
  readonly context?: Step<"pass" | "fail" | "nothing"> | undefined;
  readonly middleware: readonly Step<Around>[];
  readonly handler: Step<Answering>;
  readonly output: Step<Verdict>;
  readonly outputHeaders?: Step<Verdict> | undefined;
  readonly onError: Step<"pass" | "fail" | "replace" | "nonsense">;
}

const pace = fc.constantFrom<Pace>("now", "soon", "late", "thenable");

function step<Deed extends string>(...deeds: (readonly [Deed, number])[]): fc.Arbitrary<Step<Deed>> {
  const deed = fc.oneof(...deeds.map(([deed, weight]) => ({ arbitrary: fc.constant(deed), weight })));
  return fc.record({ deed, pace });
}

const verdict = step<Verdict>(["pass", 16], ["refuse", 1], ["fail", 1]);
const maker = step<"pass" | "fail" | "nothing">(["pass", 12], ["fail", 1], ["nothing", 1]);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const around = step<Around>(
  ["pass", 9],
  ["add", 9],
  ...(["fail", "failAfter", "failNow", "short", "throwShort", "ignore", "twice", "nothing"] as const)
    .map((deed) => [deed, 1] as const),
);
const answering = step<Answering>(
  ["pass", 9],
  ...(["throwResult", "fail", "failNow", "undeclared", "nothing", "native", "header"] as const)
    .map((deed) => [deed, 1] as const),
);

/** Any plan; most steps pass, so that the later ones are reached. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  params: maybe(verdict),
  query: maybe(verdict),
  headers: maybe(verdict),
  body: maybe(verdict),
  sent: fc.oneof(
    { arbitrary: fc.constant("json" as const), weight: 9 },
    fc.constantFrom("malformed", "other type", "too large"),
  ),
  contextInput: maybe(maker),
  context: maybe(maker),
  middleware: fc.array(around, { maxLength: 3 }),
  handler: answering,
  output: verdict,
  outputHeaders: maybe(verdict),
  onError: step(["pass", 3], ["fail", 1], ["replace", 1], ["nonsense", 1]),
});

/** Text that is not allowed in a response. */
export const canary = "c4n4ry";

/** The outcome of a plan. */
export interface Outcome {
  readonly status: number;
  /** The steps that began, in order. */
  readonly ran: readonly string[];
  /** The reports to `onError`: their phase, and the step if the error is a step's own. */
  readonly told: readonly string[];
}

/** Returns the result of `make` at its pace. */
export function atPace<Value>(pace: Pace, make: () => Value): Awaitable<Awaited<Value>> {
  if (pace === "now") return make() as Awaited<Value>;
  if (pace === "soon") return Promise.resolve().then(make) as Promise<Awaited<Value>>;
  if (pace === "late") {
    return new Promise<void>((resolve) => setTimeout(resolve, 0)).then(make) as Promise<Awaited<Value>>;
  }
  return {
    then: (resolve, reject) => Promise.resolve().then(make).then(resolve as never, reject),
  } as PromiseLike<Awaited<Value>>;
}

/** A mounted plan. */
export interface Mounted {
  readonly handler: FetchHandler;
  readonly ran: string[];
  readonly heard: ErrorReport[];
}

/** A promise that each step awaits before anything else; for plans of steps that are stuck. */
export type Wait = (name: string) => Promise<void> | undefined;

/** An error of a step, which must not be in the response. */
export class StepError extends Error {
  /** @param step The name of the step. */
  constructor(readonly step: string) {
    super(`${canary} of ${step}`);
  }
}

/** Mounts one route whose steps all follow the plan, and records the start of each step. */
export function mountPlan(plan: Plan, wait: Wait = () => undefined): Mounted {
  const ran: string[] = [];
  const heard: ErrorReport[] = [];
  const act = <Value>(name: string, pace: Pace, make: () => Value): Awaitable<Awaited<Value>> => {
    ran.push(name);
    const waiting = wait(name);
    return waiting ? waiting.then(() => atPace(pace, make)) as Promise<Awaited<Value>> : atPace(pace, make);
  };
  const fail = (name: string): never => {
    throw new StepError(name);
  };
  const schema = (name: string, step: Step<Verdict> | undefined): Schema<never, never> | undefined =>
    step && {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value) =>
          act(name, step.pace, () => {
            if (step.deed === "fail") return fail(name);
            return step.deed === "refuse" ? { issues: [{ message: "refused" }] } : { value: (value ?? {}) as never };
          }) as never,
      },
    };
  const bodySchema = schema("body", plan.body);
  const it = route.post(`/${canary}/:id`, {
    ...(plan.params && { params: schema("params", plan.params)! }),
    ...(plan.query && { query: schema("query", plan.query)! }),
    ...(plan.headers && { headers: schema("headers", plan.headers)! }),
    ...(bodySchema && { body: request.json(bodySchema) }),
    responses: {
      200: response.json(schema("output", plan.output)!, {
        ...(plan.outputHeaders && { headers: schema("outputHeaders", plan.outputHeaders)! }),
      } as never),
    },
  } as never);
  const contract = defineContract({ responses: { 202: response.empty() }, routes: { it } });
  const make = (name: "context" | "contextInput") => (): object =>
    act(name, plan[name]!.pace, () => {
      if (plan[name]!.deed === "fail") return fail(name);
      return (plan[name]!.deed === "nothing" ? null : {}) as object;
    });
  let server = defineServer(contract, (plan.context ? { context: make("context") } : {}) as never);
  for (const [index, step] of plan.middleware.entries()) {
    const name = `middleware ${index}`;
    server = server.use(
      (({ next }: { next: (added?: object) => Promise<never> }) => {
        const { deed, pace } = step;
        if (deed !== "failNow") return act(name, pace, () => deeds[deed](next, () => fail(name)));
        ran.push(name);
        return fail(name);
      }) as never,
    );
  }
  const implementation = server.implement({
    it: () => {
      const { deed, pace } = plan.handler;
      if (deed !== "failNow") return act("handler", pace, () => results[deed](() => fail("handler")));
      ran.push("handler");
      return fail("handler");
    },
  } as never);
  const handler = createFetchHandler(implementation as never, {
    maxBodyBytes: 100,
    ...(plan.contextInput && { contextInput: make("contextInput") }),
    onError(report: ErrorReport): never {
      heard.push(report);
      return atPace(plan.onError.pace, () => hooks[plan.onError.deed]()) as never;
    },
  } as never);
  return { handler, ran, heard };
}

type Next = (added?: object) => Promise<unknown>;

const deeds: Readonly<Record<Exclude<Around, "failNow">, (next: Next, fail: () => never) => unknown>> = {
  pass: (next) => next(),
  add: (next) => next({ [canary]: 1 }).then((result) => ({ ...result as object })),
  fail: (_, fail) => fail(),
  failAfter: (next, fail) => next().then(fail),
  short: () => ({ status: 202 }),
  throwShort: () => {
    throw { status: 202 };
  },
  ignore: (next) => {
    next();
    return { status: 202 };
  },
  twice: (next) => {
    next();
    return next();
  },
  nothing: () => canary,
};

const results: Readonly<Record<Exclude<Answering, "failNow">, (fail: () => never) => unknown>> = {
  pass: () => ({ status: 200, body: { ok: true } }),
  throwResult: () => {
    throw { status: 200, body: { ok: true } };
  },
  fail: (fail) => fail(),
  undeclared: () => ({ status: 299, body: canary }),
  nothing: () => undefined,
  native: () => new Response(canary),
  header: () => ({ status: 200, body: {}, headers: { "x-a": `${canary}\r\nx-b: 1` } }),
};

const hooks: Readonly<Record<Plan["onError"]["deed"], () => unknown>> = {
  pass: () => undefined,
  fail: () => {
    throw new StepError("onError");
  },
  replace: () => new Response("replaced", { status: 503 }),
  nonsense: () => ({ status: 200, body: canary }),
};

/** The expected outcome of a plan: its steps one by one, in the order of the rules. */
export function foretell(plan: Plan): Outcome {
  const ran: string[] = [];
  const end = (status: number, ...told: string[]): Outcome => ({ status, ran, told });
  const failed = (told: string): Outcome => end(plan.onError.deed === "replace" ? 503 : 500, told);
  const head = (["params", "query", "headers"] as const).filter((slot) => plan[slot]);
  ran.push(...head);
  const broken = head.find((slot) => plan[slot]!.deed === "fail");
  if (broken) return failed(`decode ${broken}`);
  if (head.some((slot) => plan[slot]!.deed === "refuse")) return end(400);
  if (plan.body) {
    if (plan.sent === "other type") return end(415);
    if (plan.sent === "too large") return end(413);
    if (plan.sent === "malformed") return end(400);
    ran.push("body");
    if (plan.body.deed === "fail") return failed("decode body");
    if (plan.body.deed === "refuse") return end(400);
  }
  // contextInput is for the context factory: without one it does not run
  for (const name of plan.context ? ["contextInput", "context"] as const : []) {
    if (!plan[name]) continue;
    ran.push(name);
    if (plan[name].deed === "fail") return failed(`context ${name}`);
    if (plan[name].deed === "nothing") return failed("context");
  }
  const given = runInside(plan, 0, ran);
  if (typeof given === "string") return failed(given);
  if (given.status === 202) return end(202);
  if (given.status === 299) return failed("encode");
  ran.push("output");
  if (plan.output.deed === "fail") return failed("encode output");
  if (plan.output.deed === "refuse") return failed("encode");
  if (plan.outputHeaders) {
    ran.push("outputHeaders");
    if (plan.outputHeaders.deed === "fail") return failed("encode outputHeaders");
    if (plan.outputHeaders.deed === "refuse") return failed("encode");
  }
  return given.isBad ? failed("encode") : end(200);
}

/** The result of the middleware from `index` on, with the handler inside; or the report of its failure to `onError`. */
function runInside(plan: Plan, index: number, ran: string[]): { status: number; isBad?: boolean } | string {
  const step = plan.middleware[index];
  if (!step) return runHandler(plan, ran);
  const name = `middleware ${index}`;
  ran.push(name);
  if (step.deed === "fail" || step.deed === "failNow") return `handler ${name}`;
  if (step.deed === "short" || step.deed === "throwShort") return { status: 202 };
  if (step.deed === "nothing") return "encode";
  const inside = runInside(plan, index + 1, ran);
  if (step.deed === "ignore") return { status: 202 };
  if (step.deed === "twice") return "handler";
  return step.deed === "failAfter" && typeof inside !== "string" ? `handler ${name}` : inside;
}

function runHandler({ handler }: Plan, ran: string[]): { status: number; isBad?: boolean } | string {
  ran.push("handler");
  const { deed } = handler;
  if (deed === "fail" || deed === "failNow") return "handler handler";
  if (deed === "nothing" || deed === "native") return "encode";
  return { status: deed === "undeclared" ? 299 : 200, isBad: deed === "header" };
}

/** The request of a plan; its content must not be in a response either. */
export function requestOf(plan: Plan, signal?: AbortSignal): Request {
  const bodies = {
    json: `{"${canary}":"${canary}"}`,
    malformed: `{${canary}`,
    "other type": canary,
    "too large": `"${canary.repeat(20)}"`,
  };
  return new Request(`http://localhost/${canary}/${canary}?${canary}=${canary}`, {
    method: "POST",
    body: bodies[plan.sent],
    headers: {
      [`x-${canary}`]: canary,
      cookie: `${canary}=${canary}`,
      "content-type": plan.sent === "other type" ? `text/${canary}` : `application/json; ${canary}=${canary}`,
    },
    ...(signal && { signal }),
  });
}

/** The reports to the hook, in the format of {@linkcode foretell}. */
export function tellings(heard: readonly ErrorReport[]): string[] {
  return heard.map(({ phase, error }) => error instanceof StepError ? `${phase} ${error.step}` : phase);
}
