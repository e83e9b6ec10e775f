import { type Case } from "../case.ts";
import { waitFor } from "../wait_for.ts";

export const cancellation: readonly Case[] = [
  {
    name: "the handler's signal aborts when the client disconnects",
    run: async (baseUrl) => {
      const id = crypto.randomUUID();
      const leaving = new AbortController();
      const call = fetch(`${baseUrl}/api/waits/${id}`, { signal: leaving.signal }).then(() => "answered", () => "left");
      const before = await waitFor(baseUrl, id, "waiting");
      leaving.abort();
      return [before, await call, await waitFor(baseUrl, id, "aborted")];
    },
    gives: ["waiting", "left", "aborted"],
    differences: [{
      on: ["workerd"],
      gives: ["waiting", "left", "waiting"],
      why: "workerd does not report the disconnect to a waiting handler, which runs to its end.",
    }],
  },
  {
    name: "a producer is closed when the client disconnects",
    run: async (baseUrl) => {
      const id = crypto.randomUUID();
      const response = await fetch(`${baseUrl}/api/lines/endless/${id}`);
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      const before = await waitFor(baseUrl, id, "waiting");
      await reader.cancel();
      return [new TextDecoder().decode(value).split("\n", 1)[0], before, await waitFor(baseUrl, id, "closed")];
    },
    gives: ['{"line":1}', "waiting", "closed"],
    differences: [{
      on: ["workerd"],
      gives: ['{"line":1}', "waiting", "waiting"],
      why:
        "workerd calls the producer's `return()`, but does not resume a generator that waits for a timer or a call; `ctx.waitUntil()` keeps it running.",
    }],
  },
  {
    name: "HEAD closes the producer of a stream",
    run: async (baseUrl) => {
      const id = crypto.randomUUID();
      const { status } = await fetch(`${baseUrl}/api/lines/endless/${id}`, { method: "HEAD" });
      return [status, await (await fetch(`${baseUrl}/api/waits/${id}/state`)).text()];
    },
    gives: [200, "unknown"], // a generator that is closed before it began runs nothing
  },
];
