/** What a client does in every runtime, against a server of the test's own. It runs there, so it asks for nothing of Deno. */
import { ClientError, createClient, unwrap } from "@scope/api/client";
import { type Case } from "./case.ts";
import { contract } from "./contract.ts";

function clientOf(baseUrl: string): ReturnType<typeof createClient<typeof contract>> {
  return createClient(contract, { baseUrl });
}

/** What is compared of a call that rejects. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: JSON.stringify(await call) };
  } catch (error) {
    if (!(error instanceof ClientError)) return { threw: String(error) };
    return { code: error.code, ...(error.status !== undefined && { status: error.status }) };
  }
}

export const clientCases: readonly Case[] = [
  {
    name: "a path parameter arrives as it was given",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).echo({ params: { value: "a/b %25 é\u{1F30D}" } })),
    gives: { value: "a/b %25 é\u{1F30D}" },
  },
  {
    name: "a query's list arrives in its order",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).query({ query: { tag: ["b", "a c"], word: "é&=" } })),
    gives: { tag: ["b", "a c"], word: "é&=" },
  },
  {
    name: "header fields arrive",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).headers({ headers: { "x-value": "one" } })),
    gives: { "x-value": "one" },
  },
  {
    name: "JSON there and back, with a declared header",
    run: async (baseUrl) => {
      const result = await clientOf(baseUrl).note({ body: { title: "naïve" } });
      return result.status === 201 ? [result.body, result.headers.location] : result.status;
    },
    gives: [{ title: "naïve" }, "/api/note/na%C3%AFve"],
  },
  {
    name: "a declared 409 is a result",
    run: async (baseUrl) => {
      const { status, body } = await clientOf(baseUrl).note({ body: { title: "taken" } });
      return { status, body };
    },
    gives: { status: 409, body: { value: "taken" } },
  },
  {
    name: "a codec's date is a Date",
    run: async (baseUrl) => {
      const { at } = unwrap(await clientOf(baseUrl).meeting({ body: { at: new Date(0) } }));
      return [at instanceof Date, at.getTime()];
    },
    gives: [true, 0],
  },
  {
    name: "text there and back",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).text({ body: "naïve \u{1F30D}\r\n" })),
    gives: "naïve \u{1F30D}\r\n",
  },
  {
    name: "bytes there and back, from a view, a buffer and a Blob",
    run: async (baseUrl) => {
      const { bytes } = clientOf(baseUrl);
      const view = new Uint8Array([9, 0, 255, 128, 9]).subarray(1, 4);
      const bodies = [view, view.slice().buffer, new Blob([view])];
      const answers = await Promise.all(bodies.map((body) => bytes({ body })));
      return answers.map((answer) => [...unwrap(answer)]);
    },
    gives: [[0, 255, 128], [0, 255, 128], [0, 255, 128]],
  },
  {
    name: "204 has no body",
    run: async (baseUrl) => {
      const { status, body } = await clientOf(baseUrl).method.delete();
      return [status, body === undefined];
    },
    gives: [204, true],
  },
  {
    name: "QUERY sends its body",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).method.query({ body: { title: "asked" } })),
    gives: { title: "asked" },
  },
  {
    name: "a Cookie field that a caller sets is sent",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).cookie({ headers: { cookie: "a=1" } })),
    gives: "a=1",
    differences: [{
      on: ["chromium"],
      gives: "",
      why: "A page may not set `Cookie`; the browser drops it and sends its own, by `init: { credentials }`.",
    }],
  },
  {
    name: "each Set-Cookie is seen",
    run: async (baseUrl) => (await clientOf(baseUrl).cookie()).response.headers.getSetCookie().length,
    gives: 2,
    differences: [{
      on: ["chromium"],
      gives: 0,
      why: "A page does not see `Set-Cookie`; the browser keeps the cookies itself.",
    }],
  },
  {
    name: "a base URL that is a path",
    run: async () => {
      try {
        return unwrap(await clientOf("/").text({ body: "here" }));
      } catch (error) {
        return error instanceof TypeError ? "TypeError" : String(error);
      }
    },
    gives: "TypeError",
    differences: [{
      on: ["chromium"],
      gives: "here",
      why: "A page has a location that a relative `baseUrl` is resolved by; elsewhere it is refused.",
    }],
  },
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
    run: (baseUrl) => failure(clientOf(`${baseUrl}/odd/stalled`).text({ body: "x" }, { timeout: 100 })),
    gives: { code: "timeout", status: 200 },
  },
  {
    name: "a path parameter that no URL carries is invalid-input",
    run: (baseUrl) => failure(clientOf(baseUrl).echo({ params: { value: ".." } })),
    gives: { code: "invalid-input" },
  },
];

/** Runs every case here, and gives what each gave by its name. */
export async function runClientCases(baseUrl: string): Promise<Record<string, unknown>> {
  const gave: Record<string, unknown> = {};
  for (const { name, run } of clientCases) {
    gave[name] = await run(baseUrl).catch((error) => ({ threw: String(error) }));
  }
  return gave;
}
