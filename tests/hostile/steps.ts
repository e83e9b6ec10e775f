/** A route on which every step that runs a user's code is recorded, and misbehaves as a test says. */
import { defineContract, request, response, route, type Schema } from "@scope/api";
import { createFetchHandler, type ErrorReport, type FetchHandler } from "@scope/api/fetch";
import { type Awaitable, defineServer } from "@scope/api/server";
import { atPace, canary, type Pace } from "../support/paces.ts";

/** The steps, in the order in which they run. */
export const steps = [
  ...["params", "query", "headers", "body", "contextInput", "context", "outer", "inner", "handler", "output"] as const,
  ...["output headers", "onError"] as const,
];
export type StepName = (typeof steps)[number];

/** What a step does instead of passing. */
export type Deeds = {
  readonly [Name in StepName]?: keyof (typeof deedsOf)[KindOf<Name>];
};
type KindOf<Name extends StepName> = Name extends "outer" | "inner" ? "middleware"
  : Name extends "handler" | "onError" ? Name
  : Name extends "context" | "contextInput" ? "maker"
  : "schema";

/** An error of a step, which must not be in the response. */
class StepError extends Error {
  constructor(readonly step: string) {
    super(`${canary} of ${step}`);
  }
}

type Next = (added?: object) => Promise<object>;

const deedsOf = {
  schema: {
    pass: (value: unknown) => ({ value: value ?? {} }),
    refuse: () => ({ issues: [{ message: "refused" }] }),
    fail: (_: unknown, name: string) => fail(name),
  },
  maker: { pass: () => ({}), nothing: () => null, fail: (_: unknown, name: string) => fail(name) },
  middleware: {
    pass: (next: Next) => next(),
    add: (next: Next) => next({ [canary]: 1 }).then((result) => ({ ...result })),
    fail: (_: Next, name: string) => fail(name),
    failAfter: (next: Next, name: string) => next().then(() => fail(name)),
    short: () => ({ status: 202 }),
    throwShort: () => {
      throw { status: 202 };
    },
    ignore: (next: Next) => (next(), { status: 202 }),
    twice: (next: Next) => (next(), next()),
    nothing: () => canary,
  },
  handler: {
    pass: () => ({ status: 200, body: { ok: true } }),
    throwResult: () => {
      throw { status: 200, body: { ok: true } };
    },
    fail: (_: unknown, name: string) => fail(name),
    undeclared: () => ({ status: 299, body: canary }),
    nothing: () => undefined,
    native: () => new Response(canary),
    header: () => ({ status: 200, body: {}, headers: { "x-a": `${canary}\r\nx-b: 1` } }),
  },
  onError: {
    pass: () => undefined,
    fail: (_: unknown, name: string) => fail(name),
    replace: () => new Response("replaced", { status: 503 }),
    nonsense: () => ({ status: 200, body: canary }),
  },
};

function fail(name: string): never {
  throw new StepError(name);
}

/** The mounted route. */
export interface Mounted {
  readonly handler: FetchHandler;
  /** The steps that began, in order, without `onError`. */
  readonly ran: string[];
  /** The reports to `onError`: their phase, and the step if the error is a step's own. */
  readonly told: string[];
}

export interface Settings {
  readonly deeds?: Deeds;
  /** The steps that the route does not have. Every route has `contextInput`. */
  readonly without?: readonly StepName[];
  readonly paceOf?: (name: StepName) => Pace;
  /** A promise that a step awaits before anything else. */
  readonly wait?: (name: StepName) => Promise<void> | undefined;
}

/** Mounts the route. */
export function mountSteps({ deeds = {}, without = [], paceOf = () => "now", wait }: Settings): Mounted {
  const ran: string[] = [];
  const told: string[] = [];
  const act = (name: StepName, kind: keyof typeof deedsOf, given?: unknown): Awaitable<unknown> => {
    const does = (deedsOf[kind] as Record<string, (given: unknown, name: string) => unknown>)[deeds[name] ?? "pass"]!;
    if (name !== "onError") ran.push(name);
    const waiting = wait?.(name);
    const start = (): Awaitable<unknown> => atPace(paceOf(name), () => does(given, name));
    return waiting ? waiting.then(start) : start();
  };
  const schema = (name: StepName): Schema<never, never> => ({
    "~standard": { version: 1, vendor: "test", validate: (value) => act(name, "schema", value) as never },
  });
  const unless = <Value>(name: StepName, value: Value): Value | undefined => without.includes(name) ? undefined : value;
  const it = route.post(
    `/${canary}/:id`,
    dropUndefined({
      params: unless("params", schema("params")),
      query: unless("query", schema("query")),
      headers: unless("headers", schema("headers")),
      body: unless("body", request.json(schema("body"))),
      responses: {
        200: response.json(
          schema("output"),
          dropUndefined({ headers: unless("output headers", schema("output headers")) }) as never,
        ),
      },
    }) as never,
  );
  const contract = defineContract({ responses: { 202: response.empty() }, routes: { it } });
  const through = (name: "outer" | "inner") =>
    (({ next }: { readonly next: Next }) => act(name, "middleware", next)) as never;
  const context = unless("context", () => act("context", "maker"));
  const server = defineServer(contract, dropUndefined({ context }) as never).use(through("outer")).use(
    through("inner"),
  );
  const handler = createFetchHandler(
    server.implement({ it: () => act("handler", "handler") } as never) as never,
    dropUndefined({
      maxBodyBytes: 100,
      contextInput: () => act("contextInput", "maker"),
      onError({ phase, error }: ErrorReport): unknown {
        told.push(error instanceof StepError ? `${phase} ${error.step}` : phase);
        return act("onError", "onError");
      },
    }) as never,
  );
  return { handler, ran, told };
}

function dropUndefined(options: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The bodies of a request. */
export const bodies = {
  json: `{"${canary}":"${canary}"}`,
  malformed: `{${canary}`,
  "other type": canary,
  "too large": `"${canary.repeat(20)}"`,
};

/** Returns a request to the route, full of what must not be in a response. */
export function createRequest(body: keyof typeof bodies, signal?: AbortSignal): Request {
  return new Request(`http://localhost/${canary}/${canary}?${canary}=${canary}`, {
    method: "POST",
    body: bodies[body],
    headers: {
      [`x-${canary}`]: canary,
      cookie: `${canary}=${canary}`,
      "content-type": body === "other type" ? `text/${canary}` : `application/json; ${canary}=${canary}`,
    },
    ...(signal && { signal }),
  });
}
