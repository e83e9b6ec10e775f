/** What a client does in every runtime, against a server of the test's own. It runs there, so it asks for nothing of Deno. */
import { type CallOptions, ClientError, createClient, unwrap } from "@scope/api/client";
import { type Case } from "./case.ts";
import { contract } from "./contract.ts";
import { waitFor } from "./wait_for.ts";

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

/** Reads a whole stream of lines, if it ends. */
async function readLines(baseUrl: string, kind: string, options: CallOptions = {}): Promise<number> {
  let count = 0;
  const result = await clientOf(baseUrl).lines({ params: { kind, id: crypto.randomUUID() } }, options);
  for await (const _ of unwrap(result)) count++;
  return count;
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
  {
    name: "an optional body may be left out",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).optional()),
    gives: "absent",
  },
  {
    name: "a form there and back",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).form({ body: { name: "é & ü", tag: ["a", "b"] } })),
    gives: { name: "é & ü", tag: ["a", "b"] },
  },
  {
    name: "form data with a file",
    run: async (baseUrl) => {
      const page = new File(["at sea"], "one é.txt", { type: "text/x-page" });
      return unwrap(await clientOf(baseUrl).formData({ body: { title: "é", page } }));
    },
    gives: [["title", "é"], ["page", "one é.txt", "text/x-page", "at sea"]],
  },
  {
    name: "an upload from a stream",
    run: async (baseUrl) => {
      const body = new Blob([new Uint8Array(90_000)]).stream();
      try {
        return unwrap(await clientOf(baseUrl).upload({ body }));
      } catch (error) {
        return error instanceof ClientError ? error.code : String(error);
      }
    },
    gives: 90_000,
    differences: [{
      on: ["chromium"],
      gives: "network",
      why: "Browsers send a stream over HTTP/2 or later alone; over HTTP/1.1 the call is `network`.",
    }],
  },
  {
    name: "an upload from a generator",
    run: async (baseUrl) => {
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for (let count = 0; count < 3; count++) yield await Promise.resolve(new Uint8Array(1000));
      }
      try {
        return unwrap(await clientOf(baseUrl).upload({ body: chunks() }));
      } catch (error) {
        return error instanceof ClientError ? error.code : String(error);
      }
    },
    gives: 3000,
    differences: [{
      on: ["chromium"],
      gives: "network",
      why: "Browsers send a stream over HTTP/2 or later alone; over HTTP/1.1 the call is `network`.",
    }],
  },
  {
    name: "a stream of bytes is a ReadableStream",
    run: async (baseUrl) => {
      const body = unwrap(await clientOf(baseUrl).download());
      return [body instanceof ReadableStream, (await new Response(body).arrayBuffer()).byteLength];
    },
    gives: [true, 500_000],
  },
  {
    name: "NDJSON is a loop over its items",
    run: async (baseUrl) => {
      const lines: number[] = [];
      const result = await clientOf(baseUrl).lines({ params: { kind: "some", id: "client" } });
      for await (const { line } of unwrap(result)) lines.push(line);
      return lines;
    },
    gives: [1, 2, 3],
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
    name: "events are a loop over them",
    run: async (baseUrl) => {
      const events: unknown[] = [];
      for await (const event of unwrap(await clientOf(baseUrl).events())) events.push(event);
      return JSON.parse(JSON.stringify(events));
    },
    gives: [{ data: { line: 1 } }, { data: { line: 2 }, event: "more", id: "é", retry: 100 }],
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
      setTimeout(() => leaving.abort(), 100);
      return failure(readLines(baseUrl, "endless", { signal: leaving.signal }));
    },
    gives: { code: "aborted", status: 200 },
  },
  {
    name: "a stream that takes too long is ended by the timeout",
    run: (baseUrl) => failure(readLines(baseUrl, "endless", { timeout: 200 })),
    gives: { code: "timeout", status: 200 },
  },
  {
    name: "a declared problem is a result",
    run: async (baseUrl) => {
      const { status, body } = await clientOf(baseUrl).problem();
      return { status, body };
    },
    gives: { status: 403, body: { title: "Not yours", status: 403, code: "not-yours" } },
  },
  {
    name: "raw is the native response",
    run: async (baseUrl) => {
      const { body } = await clientOf(baseUrl).raw();
      return [body instanceof Response, body.headers.get("x-raw"), await body.text()];
    },
    gives: [true, "1", "as it is"],
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
