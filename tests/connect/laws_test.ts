/** What holds for a client's connections whatever breaks them, over memory and over a network. */
import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { connect, openInMemory } from "@scope/api/connect";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { denoSockets, memorySockets } from "@scope/api/socket";
import { assertEquals } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { rejectionsOf } from "../support/rejections.ts";
import { tries } from "../support/tries.ts";
import { cases, type Fault, length, readLog, type Schedule, serveLog, type Transcript } from "./log.ts";

Deno.test.sanitizer({ ops: true, resources: true });

/** Reads the log in memory. */
async function readInMemory(
  schedule: Schedule,
): Promise<{ transcript: Transcript; received: readonly (readonly number[])[] }> {
  const { handler, received, shutDown } = serveLog(schedule, memorySockets, createFetchHandler);
  const answer: FetchHandler = (request) => handler()(request);
  const transcript = await readLog("https://a.example", answer, openInMemory(answer));
  await shutDown();
  return { transcript, received };
}

const fault = fc.constantFrom<Fault>("throw", "shut down", "close", "refuse", "wrong", "busy");
const schedules = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: length }), fault), {
  selector: ([after]) => after,
});

Deno.test("laws 2, 7: no message is lost or repeated in either direction, whatever ends the connections", async () => {
  const unhandled = await rejectionsOf(() =>
    fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { transcript, received } = await readInMemory(schedule);
        const messages = transcript.filter((each) => typeof each === "number");
        assertEquals(messages, Array.from({ length: predictLength(schedule) }, (_, index) => index + 1));

        const sent = received.flat();
        assertEquals(sent, [...new Set(sent)].toSorted((one, other) => one - other)); // some may have been on their way
        assertEquals(transcript.length, messages.length + transcript.filter(isLost).length + 1);
      }),
      tries(100),
    )
  );
  assertEquals(unhandled, []);
});

/** The number of messages until the log ends for good. */
function predictLength(schedule: Schedule): number {
  if (schedule.some(([after, fault]) => after === 0 && fault === "refuse")) return 0;
  const ends = schedule.flatMap(([after, fault]) => after > 0 && fault === "close" ? after : []);
  return Math.min(length, ...ends);
}

function isLost(entry: unknown): boolean {
  return Array.isArray(entry) && entry[0] === "lost";
}

Deno.test("law 8: memory and a network give the same messages, codes and errors", async () => {
  for (const [schedule, transcript] of cases) {
    assertEquals((await readInMemory(schedule)).transcript, transcript);

    const { handler, shutDown } = serveLog(schedule, denoSockets, createFetchHandler);
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => handler()(request));
    assertEquals(await readLog(`http://127.0.0.1:${server.addr.port}`, undefined), transcript);
    await shutDown();
    await server.shutdown();
  }
});

Deno.test("the option keepAlive of a server keeps a quiet connection from being silent", async () => {
  const opened: number[] = [];
  const implementation = defineServer(quiet).implement({
    feed: ({ response }) =>
      response(101, async (socket) => {
        opened.push(opened.length);
        await new Promise((resolve) => setTimeout(resolve, opened.length === 1 ? 300 : 0));
        await socket.send(7);
      }),
  });
  const handler = createFetchHandler(implementation, { sockets: memorySockets({ keepAlive: 20 }) });
  const client = createClient(quiet, { baseUrl: "https://a.example", fetch: handler });
  const feed = connect(client.feed, {}, { open: openInMemory(handler), silence: 150 });
  const messages: number[] = [];
  for await (const message of feed) messages.push(message);
  assertEquals([messages, opened], [[7], [0]]);
});

const quiet = defineContract({
  routes: {
    feed: route.get("/feed", {
      responses: { 101: response.socket({ fromClient: type("number"), fromServer: type("number") }) },
    }),
  },
});
