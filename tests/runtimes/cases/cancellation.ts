import type { Case } from "../case.ts";
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
    name: "watchBody() tells the end of a stream once, also if it fails or the client disconnects",
    run: async (baseUrl) => {
      const ids = { finite: crypto.randomUUID(), failing: crypto.randomUUID(), endless: crypto.randomUUID() };
      await (await fetch(`${baseUrl}/api/lines/finite/${ids.finite}`)).text();
      await fetch(`${baseUrl}/api/lines/failing/${ids.failing}`).then((response) => response.text()).catch(() => {});
      const reader = (await fetch(`${baseUrl}/api/lines/endless/${ids.endless}`)).body!.getReader();
      await reader.read();
      await reader.cancel();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const ends = Object.values(ids).map(async (id) => await (await fetch(`${baseUrl}/api/waits/${id}/ends`)).text());
      return await Promise.all(ends);
    },
    gives: ["1", "1", "1"],
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
