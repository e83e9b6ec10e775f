/** Producers of streams that misbehave, and readers that leave: items, failures, and how often a producer is closed. */
import { response, route } from "@scope/api";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { schemaOf } from "../support/hostile_schemas.ts";
import { listen, mountRoute } from "../support/mount_route.ts";
import { type Deed, type Manners, manners, misbehave, produce } from "../support/misbehaving_producers.ts";
import { atPace, canary } from "../support/paces.ts";
import { rejectionsOf, settled } from "../support/rejections.ts";
import { tries } from "../support/tries.ts";

/** A producer; the items that a reader receives, and what it receives then; how often the producer is closed. */
type Row = readonly [produces: readonly Deed[], received: number, then: "ends" | "fails", closed: number];

const rows: Readonly<Record<string, Row>> = {
  "no items": [[], 0, "ends", 0],
  "three items": [["item", "item", "item"], 3, "ends", 0],
  "an error first": [["throws"], 0, "fails", 0],
  "an error after two items": [["item", "item", "throws", "item"], 2, "fails", 0],
  "a value that cannot be sent": [["item", "bad item", "item"], 1, "fails", 1],
};
/** Bytes do not have a schema. */
const withSchema: typeof rows = {
  "an item that the schema refuses": [["item", "refused", "item"], 1, "fails", 1],
  "an item that the schema refuses first": [["refused", "throws"], 0, "fails", 1],
  "an item for which the schema fails": [["item", "item", "schema fails", "item"], 2, "fails", 1],
};
/** A producer, and the items that a reader receives before it leaves. */
const departures: Readonly<Record<string, readonly [produces: readonly Deed[], received: number]>> = {
  "before the first item": [["item", "item"], 0],
  "after an item": [["item", "item"], 1],
  "before a value that cannot be sent": [["bad item"], 0],
  "before an item that would fail": [["item", "throws"], 1],
  "at an item that never arrives": [["item", "stuck"], 1],
  "at a first item that never arrives": [["stuck"], 0],
};

interface Asked {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly client: AbortController;
  readonly phases: () => readonly string[];
  /** How often the producer was closed. */
  readonly count: { readonly closed: number };
}

async function ask(deeds: readonly Deed[], manners: Manners): Promise<Asked> {
  const { source, count } = produce(deeds, manners);
  const { heard, onError } = listen(() => misbehave(manners.onError) as Promise<undefined>);
  const item = schemaOf<never>((value) =>
    atPace(manners.checked, () => {
      if (value === "schema fails") throw new Error(canary);
      return value === "item" ? { value } : { issues: [{ message: "refused" }] };
    }) as never
  );
  const responses = { 200: manners.kind === "stream" ? response.stream() : response[manners.kind as "ndjson"](item) };
  const handle = () => ({ status: 200, body: source }) as never;
  const client = new AbortController();
  const handler = mountRoute(route.get("/", { responses }), handle, { onError });
  const answer = await handler(new Request("http://localhost/", { signal: client.signal }));
  assertEquals([answer.status, heard], [200, []]);
  return { reader: answer.body!.getReader(), client, phases: () => heard.map(({ phase }) => phase), count };
}

/** Reads this many items, or to the end. Returns how many there were, and what was then. */
async function readItems({ reader }: Asked, count: number): Promise<readonly [received: number, then: string]> {
  for (let received = 0; received < count;) {
    const read = await reader.read().catch(() => undefined);
    if (!read || read.done) return [received, read ? "ends" : "fails"];
    if (read.value.length > 0) received++; // an empty chunk opens a quiet stream
  }
  return [count, "more"];
}

/** Tries something with all manners of producers. */
async function forAll(count: number, check: (manners: Manners) => Promise<void>): Promise<void> {
  const unhandled = await rejectionsOf(() => fc.assert(fc.asyncProperty(manners, check), tries(count)));
  assertEquals(unhandled, []);
}

Deno.test("createFetchHandler() sends the items of a producer until it ends or fails, whatever it does", async (test) => {
  for (const [name, [deeds, received, then, closed]] of Object.entries({ ...rows, ...withSchema })) {
    await test.step(name, () =>
      forAll(25, async (manners) => {
        if (manners.kind === "stream" && name in withSchema) return;
        const asked = await ask(deeds, manners);
        assertEquals(await readItems(asked, Infinity), [received, then]);
        assertEquals(asked.phases(), then === "fails" ? ["stream"] : []);
        if (manners.shape !== "generator") assertEquals(asked.count.closed, closed);
      }));
  }
});

Deno.test("createFetchHandler() closes a producer that is left once, and does not report its failures", async (test) => {
  for (const [name, [deeds, received]] of Object.entries(departures)) {
    for (const leaves of ["cancels", "aborts", "aborts and cancels"]) {
      await test.step(`the reader ${leaves} ${name}`, () =>
        forAll(10, async (manners) => {
          const asked = await ask(deeds, manners);
          const { reader, client } = asked;
          assertEquals(await readItems(asked, received), [received, "more"]);
          const pending = reader.read().catch(() => {});
          if (leaves.startsWith("aborts")) client.abort();
          if (leaves.endsWith("cancels")) reader.cancel().catch(() => {});
          await pending; // which a stuck producer does not hold up
          await settled();
          assertEquals(asked.phases(), []);
          if (manners.shape !== "generator") assertEquals(asked.count.closed, 1);
        }));
    }
  }
});
