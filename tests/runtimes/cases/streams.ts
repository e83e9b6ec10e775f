import { type Case, problem, show } from "../case.ts";
import { exchange, parseAnswer } from "../exchange.ts";
import { uploadApart } from "../upload.ts";
import { waitFor } from "../wait_for.ts";

export const streams: readonly Case[] = [
  {
    name: "a stream of bytes",
    run: async (baseUrl) => {
      const response = await fetch(`${baseUrl}/api/download`);
      return [
        response.headers.get("content-type"),
        response.headers.get("content-length"),
        (await response.bytes()).length,
      ];
    },
    gives: ["application/octet-stream", null, 500_000],
  },
  {
    name: "NDJSON",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/lines/some/1`), "content-type"),
    gives: { status: 200, "content-type": "application/x-ndjson", body: '{"line":1}\n{"line":2}\n{"line":3}\n' },
  },
  {
    name: "events",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/events`), "content-type"),
    gives: {
      status: 200,
      "content-type": "text/event-stream",
      body: 'data: {"line":1}\n\nevent: more\nid: é\nretry: 100\ndata: {"line":2}\n\n',
    },
  },
  {
    name: "a stream that fails does not end cleanly",
    run: async (baseUrl) => {
      const whole = fetch(`${baseUrl}/api/lines/failing/1`).then((response) => response.text());
      return await whole.then(() => "ended", () => "broken off"); // before or after the status, as the runtime's buffers have it
    },
    gives: "broken off",
    differences: [{
      on: ["bun 1.4"],
      gives: "ended",
      why: "Bun 1.4.0 and 1.4.1 end the response of a failed stream as if it were complete; Bun 1.4.5 does not.",
    }],
  },
  {
    name: "the rows of an upload come back one by one",
    run: async (baseUrl) => await sendRows(baseUrl, '{"line":1}\n{"line":2}\r\n\n{"line":3}\n'),
    gives: { status: 200, body: '{"line":1}\n{"line":2}\n{"line":3}\n' },
  },
  {
    name: "a row that is not JSON is 400, with its position",
    run: async (baseUrl) => await sendRows(baseUrl, "1}\n"),
    gives: {
      status: 400,
      body: {
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        code: "invalid-request",
        issues: [{ location: "body", message: "The item is not JSON in UTF-8", path: [0], pointer: "/0" }],
      },
    },
  },
  {
    name: "an upload is streamed",
    run: async (baseUrl) =>
      await show(await uploadApart(`${baseUrl}/api/upload`, new Blob([new Uint8Array(90_000)]).stream())),
    gives: { status: 200, body: 90_000 },
  },
  {
    name: "an upload that is too long is 413",
    run: async (baseUrl) =>
      await show(await uploadApart(`${baseUrl}/api/upload`, new Blob([new Uint8Array(150_000)]).stream())),
    gives: problem(413, "Content Too Large", "body-too-large"),
  },
  {
    name: "an upload that is not read gets a response",
    run: async (baseUrl) => await show(await uploadApart(`${baseUrl}/api/unread`, new Uint8Array(50_000))),
    gives: { status: 200, body: "unread" },
  },
  {
    name: "what is sent comes back while more is to be sent",
    run: (baseUrl) => echoWhileSending(baseUrl),
    gives: ["200", "first", "second"],
  },
  {
    name: "an echo whose client disconnects is not an error",
    run: async (baseUrl) => {
      for (const length of ["Content-Length: 5000", "Transfer-Encoding: chunked"]) {
        for (const pieces of [0, 1, 3]) await leaveEcho(baseUrl, length, pieces);
      }
      await new Promise((resolve) => setTimeout(resolve, 100)); // time for reports that must not happen
      return await (await fetch(`${baseUrl}/api/heard/duplex`)).json();
    },
    gives: [],
  },
  {
    name: "an echo of too long an upload is cut off, and told once to a hook that rejects",
    run: async (baseUrl) => {
      const ending = await overflowEcho(baseUrl);
      for (let tries = 0; tries < 80; tries++) {
        const heard = await (await fetch(`${baseUrl}/api/heard/duplex`)).json();
        if (heard.length > 0) return [...ending, ...heard];
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      return ending;
    },
    gives: ["200", "cut off", "stream"],
  },
  {
    name: "a stream that middleware replaces is closed",
    run: (baseUrl) => askBehind(baseUrl, "replaced"),
    gives: [202, "replaced", "closed"],
  },
  {
    name: "a stream that a handler returns after the response was sent is closed",
    run: (baseUrl) => askBehind(baseUrl, "raced"),
    gives: [202, "raced", "closed"],
    differences: [{
      on: ["workerd"],
      gives: [202, "raced", "unknown"],
      why: "workerd stops code that is still running after the response; `ctx.waitUntil()` keeps it running.",
    }],
  },
  {
    name: "a stream that middleware makes another of is not closed under it",
    run: async (baseUrl) => {
      const id = crypto.randomUUID();
      const { body } = await show(await fetch(`${baseUrl}/api/behind/copied/${id}`));
      return [body, await waitFor(baseUrl, id, "waiting")];
    },
    gives: ['{"line":1}\n{"line":2}\n{"line":3}\n', "waiting"], // it has ended by itself
  },
  {
    name: "raw is the handler's response as it is",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/raw`), "x-raw"),
    gives: { status: 202, "x-raw": "1", body: "as it is" },
  },
  {
    name: "raw is what fetch resolved to",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/fetched`)),
    gives: { status: 200, body: "fetched" },
  },
  {
    name: "a malformed chunked body is rejected",
    run: async (baseUrl) => {
      const head =
        "POST /api/upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/octet-stream\r\n";
      return parseAnswer(await exchange(baseUrl, `${head}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`)).status ||
        "no answer";
    },
    gives: 400,
    differences: [{
      on: ["deno 2.2"],
      gives: 400,
      why: "Deno 2.2 responds with 400, like the other runtimes.",
    }, {
      on: ["deno"],
      gives: "no answer",
      why: "Deno closes the connection; the others respond with 400 first.",
    }],
  },
];

/**
 * Sends one chunk, waits for its echo, and sends another: by hand, because `fetch` cannot send and receive at once over
 * HTTP/1.1.
 */
async function echoWhileSending(baseUrl: string): Promise<string[]> {
  const { hostname, port } = new URL(baseUrl);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const send = (text: string): Promise<number> => connection.write(new TextEncoder().encode(text));
  await send("POST /api/duplex HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n");
  await send("Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
  let answer = "";
  const found: string[] = [];
  const timer = setTimeout(() => connection.close(), 3000);
  try {
    for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) {
      answer += chunk;
      if (found.length === 0 && answer.includes("first")) {
        found.push(answer.slice(9, 12), "first");
        await send("6\r\nsecond\r\n0\r\n\r\n");
      }
      if (answer.includes("second")) return [...found, "second"];
    }
  } catch {
    /* closed by the timer */
  } finally {
    clearTimeout(timer);
  }
  return found;
}

/** Asks for a stream behind middleware that sends something else, and waits until its producer was closed. */
async function askBehind(baseUrl: string, how: string): Promise<unknown[]> {
  const id = crypto.randomUUID();
  const { status, body } = await show(await fetch(`${baseUrl}/api/behind/${how}/${id}`));
  return [status, body, await waitFor(baseUrl, id, "closed")];
}

const duplexHead = "POST /api/duplex HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n";

/** Begins an upload that is sent back, and closes the connection in the middle of it. */
async function leaveEcho(baseUrl: string, length: string, pieces: number): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const piece = length.startsWith("Content") ? "piece" : "5\r\npiece\r\n";
  await connection.write(new TextEncoder().encode(`${duplexHead}${length}\r\n\r\n${piece.repeat(pieces)}`));
  await new Promise((resolve) => setTimeout(resolve, 30));
  connection.close();
}

/** Uploads more than the limit to a route that sends it back; returns the status, and whether the response ended. */
async function overflowEcho(baseUrl: string): Promise<string[]> {
  const { hostname, port } = new URL(baseUrl);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const send = async (text: string): Promise<void> => {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  };
  await send(`${duplexHead}Transfer-Encoding: chunked\r\n\r\n`);
  const sending = (async () => {
    for (let chunk = 0; chunk < 13; chunk++) {
      await send(`2710\r\n${"x".repeat(10_000)}\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })().catch(() => {}); // the server may have closed the connection
  let answer = "";
  try {
    for await (const text of connection.readable.pipeThrough(new TextDecoderStream())) answer += text;
  } catch {
    /* reset */
  }
  await sending;
  return [answer.slice(9, 12), answer.endsWith("0\r\n\r\n") ? "ended" : "cut off"];
}

async function sendRows(baseUrl: string, body: string): Promise<unknown> {
  const headers = { "content-type": "application/x-ndjson" };
  return await show(await fetch(`${baseUrl}/api/rows`, { method: "POST", body, headers }));
}
