/** `createPublisher()`: who receives which events, and what happens to those who are behind. */
import { createPublisher, GapError, type Subscription } from "@scope/api/publisher";
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";

interface Events {
  readonly prices: number;
  readonly [room: `room:${string}`]: string;
}

/** Reads some events, and returns their data. */
async function take<Data>(subscription: Subscription<Data>, count: number): Promise<Data[]> {
  const all: Data[] = [];
  for (let read = 0; read < count; read++) all.push((await subscription.next()).value!.data);
  return all;
}

/** Whether a promise is settled after the microtasks that are due. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  const timer = new Promise((resolve) => setTimeout(resolve, 0, pending));
  return await Promise.race([promise.catch(() => {}), timer]) !== pending;
}

Deno.test("createPublisher() needs no random values, which Workers do not allow while a module loads", async () => {
  const { randomUUID } = crypto;
  crypto.randomUUID = () => {
    throw new Error("Disallowed operation called within global scope");
  };
  try {
    createPublisher();
  } finally {
    crypto.randomUUID = randomUUID;
  }
  const lost = createPublisher().subscribe("prices", { after: "run-5.5" });
  await assertRejects(() => lost.next(), GapError);
});

Deno.test("subscribe() receives the events of its topic from then on, in order, and each subscriber all of them", async () => {
  const publisher = createPublisher<Events>();
  publisher.publish("prices", 1);
  const one = publisher.subscribe("prices");
  const other = publisher.subscribe("prices");
  publisher.publish("room:a", "hello");
  publisher.publish("prices", 2);
  const waiting = publisher.subscribe("room:a").next();
  publisher.publish("prices", 3);
  assertEquals([await take(one, 2), await take(other, 2)], [[2, 3], [2, 3]]);
  const next = one.next();
  assertEquals(await isSettled(next), false);
  const id = publisher.publish("prices", 4);
  assertEquals(await next, { done: false, value: { id, data: 4 } });
  assertEquals(await isSettled(waiting), false);
  publisher.publish("room:a", "again");
  assertEquals((await waiting).value?.data, "again");
});

Deno.test("subscribe() goes on after an id, and an empty one is none", async () => {
  const publisher = createPublisher<Events>();
  const ids = [1, 2, 3].map((price) => publisher.publish("prices", price));
  assertMatch(ids[0]!, /^[\da-f]{32}-1$/);
  assertEquals(await take(publisher.subscribe("prices", { after: ids[0] }), 2), [2, 3]);
  assertEquals(await take(publisher.subscribe("prices", { after: ids[1] }), 1), [3]);
  for (const after of [ids[2], "", undefined]) {
    assertEquals(await isSettled(publisher.subscribe("prices", { after }).next()), false);
  }
});

Deno.test("lastId is an id to go on after, also before the first event", async () => {
  const publisher = createPublisher<Events>();
  const start = publisher.lastId;
  publisher.publish("prices", 1);
  const second = publisher.publish("prices", 2);
  assertEquals(publisher.lastId, second);
  assertEquals(await take(publisher.subscribe("prices", { after: start }), 2), [1, 2]);
  assertEquals(await isSettled(publisher.subscribe("room:a", { after: publisher.lastId }).next()), false);
});

Deno.test("subscribe() throws a GapError for what it cannot continue", async () => {
  const publisher = createPublisher<Events>({ keep: 2 });
  const ids = [1, 2, 3, 4].map((price) => publisher.publish("prices", price));
  const other = createPublisher<Events>();
  const foreign = other.publish("prices", 1);
  const [run = ""] = ids[0]!.split("-");
  for (const after of [ids[0]!, foreign, `${run}-5`, `${run}-0`, `${run}-1.5`, "run-5.5", "5", "x".repeat(100_000)]) {
    const subscription = publisher.subscribe("prices", { after });
    await assertRejects(() => subscription.next(), GapError, 'Events of the topic "prices" are lost');
    assertEquals(await subscription.next(), { done: true, value: undefined });
  }
  assertEquals(await take(publisher.subscribe("prices", { after: ids[1] }), 2), [3, 4]); // exactly those that are kept
});

Deno.test("a slow subscriber receives a GapError, and a fast one does not", async () => {
  const publisher = createPublisher<Events>({ keep: 3 });
  const slow = publisher.subscribe("prices");
  const fast = publisher.subscribe("prices");
  for (let price = 1; price <= 10; price++) {
    publisher.publish("prices", price);
    assertEquals(await take(fast, 1), [price]);
  }
  await assertRejects(() => slow.next(), GapError);
});

Deno.test("events of other topics do not make a gap for a subscriber that has seen all of its own", async () => {
  const publisher = createPublisher<Events>({ keep: 2 });
  const quiet = publisher.subscribe("room:a");
  for (let price = 1; price <= 100; price++) publisher.publish("prices", price);
  publisher.publish("room:a", "still here");
  assertEquals(await take(quiet, 1), ["still here"]);
});

Deno.test("leaving the loop, return() and the signal end a subscription once", async () => {
  const publisher = createPublisher<Events>();
  const left = publisher.subscribe("prices");
  publisher.publish("prices", 1);
  for await (const { data } of left) {
    assertEquals(data, 1);
    break;
  }
  publisher.publish("prices", 2);
  assertEquals(await left.next(), { done: true, value: undefined });

  const returned = publisher.subscribe("prices");
  const pending = returned.next();
  await returned.return();
  assertEquals(await pending, { done: true, value: undefined });

  const controller = new AbortController();
  const aborted = publisher.subscribe("prices", { signal: controller.signal });
  const waiting = aborted.next();
  controller.abort("stop");
  assertEquals(await waiting.catch((reason) => reason), "stop");
  assertEquals(await aborted.next(), { done: true, value: undefined });
  const before = publisher.subscribe("prices", { signal: controller.signal });
  assertEquals(await before.next().catch((reason) => reason), "stop");

  const later = new AbortController();
  const over = publisher.subscribe("prices", { signal: later.signal });
  await over.return();
  later.abort("late");
  assertEquals(await over.next(), { done: true, value: undefined });
});

Deno.test("next() may be called before the previous one has resolved", async () => {
  const publisher = createPublisher<Events>();
  const subscription = publisher.subscribe("prices");
  const all = Promise.all([1, 2, 3].map(() => subscription.next()));
  for (const price of [1, 2, 3]) publisher.publish("prices", price);
  assertEquals((await all).map(({ value }) => value?.data), [1, 2, 3]);
});

Deno.test("a publisher keeps a bounded number of events and forgets topics, whatever their names", async () => {
  const code = `
    import { createPublisher } from "@scope/api/publisher";
    const publisher = createPublisher({ keep: 100 });
    for (let at = 0; at < 300_000; at++) publisher.publish("topic " + at, Array.from({ length: 100 }, () => at));`;
  const args = ["eval", "--quiet", "--no-check", "--v8-flags=--max-old-space-size=60", code]; // 250 MB are published
  const { code: status } = await new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "null" }).output();
  assertEquals(status, 0);
});

Deno.test("a random schedule loses nothing silently, repeats nothing and keeps the order", async () => {
  let seed = 7;
  const random = (below: number): number => (seed = seed * 48_271 % 2_147_483_647) % below;
  const topics = ["room:a", "room:b", "room:c"] as const;
  for (let run = 0; run < 300; run++) {
    const keep = 1 + random(8);
    const publisher = createPublisher<Events>({ keep });
    const sent: Record<string, string[]> = { "room:a": [], "room:b": [], "room:c": [] };
    const readers = topics.map((topic) => ({
      topic,
      subscription: publisher.subscribe(topic),
      seen: 0,
      after: undefined as string | undefined,
    }));
    for (let step = 0; step < 60; step++) {
      const topic = topics[random(3)]!;
      if (random(2) === 0) {
        sent[topic]!.push(`${topic} ${step}`);
        publisher.publish(topic, `${topic} ${step}`);
        continue;
      }
      const reader = readers[random(3)]!;
      if (random(4) === 0 && reader.after !== undefined) { // comes back
        await reader.subscription.return();
        reader.subscription = publisher.subscribe(reader.topic, { after: reader.after });
      }
      if (reader.seen === sent[reader.topic]!.length) continue;
      try {
        const { value } = await reader.subscription.next();
        assertEquals(value?.data, sent[reader.topic]![reader.seen++]);
        reader.after = value?.id;
      } catch (error) {
        assertEquals(error instanceof GapError, true);
        reader.subscription = publisher.subscribe(reader.topic);
        reader.seen = sent[reader.topic]!.length;
        reader.after = undefined;
      }
    }
  }
});

Deno.test("createPublisher(), publish() and subscribe() refuse what they cannot use", () => {
  const publisher = createPublisher<Events>();
  const rows: [call: () => unknown, message: string][] = [
    [() => createPublisher({ keep: 0 }), 'createPublisher(): "keep" must be a positive integer, got 0'],
    [
      () => createPublisher({ keep: Infinity }),
      'createPublisher(): "keep" must be a positive integer, got Infinity',
    ],
    [() => createPublisher({ kept: 1 } as never), 'createPublisher(): unknown option "kept" (allowed: keep)'],
    [() => publisher.publish(1 as never, 1 as never), "the topic must be a string, got 1"],
    [() => publisher.subscribe("prices", { after: 1 as never }), 'subscribe(): "after" must be an id, got 1'],
    [() => publisher.subscribe("prices", { last: "1" } as never), 'subscribe(): unknown option "last"'],
    [
      () => publisher.subscribe("prices", { signal: {} as never }),
      'subscribe(): "signal" must be an AbortSignal, got an object',
    ],
    // @ts-expect-error -- not a topic
    [() => createPublisher<Events>().publish("price", 1) && undefined, ""],
    // @ts-expect-error -- not its data
    [() => createPublisher<Events>().publish("prices", "1") && undefined, ""],
  ];
  for (const [call, message] of rows) {
    if (message === "") assertEquals(call(), undefined);
    else assertEquals(assertThrows(call, TypeError).message.startsWith(message), true, message);
  }
});
