import { createFetchHandler } from "@scope/api/fetch";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { implementation } from "./api.ts";
import { bundleForNode, type Servers, startServers } from "./node_program.ts";
import { ask } from "./raw.ts";

const folder = await Deno.makeTempDir();
let servers: Servers;

Deno.test.beforeAll(async () => {
  servers = await startServers("node", await bundleForNode("program.ts", folder));
});

Deno.test.afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

const handler = createFetchHandler(implementation, {
  maxBodyBytes: 1_000_000,
  cors: { origins: ["https://app.example.com"] },
  contextInput: () => ({ user: undefined }),
  onError: () => {},
});

const paths = fc.constantFrom(
  "/text",
  "/te%78t",
  "/text/",
  "//text",
  "/a/../text",
  "/users/a%2Fb?x=1",
  "/users/%GG",
  "/users/",
  "/me?a=/text",
  "/json",
  "/small",
  "/raw",
  "/bytes",
  "/form",
  "/upload",
  "/guarded",
  "/owned/%61da/1",
  "/owned/a%2Fb/one",
  "/owned/eve/1",
  "/fields/cookies",
  "/fields/latin",
  "/empty",
  "/native/any",
  "/lines/two",
  "/none",
);
const methods = fc.constantFrom("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PATCH");
const fields = fc.subarray([
  ["content-type", "application/json"],
  ["content-type", "text/plain"],
  ["content-type", "application/octet-stream"],
  ["content-type", "application/x-www-form-urlencoded; charset=utf-8"],
  ["content-encoding", "gzip"],
  ["authorization", "Bearer good"],
  ["authorization", "Bearer bad"],
  ["origin", "https://app.example.com"],
  ["origin", "https://evil.example"],
  ["access-control-request-method", "GET"],
  ["x-tenant", "é"],
  ["cookie", "a=1; b=2"],
] as [string, string][]);
const bodies = fc.option(
  fc.oneof(
    fc.constantFrom("", "{}", '{"name":"Ada"}', '{"name":"Zoë"}', '\uFEFF{"name":"A"}', "a=b&c=%20&a=d", "{", "\uD800"),
    fc.string({ maxLength: 200 }),
  ),
  { nil: undefined },
);

/** Splits a text into chunks of the transfer coding. */
function toChunks(text: string, size: number): string {
  const bytes = new TextEncoder().encode(text);
  let chunks = "";
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.subarray(at, at + size);
    chunks += `${chunk.length.toString(16)}\r\n${toLatin1(chunk)}\r\n`;
  }
  return `${chunks}0\r\n\r\n`;
}

function toLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** The parts of an answer that must be the same: its status, its fields but for those of a connection, and its bytes. */
interface Same {
  readonly status: number;
  readonly fields: readonly string[];
  readonly body: string;
}

const ofConnection = ["connection", "date", "keep-alive", "transfer-encoding", "content-length"];

function listFields(headers: Headers): string[] {
  return [...headers].filter(([name]) => !ofConnection.includes(name)).map(([name, value]) => `${name}: ${value}`)
    .toSorted();
}

function parse(raw: string): Same {
  const end = raw.indexOf("\r\n\r\n");
  const [line = "", ...lines] = raw.slice(0, end).split("\r\n");
  const rest = raw.slice(end + 4);
  const isChunked = lines.some((each) => /^transfer-encoding: chunked/i.test(each));
  return {
    status: Number(line.split(" ")[1]),
    fields: listFields(new Headers(lines.map((each) => each.split(/: ?(.*)/, 2) as [string, string]))),
    body: isChunked ? rest.replaceAll(/([\da-f]+)\r\n([^]*?)\r\n(?=[\da-f]+\r\n)|0\r\n\r\n$/g, "$2") : rest,
  };
}

async function read(response: Response): Promise<Same> {
  return {
    status: response.status,
    fields: listFields(response.headers),
    body: toLatin1(await response.bytes()),
  };
}

Deno.test("createNodeHandler() and createFetchHandler() answer the same requests with the same status, fields and bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      methods,
      paths,
      fields,
      bodies,
      fc.integer({ min: 0, max: 40 }),
      async (method, path, list, body, size) => {
        const content = method === "GET" || method === "HEAD" ? undefined : body;
        const request = new Request(`http://localhost${path}`, {
          method,
          headers: list,
          ...(content !== undefined && { body: new TextEncoder().encode(content) }),
        });
        const bytes = toLatin1(new TextEncoder().encode(content ?? ""));
        const framing = content === undefined
          ? []
          : size === 0
          ? [`content-length: ${bytes.length}`]
          : ["transfer-encoding: chunked"];
        const head = [
          `${method} ${path} HTTP/1.1`,
          "host: localhost",
          "connection: close",
          ...list.map(([name, value]) => `${name}: ${value}`),
          ...framing,
        ];
        const sent = `${head.join("\r\n")}\r\n\r\n${
          size === 0 ? bytes : content === undefined ? "" : toChunks(content, size)
        }`;
        const raw = await ask(servers.plain, Uint8Array.from(sent, (character) => character.charCodeAt(0)));

        assertEquals(parse(raw), await read(await handler(request)));
      },
    ),
    tries(300),
  );
});
