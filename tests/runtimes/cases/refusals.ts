import { type Case, show } from "../case.ts";

const post = { method: "POST", headers: { "content-type": "application/json" } };
const refused = (status: number, error: string): object => ({ status, body: { error } });

/** Refusals in the application's own shape. */
export const refusals: readonly Case[] = [
  {
    name: "a path that no route has",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/shaped/elsewhere`)),
    gives: refused(404, "not-found of no route"),
  },
  {
    name: "malformed JSON, and a body that its schema refuses",
    run: async (baseUrl) => {
      const bodies = ["{", '{"title":""}'];
      return await Promise.all(
        bodies.map(async (body) => await show(await fetch(`${baseUrl}/shaped/note`, { ...post, body }))),
      );
    },
    gives: [refused(400, "invalid-body of note"), refused(400, "invalid-request of note")],
  },
  {
    name: "a body past its limit, by its length and by its chunks, which the handler reads",
    run: async (baseUrl) => {
      const headers = { "content-type": "application/octet-stream" };
      const bodies = [new Uint8Array(1001), new Blob([new Uint8Array(1001)]).stream()];
      return await Promise.all(
        bodies.map(async (body) =>
          await show(await fetch(`${baseUrl}/shaped/upload`, { method: "POST", headers, body }))
        ),
      );
    },
    gives: [refused(413, "body-too-large of upload"), refused(413, "body-too-large of upload")],
  },
  {
    name: "a handler that throws, and a middleware that does",
    run: async (baseUrl) =>
      await Promise.all(
        ["fails", "behind/fails"].map(async (path) => await show(await fetch(`${baseUrl}/shaped/${path}`))),
      ),
    gives: [refused(500, "internal-error of fails"), refused(500, "internal-error of behind")],
  },
  {
    name: "a result of a middleware stays as it is",
    run: async (baseUrl) =>
      await Promise.all(
        ["answers", "passes"].map(async (how) => await show(await fetch(`${baseUrl}/shaped/behind/${how}`))),
      ),
    gives: [refused(400, "its own"), { status: 200, body: "the handler" }],
  },
];
