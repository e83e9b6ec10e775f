import { defineContract, response, route } from "@scope/api";
import { type Client, type ClientError, createClient, type ItemReader } from "@scope/api/client";
import { type RetriedAttempt, retry } from "@scope/api/retry";
import { assertEquals, assertLessOrEqual } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { watchBody } from "../support/watched_body.ts";
import { tries } from "../support/tries.ts";

Deno.test.sanitizer({ ops: true, resources: true });

const rows = { 200: response.ndjson(type("number")), 503: response.stream() };
const contract = defineContract({
  routes: {
    read: route.get("/", { responses: rows }),
    change: route.post("/", { responses: rows }),
    named: route.patch("/", { responses: rows }),
  },
});

/**
 * The outcome of one attempt: a result of either status, a refusal, no response, or an abort before or after the
 * response.
 */
type Event = "ok" | "cut" | "503" | "503 later" | "503 too late" | "502" | "429" | "500" | "hang" | "abort";
const events: readonly Event[] = [
  "ok",
  "cut",
  "503",
  "503 later",
  "503 too late",
  "502",
  "429",
  "500",
  "hang",
  "abort",
];
const maxWait = 2;

interface Schedule {
  readonly key: keyof Client<typeof contract.routes>;
  readonly attempts: number;
  readonly events: readonly Event[];
}

/** The number of attempts that the rules allow, and the outcome of the call. */
function predict({ key, attempts, events }: Schedule): readonly [attempts: number, outcome: string] {
  const outcomes: Readonly<Record<Event, string>> = {
    "ok": "200",
    "cut": "network",
    "503": "503",
    "503 later": "503",
    "503 too late": "503",
    "502": "unexpected-status",
    "429": "unexpected-status",
    "500": "unexpected-status",
    "hang": "aborted",
    "abort": "aborted",
  };
  for (let made = 1;; made++) {
    const event = events[made - 1] ?? "ok";
    const isTried = event === "429" || (key !== "change" && ["cut", "503", "503 later", "502"].includes(event));
    if (!isTried || made >= attempts) return [made, outcomes[event]];
  }
}

/** How a call went. */
interface Run {
  readonly outcome: { readonly label: string; readonly body: ItemReader<number> | ReadableStream | undefined };
  readonly asked: number;
  readonly bodies: readonly ReturnType<typeof watchBody>[];
  readonly retried: readonly RetriedAttempt[];
}

/** Runs one call by a schedule, and returns its outcome. */
async function run({ key, attempts, events }: Schedule): Promise<Run> {
  const bodies: ReturnType<typeof watchBody>[] = [];
  const controller = new AbortController();
  const retried: RetriedAttempt[] = [];
  let asked = 0;
  const respond = (status: number, fields: Record<string, string> = {}): Response => {
    const body = watchBody(["1\n"], { stalls: status in rows }); // of any other an excerpt is read
    bodies.push(body);
    const contentType = status === 200 ? "application/x-ndjson" : "application/octet-stream";
    return new Response(body.stream, { status, headers: { "content-type": contentType, ...fields } });
  };
  const answers: Readonly<Record<Event, () => Response | Promise<Response>>> = {
    "ok": () => respond(200),
    "cut": () => Promise.reject(new TypeError("cut")),
    "503": () => respond(503, { "retry-after": "0" }),
    "503 later": () => respond(503),
    "503 too late": () => respond(503, { "retry-after": "1" }),
    "502": () => respond(502),
    "429": () => respond(429, { "retry-after": "0" }),
    "500": () => respond(500),
    "hang": () => (queueMicrotask(() => controller.abort()), new Promise(() => {})),
    "abort": () => (controller.abort(), respond(200)),
  };
  const client = createClient(contract, {
    baseUrl: "https://a.example",
    fetch: () => answers[events[asked++] ?? "ok"](),
    around: retry({ attempts, maxWait, also: ["named"], onRetry: (each) => retried.push(each) }),
  });
  const outcome = await client[key]({ signal: controller.signal }).then(
    (result) => ({ label: `${result.status}`, body: result.body }),
    (error: ClientError) => ({ label: error.code, body: undefined }),
  );
  return { outcome, asked, bodies, retried };
}

Deno.test("retry() follows its rules for any schedule of responses, cuts, refusals, silence and aborts", async () => {
  const schedule = fc.record({
    key: fc.constantFrom<Schedule["key"]>("read", "change", "named"),
    attempts: fc.integer({ min: 1, max: 5 }),
    events: fc.array(fc.constantFrom(...events), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(schedule, async (schedule) => {
      const { outcome, asked, bodies, retried } = await run(schedule);
      const [attempts, expected] = predict(schedule);
      assertEquals([asked, outcome.label], [attempts, expected]);
      assertEquals(
        retried.map(({ attempt }) => attempt),
        Array.from({ length: attempts - 1 }, (_, index) => index + 1),
      );
      for (const { attempt, wait } of retried) {
        const asksForNone = ["503", "429"].includes(schedule.events[attempt - 1]!);
        assertLessOrEqual(wait, asksForNone ? 0 : maxWait);
      }

      const open = bodies.filter(({ state }) => state() === "open");
      assertEquals(open.length, outcome.body ? 1 : 0, "the caller's body alone is open");
      await (outcome.body instanceof ReadableStream ? outcome.body.cancel() : outcome.body?.return());
      assertEquals(bodies.filter(({ state }) => state() === "open"), []);
    }),
    tries(300),
  );
});
