/** Bad inputs over TCP, and how each ends: for servers of every runtime. */
import { assertEquals, assertMatch } from "@std/assert";
import { RawClient, toFrame } from "./raw_client.ts";

/** A case: what is done, and how it ends. */
export interface BadInput {
  readonly name: string;
  readonly run: (port: number) => Promise<readonly string[] | string>;
  /** What it returns. */
  readonly expected: RegExp | readonly string[];
  /** Why it is not so on Workers. */
  readonly notOnWorkers?: string;
  /** Why it is not so on the oldest supported Bun. */
  readonly notOnOldBun?: string;
}

/** Runs a case against the server at a port. */
export async function checkBadInput({ run, expected }: BadInput, port: number): Promise<void> {
  const found = [await run(port)].flat();
  if (expected instanceof RegExp) assertMatch(found.join("\n"), expected);
  else assertEquals(found, expected);
}

/** Sends a handshake. Returns the status line, and the code of the problem document. */
async function refuse(
  port: number,
  path: string,
  changed: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [client, head] = await RawClient.open(port, path, changed);
  client.break();
  const code = /"code":"([\w-]+)"|"message":"([^"]+)"/.exec(head);
  return `${head.slice("HTTP/1.1 ".length, "HTTP/1.1 ".length + 3)} ${code?.[1] ?? code?.[2] ?? ""}`.trim();
}

/** Sends messages. Returns all that comes back until the end. */
async function talk(port: number, path: string, messages: readonly Uint8Array[]): Promise<string[]> {
  const client = await RawClient.upgrade(port, path);
  for (const message of messages) await client.write(message);
  const heard: string[] = [];
  do heard.push(await client.next()); while (!/^\d{4}\b/.test(heard.at(-1)!));
  client.break();
  return heard;
}

/**
 * Sends a message, and another one when the first is answered: a runtime that refuses the second one by itself may do so
 * before. Returns the answer and the end.
 */
async function answerThenEnd(port: number, path: string, first: Uint8Array, second: Uint8Array): Promise<string[]> {
  const client = await RawClient.upgrade(port, path);
  await client.write(first);
  const answer = await client.next();
  await client.write(second).catch(() => {}); // it may be refused while it is on its way
  const heard = [answer, await client.end()];
  client.break();
  return heard;
}

const text = (content: string): Uint8Array => toFrame(content, 1);
const valid = text('{"text":"a"}');

const handshakes: Readonly<Record<string, readonly [string, string, Readonly<Record<string, string | undefined>>]>> = {
  "no upgrade": ["426 upgrade-required", "/echo", { Upgrade: undefined, Connection: "close" }],
  "version 12": ["426 upgrade-required", "/echo", { "Sec-WebSocket-Version": "12" }],
  "no key": ["400 invalid-upgrade", "/echo", { "Sec-WebSocket-Key": undefined }],
  "a malformed key": ["400 invalid-upgrade", "/echo", { "Sec-WebSocket-Key": "abc" }],
  "a declared 404": ["404 No room attic", "/rooms/attic", {}],
  "no credential": ["401 unauthorized", "/secured", {}],
  "a page of another origin": ["403 cross-site", "/echo", { Origin: "https://evil.example" }],
  "a page of the origin null": ["403 cross-site", "/echo", { Origin: "null" }],
  "an invalid query": ["400 invalid-request", "/echo?limit=x", {}],
  "no route": ["404 not-found", "/none", {}],
};

/** The cases of all runtimes. */
export const badInputs: readonly BadInput[] = [
  ...Object.entries(handshakes).map(([name, [expected, path, changed]]) => ({
    name: `a handshake: ${name}`,
    run: (port: number) => refuse(port, path, changed),
    expected: [expected],
    ...(name === "no key" && { notOnWorkers: "workerd answers it" }),
  })),
  {
    name: "a handshake without a connection field, which Node takes for a request without an upgrade",
    run: (port) => refuse(port, "/echo", { Connection: undefined }),
    notOnWorkers: "workerd accepts it",
    expected: /^(?:400 invalid-upgrade|426 upgrade-required)$/,
  },
  {
    name: "an offered subprotocol that is not declared",
    notOnOldBun: "it selects the first one that is offered",
    run: async (port) => {
      const [client, head] = await RawClient.open(port, "/echo", { "Sec-WebSocket-Protocol": "chat, bearer.c2VjcmV0" });
      client.break();
      return `${head.slice(9, 12)} ${/sec-websocket-protocol/i.test(head)}`;
    },
    expected: ["101 false"],
  },
  {
    name: "a declared subprotocol among others",
    run: async (port) => {
      const [client, head] = await RawClient.open(port, "/secured", {
        "Sec-WebSocket-Protocol": "chat, json, bearer.c2VjcmV0",
      });
      const heard = [
        /sec-websocket-protocol: (.*)\r/i.exec(head)?.[1] ?? head,
        await client.next(),
        await client.next(),
      ];
      client.break();
      return heard;
    },
    expected: ["json", '{"text":"Ada json"}', "1000"],
  },
  {
    name: "malformed JSON",
    run: (port) => talk(port, "/echo", [text("{")]),
    expected: ["1007 The message is malformed"],
  },
  {
    name: "an invalid message",
    run: (port) => talk(port, "/echo", [valid, text('{"text":""}')]),
    expected: /^\{"text":"a"\}\n1007 text: Too small/,
  },
  {
    name: "binary data in place of text",
    run: (port) => talk(port, "/echo", [toFrame("{}", 2)]),
    expected: ["1003 messages must be text"],
  },
  {
    name: "text in place of binary data",
    run: (port) => talk(port, "/bytes", [toFrame("ab", 2), text("x")]),
    expected: ["98,97", "1003 messages must be binary"],
  },
  {
    name: "text that is not UTF-8",
    run: (port) => talk(port, "/echo", [toFrame(new Uint8Array([255]), 1)]),
    expected: /^10(?:07|02|06)\b/,
  },
  {
    name: "a message that is too long",
    run: (port) => answerThenEnd(port, "/small", valid, text(" ".repeat(41))),
    expected: /^\{"text":"a"\}\n1009\b/,
  },
  {
    name: "a message of 200 KB",
    run: (port) => talk(port, "/echo", [text(" ".repeat(200_000))]),
    expected: /^1009\b|^1006$/,
  },
  {
    name: "a handler that throws",
    run: (port) => talk(port, "/throws", []),
    expected: ['{"text":"first"}', "1011 internal error"],
  },
  { name: "a handler that returns", run: (port) => talk(port, "/returns", []), expected: ['{"text":"only"}', "1000"] },
  {
    name: "a message that JSON cannot carry",
    run: (port) => talk(port, "/misfit", [text('{"text":"undefined"}')]),
    expected: ["1011 internal error"],
  },
  {
    name: "a declared close code",
    run: (port) => talk(port, "/closes", [text('{"text":"over"}')]),
    expected: ["4001 over"],
  },
  {
    name: "a close code that is a text",
    run: (port) => talk(port, "/closes", [text('{"text":"text"}'), text('{"text":"over"}')]),
    expected: [
      '{"text":"Cannot close a connection of GET /closes (closes): the code must be 1000 or 4001, got \\"4001\\""}',
      "4001 over",
    ],
  },
  {
    name: "a handshake that offers several protocols to upgrade to",
    run: async (port) => {
      await endsOf(port, 0);
      return [await refuse(port, "/echo", { Upgrade: "h2c, WebSocket" }), ...await endsOf(port, 1)];
    },
    expected: ["101", "echo 1006  0 0"],
    notOnWorkers: "workerd answers it",
  },
  {
    name: "a client that closes with a code, after messages",
    run: async (port) => {
      await endsOf(port, 0);
      const client = await RawClient.upgrade(port, "/echo");
      for (let count = 0; count < 3; count++) await client.write(valid);
      for (let count = 0; count < 3; count++) await client.next();
      await client.close(4123);
      const answer = await client.end();
      client.break();
      return [answer, ...await endsOf(port, 1)];
    },
    expected: ["4123", "echo 4123  3 3"],
  },
  {
    name: "a client that closes without a code",
    run: async (port) => {
      await endsOf(port, 0);
      const client = await RawClient.upgrade(port, "/echo");
      await client.send(new Uint8Array(0), { opcode: 8 });
      await client.end();
      client.break();
      return await endsOf(port, 1);
    },
    expected: ["echo 1005  0 0"],
  },
  {
    name: "a client that breaks off",
    run: async (port) => {
      await stateOf(port);
      const client = await RawClient.upgrade(port, "/echo");
      await client.write(valid);
      const heard = await client.next();
      await endsOf(port, 0);
      client.break();
      return [heard, ...await stateOf(port, 1), ...await endsOf(port, 1)];
    },
    expected: ['{"text":"a"}', "echo aborted", "0", "echo 1006  1 1"],
  },
  {
    name: "a client that breaks off, for onClose",
    run: async (port) => {
      await endsOf(port, 0);
      const client = await RawClient.upgrade(port, "/echo");
      await client.write(valid);
      await client.next();
      client.break();
      return await endsOf(port, 1);
    },
    expected: ["echo 1006  1 1"],
  },
  {
    name: "a client that reads nothing while nothing awaits send()",
    notOnWorkers: "they do not tell how much waits",
    run: async (port) => {
      await stateOf(port);
      const client = await RawClient.upgrade(port, "/flood");
      const state = await stateOf(port, 1);
      client.break();
      return state[0]!;
    },
    expected: ["flood AbortError true"],
  },
  {
    name: "a client that reads nothing while send() is awaited",
    notOnWorkers: "they do not tell how much waits",
    run: async (port) => {
      await stateOf(port);
      const client = await RawClient.upgrade(port, "/waits");
      const [waits] = await stateOf(port, 1);
      client.break();
      return [waits!, ...await stateOf(port, 1)];
    },
    expected: ["waits true", "waits over", "0"],
  },
  {
    name: "a client that reads fast and leaves while send() is awaited",
    run: async (port) => {
      await stateOf(port);
      const client = await RawClient.upgrade(port, "/endless");
      for (let count = 0; count < 20_000; count++) await client.next();
      client.break();
      return await stateOf(port, 1);
    },
    expected: ["endless over", "0"],
  },
];

/** Returns how connections have ended since the last call: after so many ends, with a code, a reason and two numbers. */
export async function endsOf(port: number, count: number): Promise<string[]> {
  const ends: string[] = [];
  for (let tries = 0; tries < 200; tries++) {
    ends.push(...await (await fetch(`http://127.0.0.1:${port}/ends`)).json());
    if (ends.length >= count) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return ends;
}

/** Returns the log of the server since the last call, after so many lines, and the number of its connections. */
export async function stateOf(port: number, lines = 0): Promise<string[]> {
  const heard: string[] = [];
  for (let tries = 0; tries < 400; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/state`);
    const { log, size } = await answer.json() as { log: string[]; size: number };
    heard.push(...log);
    if (heard.length >= lines && (lines === 0 || size === 0 || tries > 20)) return [...heard, String(size)];
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return [...heard, "nothing more came"];
}
