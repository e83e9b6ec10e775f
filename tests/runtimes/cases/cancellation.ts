import { type Case } from "../case.ts";
import { waitFor } from "../wait_for.ts";

export const cancellation: readonly Case[] = [
  {
    name: "a client that goes away aborts the handler's signal",
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
      why: "workerd tells a handler that waits nothing of a client that went away; it runs to its end.",
    }],
  },
  {
    name: "a client that leaves a stream closes its producer",
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
        "workerd calls the producer's `return()`, but resumes no generator that waits for a timer or a call then; `ctx.waitUntil` keeps it going.",
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
