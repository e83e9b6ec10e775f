/** Without a valid credential nothing of a request but its head is read, over real sockets. */
import { defineContract, request, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type } from "arktype";

const token = security.bearer("token", { scopes: ["write"] });
const session = security.cookie("session", { cookie: "session" });

const touched: string[] = [];
const body = type("unknown").pipe((body) => (touched.push("schema"), body));
const contract = defineContract({
  security: [token.scoped("write"), session],
  responses: { 429: response.problem() },
  routes: {
    json: route.post("/json", { body: request.json(body), responses: { 200: response.text() } }),
    stream: route.post("/stream", { body: request.stream(), responses: { 200: response.text() } }),
    guarded: route.post("/guarded", { body: request.bytes(), responses: { 200: response.text() } }),
  },
});
const server = defineServer(contract, {
  security: [
    verify(token, ({ token }) => token === "bad" ? null : { scopes: token === "good" ? ["write"] : [] }),
    verify(session, ({ value, response }) => {
      if (value === "limited") throw response(429);
      return undefined;
    }),
  ],
  context: () => (touched.push("context"), {}),
}).use(({ next }) => (touched.push("middleware"), next()));
const handled = (): { readonly status: 200; readonly body: string } => {
  touched.push("handler");
  return { status: 200, body: "let in" };
};
const implementation = server.implement({
  json: handled,
  stream: handled,
  guarded: server.at(contract.routes.guarded).guard(({ response }) => response(429)).implement(handled),
});

/** A request and its expected response: its path, its header fields, the status. */
const refused: readonly [path: string, fields: readonly string[], status: number][] = [
  ["/json", [], 401],
  ["/stream", [], 401],
  ["/json", ["authorization: Bearer bad"], 401],
  ["/json", ["authorization: Bearer a b"], 401],
  ["/json", ["authorization: Bearer a", "authorization: Bearer good"], 401],
  ["/stream", ["authorization: Bearer weak"], 403],
  ["/json", ["cookie: session=expired"], 401],
  ["/json", ["cookie: session=limited"], 429],
  ["/json", ["cookie: session=a", "origin: https://evil.example"], 403],
  ["/guarded", ["authorization: Bearer good"], 429],
];

/** Serves for as long as `use` takes, and reports for each request whether its body was used. */
async function serving(use: (port: number) => Promise<void>): Promise<readonly boolean[]> {
  const used: boolean[] = [];
  const handler = createFetchHandler(implementation);
  const listener = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const answer = await handler(request);
    used.push(request.bodyUsed || request.body?.locked === true);
    return answer;
  });
  try {
    await use(listener.addr.port);
  } finally {
    await listener.shutdown();
  }
  return used;
}

/** Sends a head, and reads the head of the response before any part of the body is sent. */
async function askWithoutBody(port: number, path: string, fields: readonly string[]): Promise<string> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    "content-length: 20000000",
    "content-type: application/json",
  ];
  await socket.write(new TextEncoder().encode([...head, ...fields, "", ""].join("\r\n")));
  let text = "";
  const chunk = new Uint8Array(4_096);
  while (!text.includes("\r\n\r\n")) {
    const length = await socket.read(chunk);
    if (length === null) break;
    text += new TextDecoder().decode(chunk.subarray(0, length));
  }
  return text;
}

Deno.test("an unauthorized caller is refused before a byte of the body is sent", async () => {
  touched.length = 0;
  const used = await serving(async (port) => {
    for (const [path, fields, status] of refused) {
      const answer = await askWithoutBody(port, path, fields);
      assertMatch(answer, new RegExp(`^HTTP/1\\.1 ${status} `), `${path} ${fields}`);
      assert(answer.toLowerCase().includes("cache-control: no-store"), answer);
    }
  });
  assertEquals([touched, used.length, used.includes(true)], [[], refused.length, false]);
});

Deno.test("an unauthorized upload of 20 MB is refused like one of a byte, and is not read", async () => {
  touched.length = 0;
  const chunk = new Uint8Array(100_000).fill(32);
  const used = await serving(async (port) => {
    for (const [path, fields, status] of refused) {
      const answers: unknown[] = [];
      for (const chunks of [1, 200]) {
        let left = chunks;
        const body = new ReadableStream({
          pull(controller): void {
            if (left-- === 0) controller.close();
            else controller.enqueue(chunk);
          },
        });
        const headers = new Headers({ "content-type": "application/json" });
        for (const field of fields) headers.append(...field.split(": ") as [string, string]);
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, headers });
        answers.push([answer.status, answer.headers.get("www-authenticate"), await answer.text()]);
      }
      assertEquals(answers[1], answers[0]);
      assertEquals((answers[0] as readonly unknown[])[0], status);
    }
  });
  assertEquals([touched, used.includes(true)], [[], false]);
});
