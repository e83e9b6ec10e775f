import { unwrap } from "@scope/api/client";
import type { Case } from "../case.ts";
import { waitFor } from "../wait_for.ts";
import { clientOf, failure, readLines } from "./call.ts";

/** Calls that reject, and the release of their resources. */
export const failures: readonly Case[] = [
  {
    name: "what the server refuses is unexpected-status, with its problem",
    run: async (baseUrl) => {
      const error = await clientOf(baseUrl).note({ body: { title: "" } }).catch((error) => error);
      return [error.code, error.status, error.problem.code, error.problem.issues[0].pointer];
    },
    gives: ["unexpected-status", 400, "invalid-request", "/title"],
  },
  {
    name: "another content type is unexpected-content-type",
    run: (baseUrl) => failure(clientOf(`${baseUrl}/odd/html`).echo({ params: { value: "x" } })),
    gives: { code: "unexpected-content-type", status: 200 },
  },
  {
    name: "a redirect to another origin is not followed",
    run: async (baseUrl) => {
      const call = clientOf(`${baseUrl}/odd/redirect`).text({ body: "secret" }, { headers: { "x-api-key": "secret" } });
      const error = await call.catch((error) => error);
      const seen = await (await fetch(`${baseUrl}/odd/redirected/`)).text();
      return [error.code, error.status, /redirects to "http:.*taken"/.test(error.message), seen];
    },
    gives: ["unexpected-status", 307, true, "0"],
    differences: [{
      on: ["chromium"],
      gives: ["unexpected-status", 0, false, "0"],
      why: "Pages cannot read the target of a redirect; the message says how to follow it.",
    }],
  },
  {
    name: "a redirect is not followed with a header that fetch would send to another origin",
    run: async (baseUrl) => {
      const options = { headers: { "x-api-key": "secret" }, init: { redirect: "follow" } } as const;
      const error = await clientOf(`${baseUrl}/odd/redirect`).text({ body: "" }, options).catch((error) => error);
      return [error.code, await (await fetch(`${baseUrl}/odd/redirected/`)).text()];
    },
    gives: ["invalid-input", "0"],
  },
  {
    name: "malformed JSON is invalid-body",
    run: (baseUrl) => failure(clientOf(`${baseUrl}/odd/malformed`).echo({ params: { value: "x" } })),
    gives: { code: "invalid-body", status: 200 },
  },
  {
    name: "a connection that breaks off in the body is network",
    run: (baseUrl) => failure(clientOf(`${baseUrl}/odd/broken`).text({ body: "x" })),
    gives: { code: "network", status: 200 },
  },
  {
    name: "a server that is not there is network",
    run: () => failure(clientOf("http://127.0.0.1:9").echo({ params: { value: "x" } })),
    gives: { code: "network" },
  },
  {
    name: "a signal that has aborted is aborted",
    run: (baseUrl) => failure(clientOf(baseUrl).method.delete({ signal: AbortSignal.abort() })),
    gives: { code: "aborted" },
  },
  {
    name: "a signal that aborts while the server thinks is aborted",
    run: (baseUrl) => {
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), 50);
      return failure(clientOf(`${baseUrl}/odd/silent`).text({ body: "x" }, { signal: leaving.signal }));
    },
    gives: { code: "aborted" },
  },
  {
    name: "a body that stalls is ended by the timeout",
    run: (baseUrl) => failure(clientOf(`${baseUrl}/odd/stalled`).text({ body: "x" }, { timeout: 1_000 })),
    gives: { code: "timeout", status: 200 },
  },
  {
    name: "a body past maxBodyBytes is invalid-body, and not waited for",
    run: (baseUrl) => failure(clientOf(`${baseUrl}/odd/stalled`).text({ body: "x" }, { maxBodyBytes: 7 })),
    gives: { code: "invalid-body", status: 200 },
  },
  {
    name: "leaving the loop closes the server's producer",
    run: async (baseUrl) => {
      const id = crypto.randomUUID();
      const lines: number[] = [];
      for await (const { line } of unwrap(await clientOf(baseUrl).lines({ params: { kind: "endless", id } }))) {
        lines.push(line);
        if (line === 2) break;
      }
      return [lines, await waitFor(baseUrl, id, "closed")];
    },
    gives: [[1, 2], "closed"],
  },
  {
    name: "a stream that fails is network",
    run: (baseUrl) => failure(readLines(baseUrl, "failing")),
    gives: { code: "network", status: 200 },
  },
  {
    name: "a stream that is aborted is aborted",
    run: (baseUrl) => {
      const leaving = new AbortController();
      return failure(readLines(baseUrl, "endless", { signal: leaving.signal }, () => leaving.abort()));
    },
    gives: { code: "aborted", status: 200 },
  },
  {
    name: "a stream that takes too long is ended by the timeout",
    run: (baseUrl) => failure(readLines(baseUrl, "endless", { timeout: 1_000 })),
    gives: { code: "timeout", status: 200 },
  },
];
