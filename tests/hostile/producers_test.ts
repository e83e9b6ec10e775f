/**
 * For any producer of a stream, and any way in which its reader leaves: the reader gets the good items and then the end
 * or a failure, `onError` is called once for a failure, the producer is closed at most once, and every rejection is
 * handled.
 */
import { response, route, type Schema } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { listen, mountRoute } from "../support/mount_route.ts";
import { tries } from "../support/tries.ts";
import { atPace, canary, type Pace } from "../support/paces.ts";
import { rejectionsOf, settled } from "../support/rejections.ts";

type Deed = "item" | "throw" | "bad item" | "refused" | "schema fails" | "stuck";
interface Given {
  readonly deed: Deed;
  readonly pace: Pace;
}

const pace = fc.constantFrom<Pace>("now", "soon", "late");
const deed = fc.oneof(
  { arbitrary: fc.constant<Deed>("item"), weight: 12 },
  fc.constantFrom<Deed>("throw", "bad item", "refused", "schema fails", "stuck"),
);
const program = fc.record({
  kind: fc.constantFrom("ndjson", "sse", "stream"),
  shape: fc.constantFrom("iterator", "generator", "readable"),
  items: fc.array(fc.record({ deed, pace }), { maxLength: 6 }),
  checked: pace,
  closing: fc.constantFrom("well", "throws", "rejects", "never"),
  leave: fc.constantFrom("stays", "cancels", "aborts", "aborts and cancels"),
  after: fc.nat(6),
  onError: fc.constantFrom("well", "throws", "rejects"),
});
type Program = typeof program extends fc.Arbitrary<infer Value> ? Value : never;

/** The producer of a program, and how often it was closed. */
function produce({ items, shape, closing, kind }: Program): { source: unknown; closed: () => number } {
  let closed = 0;
  const left = [...items];
  const close = (): unknown => {
    closed++;
    if (closing === "throws") throw new Error(canary);
    if (closing === "rejects") return Promise.reject(new Error(canary));
    return closing === "never" ? new Promise(() => {}) : Promise.resolve({ done: true, value: undefined });
  };
  const make = ({ deed }: Given): unknown => {
    if (deed === "throw") throw new Error(canary);
    if (deed === "stuck") return new Promise(() => {});
    return deed === "bad item" ? (kind === "stream" ? canary : undefined) : wrap(kind, deed);
  };
  const next = async (): Promise<IteratorResult<unknown>> => {
    const given = left.shift();
    if (!given) return { done: true, value: undefined };
    return { done: false, value: await atPace(given.pace, () => make(given)) };
  };
  if (shape === "readable") {
    const source = new ReadableStream({
      async pull(controller): Promise<void> {
        const { done, value } = await next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => close() as Promise<void>,
    }, { highWaterMark: 0 });
    return { source, closed: () => closed };
  }
  async function* generate(): AsyncGenerator {
    try {
      for (let step = await next(); !step.done; step = await next()) yield step.value;
    } finally {
      closed++;
    }
  }
  if (shape === "generator") return { source: generate(), closed: () => closed };
  return { source: { [Symbol.asyncIterator]: () => ({ next, return: close }) }, closed: () => closed };
}

function wrap(kind: string, deed: Deed): unknown {
  if (kind === "stream") return new Uint8Array([1]);
  return kind === "sse" ? { data: deed } : deed;
}

/** A schema of items that does as they say. */
function itemSchema(pace: Pace): Schema<never, never> {
  const validate = (value: unknown): never =>
    atPace(pace, () => {
      if (value === "schema fails") throw new Error(canary);
      return value === "item" ? { value: value as never } : { issues: [{ message: "refused" }] };
    }) as never;
  return { "~standard": { version: 1, vendor: "test", validate } };
}

/**
 * The number of items that a reader receives if it stays, and whether the stream then fails. Bytes do not have a
 * schema.
 */
function foretell({ items, kind }: Program): { count: number; end: "ends" | "fails" | "is stuck" } {
  const isGood = ({ deed }: Given): boolean =>
    deed === "item" || (kind === "stream" && (deed === "refused" || deed === "schema fails"));
  const count = items.findIndex((item) => !isGood(item));
  if (count === -1) return { count: items.length, end: "ends" };
  return { count, end: items[count]!.deed === "stuck" ? "is stuck" : "fails" };
}

Deno.test("createFetchHandler() sends the items of a producer until it ends, fails or is left, whatever it does", async () => {
  const unhandled = await rejectionsOf(async () => {
    await fc.assert(fc.asyncProperty(program, checkProgram), tries(250));
  });
  assertEquals(unhandled, []);
});

async function checkProgram(program: Program): Promise<void> {
  const { kind, checked, leave, after } = program;
  const { source, closed } = produce(program);
  const { heard, onError } = listen(() => {
    if (program.onError === "throws") throw new Error(canary);
    return program.onError === "rejects" ? Promise.reject(new Error(canary)) : undefined;
  });
  const responses = {
    200: kind === "stream" ? response.stream() : response[kind as "ndjson"](itemSchema(checked)),
  };
  const client = new AbortController();
  const handler = mountRoute(route.get("/", { responses }), () => ({ status: 200, body: source }) as never, {
    onError,
  });
  const answer = await handler(new Request("http://localhost/", { signal: client.signal }));
  assertEquals([answer.status, heard.length], [200, 0]);
  const reader = answer.body!.getReader();
  const { count, end } = foretell(program);
  const stays = leave === "stays" && end !== "is stuck";
  let got = 0;
  let ended = "left";
  while (stays || got < Math.min(after, count)) {
    const read = await reader.read().catch(() => undefined);
    if (read && !read.done) got += read.value.length > 0 ? 1 : 0; // an empty chunk opens a quiet stream
    else {
      ended = read ? "ends" : "fails";
      break;
    }
  }
  if (stays) {
    assertEquals([got, ended, heard.length], [count, end, end === "fails" ? 1 : 0]);
    assert(heard.every(({ phase }) => phase === "stream"));
    assertClosed(program, closed(), end === "fails" && program.items[count]!.deed !== "throw");
    return;
  }
  const told = heard.length;
  const pending = reader.read().then(() => "read", () => "failed");
  if (leave.startsWith("aborts")) client.abort();
  if (leave !== "aborts") reader.cancel().catch(() => {});
  await pending; // which a stuck producer does not hold up
  await settled();
  assertEquals(heard.length, told, "told of what nobody reads");
  assertClosed(program, closed(), true);
}

/**
 * Asserts that a producer was closed once, or not if it ended by itself. A generator counts its own end as closing too.
 */
function assertClosed({ shape }: Program, closed: number, isLeft: boolean): void {
  if (shape === "generator") assert(closed <= 1, `closed ${closed} times`);
  else assertEquals(closed, isLeft ? 1 : 0);
}
