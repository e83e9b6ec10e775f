import { type Case } from "../case.ts";

/** Asks for the state of a call until it is the wanted one, for two seconds at most. */
async function waitFor(url: string, wanted: string): Promise<string> {
  let state = "";
  for (let tries = 0; tries < 80 && state !== wanted; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    state = await (await fetch(url)).text();
  }
  return state;
}

export const cancellation: readonly Case[] = [
  {
    name: "a client that goes away aborts the handler's signal",
    run: async (baseUrl) => {
      const url = `${baseUrl}/api/waits/${crypto.randomUUID()}`;
      const leaving = new AbortController();
      const call = fetch(url, { signal: leaving.signal }).then(() => "answered", () => "left");
      const before = await waitFor(`${url}/state`, "waiting");
      leaving.abort();
      return [before, await call, await waitFor(`${url}/state`, "aborted")];
    },
    gives: ["waiting", "left", "aborted"],
    differences: [{
      on: ["workerd"],
      gives: ["waiting", "left", "waiting"],
      why: "workerd tells a handler that waits nothing of a client that went away; it runs to its end.",
    }],
  },
];
