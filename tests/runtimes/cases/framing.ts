import type { Case } from "../case.ts";
import { exchange } from "../exchange.ts";

/** The heads of the responses to requests that follow each other in one connection. */
async function askInOrder(baseUrl: string, requests: readonly string[]): Promise<string> {
  const last = requests.length - 1;
  const heads = requests.map((line, index) =>
    `${line} HTTP/1.1\r\nHost: a\r\n${index === last ? "Connection: close\r\n" : ""}\r\n`
  );
  return await exchange(baseUrl, heads.join("")).catch(() => "reset");
}

/** Whether the head of a response arrives long before its first item. */
async function startsEarly(url: string): Promise<boolean> {
  const started = performance.now();
  const response = await fetch(url);
  const isEarly = performance.now() - started < 1_000;
  await response.body?.cancel();
  return isEarly;
}

/** What a socket of a page receives back. */
function echo(baseUrl: string): Promise<string> {
  const headers = { origin: "https://app.example.com" };
  const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/framed/socket`, { headers } as never); // the standard type lacks headers
  return new Promise((resolve) => {
    const end = (result: string): void => {
      clearTimeout(timer);
      socket.onerror = socket.onclose = null;
      socket.close();
      resolve(result);
    };
    const timer = setTimeout(() => end("silence"), 3_000);
    socket.onopen = () => socket.send("hello");
    socket.onmessage = ({ data }) => end(data);
    socket.onerror = socket.onclose = () => end("refused");
  });
}

/** Responses whose headers fit their bodies. */
export const framing: readonly Case[] = [
  {
    name: "a handler's content-length does not reach into the next response",
    run: async (baseUrl) => {
      const answer = await askInOrder(baseUrl, ["GET /framed/text", "GET /framed/nowhere"]);
      return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    },
    gives: [200, 404],
  },
  {
    name: "a content-length that onResponse sets does not reach into the next response",
    run: async (baseUrl) => {
      const answer = await askInOrder(baseUrl, ["GET /framed/hooked", "GET /framed/nowhere"]);
      return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    },
    gives: [200, 404],
  },
  {
    name: "a native text that states its length is sent as text",
    run: async (baseUrl) => {
      const response = await fetch(`${baseUrl}/framed/native`);
      return [response.headers.get("content-type")?.toLowerCase().replace(" ", ""), await response.text()];
    },
    gives: ["text/plain;charset=utf-8", "naïve café"],
  },
  {
    name: "a stream that is longer than its content-length does not look complete",
    run: async (baseUrl) => {
      const read = (response: Response): Promise<string> | string => response.ok ? response.text() : "broken off";
      return await fetch(`${baseUrl}/framed/long`).then(read).catch(() => "broken off"); // or a 500, before the head is sent
    },
    gives: "broken off",
    differences: [{
      on: ["bun 1.4"],
      gives: "",
      why: "Bun 1.4.0 and 1.4.1 end the response of a failed stream as if it were complete; Bun 1.4.5 does not.",
    }],
  },
  {
    name: "a fetched response is sent as fetch has decoded it",
    run: async (baseUrl) => {
      const response = await fetch(`${baseUrl}/framed/proxied/zipped`);
      return [response.status, await response.text() === "hello ".repeat(50)];
    },
    gives: [200, true],
  },
  {
    name: "a fetched response fits its content-encoding if that has a space of another kind, which Node ignores",
    run: async (baseUrl) => {
      const [sent, received] = await Promise.all(["spaced", "proxied/spaced"].map(async (path) => {
        const response = await fetch(`${baseUrl}/framed/${path}`);
        return [response.headers.has("content-encoding"), String(new Uint8Array(await response.arrayBuffer()))];
      }));
      const decoded = [false, String(new TextEncoder().encode("hello ".repeat(50)))];
      return [sent, decoded].some((each) => String(each) === String(received));
    },
    gives: true,
  },
  {
    name: "form data that is not sent, for HEAD or a 304, does not end the process",
    run: async (baseUrl) => {
      const url = `${baseUrl}/framed/form`;
      const head = await fetch(url, { method: "HEAD" });
      const known = await fetch(url, { headers: { "if-none-match": '"1"' } });
      await new Promise((resolve) => setTimeout(resolve, 50));
      const got = await fetch(url);
      await got.body?.cancel();
      return [head.status, known.status, got.status];
    },
    gives: [200, 304, 200],
  },
  {
    name: "HEAD has no length but that of GET",
    run: async (baseUrl) => {
      const paths = ["/framed/fails", "/api/lines/some/head", "/api/events", "/api/download", "/api/raw"];
      const heads = await Promise.all(paths.map((path) => exchange(baseUrl, headOf(path))));
      return heads.filter((head) => /\r\ncontent-length: 0\r\n/i.test(head));
    },
    gives: [],
  },
  {
    name: "a text that onError returns is sent as text",
    run: async (baseUrl) => {
      const response = await fetch(`${baseUrl}/framed/fails`);
      return [response.status, response.headers.get("content-type")?.split(";")[0], await response.text()];
    },
    gives: [503, "text/plain", "Try again later"],
  },
  {
    name: "a text that onResponse returns for a native response is sent as text",
    run: async (baseUrl) => {
      const response = await fetch(`${baseUrl}/framed/replaced`);
      return [response.status, response.headers.get("content-type")?.split(";")[0], await response.text()];
    },
    gives: [200, "text/plain", "Replaced"],
  },
  {
    name: "the head of quiet events and lines is sent before their first item",
    run: async (baseUrl) =>
      await Promise.all(["events", "lines"].map((path) => startsEarly(`${baseUrl}/framed/${path}`))),
    gives: [true, true],
  },
  {
    name: "the head of quiet bytes is sent before them",
    run: (baseUrl) => startsEarly(`${baseUrl}/framed/bytes`),
    gives: true,
    differences: [{
      on: ["bun"],
      gives: false,
      why:
        "Bun sends the head of a response with its first byte. Events and NDJSON begin with one that readers ignore.",
    }],
  },
  {
    name: "a WebSocket opens with cors and onResponse",
    run: echo,
    gives: "hello",
    differences: [{
      on: ["node"],
      gives: "refused",
      why: "Node's adapters do not pass upgrades to fetch handlers: add a WebSocket server to their HTTP server.",
    }],
  },
];

function headOf(path: string): string {
  return `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
}
