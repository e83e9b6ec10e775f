/** The code of docs/downloads.md, over sockets: what RFC 9110, section 14, asks of ranges, and what curl does. */
import { defineContract, response, route } from "@scope/api";
import { createClient, unwrapResult } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as z from "zod";
import { download } from "./download.ts";
import { selectRange, toAttachment } from "./ranges.ts";

const headers = z.object({
  "accept-ranges": z.string(),
  "content-disposition": z.string(),
  "content-length": z.string(),
  "content-range": z.string().optional(),
  etag: z.string(),
});
const file = { contentType: "text/plain", headers };
const contract = defineContract({
  routes: {
    read: route.get("/report", {
      headers: z.object({ range: z.string().optional(), "if-range": z.string().optional() }),
      responses: {
        200: response.stream(file),
        206: response.stream(file),
        416: response.empty({ headers: z.object({ "content-range": z.string() }) }),
      },
    }),
  },
});

/** A server of one file, which can change, and whose connections can break. */
class Report {
  text = "0123456789";
  etag = '"1"';
  ignoresRanges = false;
  /** How many bytes each of the next responses has before its connection breaks. */
  breaks: number[] = [];
  /** The ranges that were asked for. */
  readonly asked: (string | undefined)[] = [];

  serve(): Deno.HttpServer<Deno.NetAddr> {
    const server = defineServer(contract, { context: ({ request }) => ({ method: request.method }) });
    const implementation = server.implement({
      read: ({ headers, context, response }) => {
        this.asked.push(headers.range);
        const bytes = new TextEncoder().encode(this.text);
        const state = { size: bytes.length, etag: this.etag };
        const part = context.method === "GET" && !this.ignoresRanges ? selectRange(headers, state) : undefined;
        if (part === "unsatisfiable") return response(416, undefined, { "content-range": `bytes */${bytes.length}` });
        const { start, end } = part ?? { start: 0, end: bytes.length - 1 };
        const fields = {
          "accept-ranges": "bytes",
          "content-disposition": toAttachment("Bericht für März.txt"),
          "content-length": `${end + 1 - start}`,
          etag: this.etag,
        };
        const body = breakAfter(bytes.subarray(start, end + 1), this.breaks.shift());
        if (part === undefined) return response(200, body, fields);
        return response(206, body, { ...fields, "content-range": `bytes ${start}-${end}/${bytes.length}` });
      },
    });
    const handler = createFetchHandler(implementation, { onError: () => {} });
    return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  }
}

async function* breakAfter(bytes: Uint8Array, limit = Infinity): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) {
    if (at === limit) {
      await new Promise((resolve) => setTimeout(resolve, 20)); // what was written before arrives
      throw new Error("broken");
    }
    yield bytes.slice(at, at + 1);
  }
}

function urlOf({ addr }: Deno.HttpServer<Deno.NetAddr>): string {
  return `http://127.0.0.1:${addr.port}/report`;
}

/** The status, the range and the text of an answer. */
async function ask(url: string, headers: HeadersInit, method = "GET"): Promise<string> {
  const answer = await fetch(url, { headers, method });
  const range = answer.headers.get("content-range");
  return [answer.status, range, await answer.text()].filter((each) => each).join(" ");
}

// proves http | A range is a first and a last byte, or a number of last bytes; 206 has its Content-Range | 14.1.2, 14.4, 15.3.7
// proves http | A range that no byte satisfies is 416 with the length of the file | 14.4, 15.5.17
// proves http | A malformed range, and a range of an unknown unit, are ignored | 14.2
Deno.test("the handler of the page answers each range as RFC 9110 says, and several at once with the whole file", async () => {
  await using server = new Report().serve();
  const url = urlOf(server);
  const all = "200 0123456789";
  const expected = {
    "bytes=2-4": "206 bytes 2-4/10 234",
    "bytes=0-0": "206 bytes 0-0/10 0",
    "bytes=7-": "206 bytes 7-9/10 789",
    "bytes=-3": "206 bytes 7-9/10 789",
    "bytes=-99": "206 bytes 0-9/10 0123456789",
    "bytes=8-99999999999999999999": "206 bytes 8-9/10 89",
    "BYTES=2-4": "206 bytes 2-4/10 234",
    "bytes=2-4,": "206 bytes 2-4/10 234",
    "bytes=10-": "416 bytes */10",
    "bytes=99999999999999999999-": "416 bytes */10",
    "bytes=-0": "416 bytes */10",
    "bytes=0-1, 4-5": all,
    "bytes=4-2": all,
    "bytes=-": all,
    "bytes=": all,
    "bytes=a-b": all,
    "bytes=1-2-3": all,
    "bytes 2-4": all,
    "lines=2-4": all,
  };
  for (const [range, answer] of Object.entries(expected)) {
    assertEquals([range, await ask(url, { range })], [range, answer]);
  }
  const repeated = new Headers([["range", "bytes=0-1"], ["range", "bytes=4-5"]]);
  assertEquals(await ask(url, repeated), all);
  assertEquals(await ask(url, {}), all);
});

// proves http | Range is ignored for other methods than GET | 14.2
// proves http | If-Range compares strongly; if the file has changed, the whole one is sent | 13.1.5, 14.2
Deno.test("the handler of the page ignores the range of HEAD, and that of another version of the file", async () => {
  const report = new Report();
  await using server = report.serve();
  const url = urlOf(server);
  const range = "bytes=2-4";

  assertEquals(await ask(url, { range }, "HEAD"), "200");
  assertEquals(await ask(url, { range, "if-range": '"1"' }), "206 bytes 2-4/10 234");
  assertEquals(await ask(url, { range, "if-range": '"0"' }), "200 0123456789");
  assertEquals(await ask(url, { range: "bytes=99-", "if-range": '"0"' }), "200 0123456789");
  assertEquals(await ask(url, { range, "if-none-match": '"1"' }), "304");
  report.etag = 'W/"1"';
  assertEquals(await ask(url, { range, "if-range": 'W/"1"' }), "200 0123456789");
});

Deno.test("selectRange() compares the date of If-Range exactly, and sends an empty file as a whole", () => {
  const modified = new Date("2026-01-31T12:00:00.500Z");
  const select = (ifRange: string) =>
    selectRange({ range: "bytes=2-4", "if-range": ifRange }, { size: 10, etag: '"1"', modified });

  assertEquals(select("Sat, 31 Jan 2026 12:00:00 GMT"), { start: 2, end: 4 });
  assertEquals(select("Sat, 31 Jan 2026 12:00:01 GMT"), undefined);
  assertEquals(selectRange({ range: "bytes=-5" }, { size: 0, etag: '"1"' }), undefined);
});

Deno.test("toAttachment() has the name in ASCII, and in UTF-8 if it needs more", () => {
  const names = {
    "report.pdf": 'attachment; filename="report.pdf"',
    "Überblick.pdf": "attachment; filename=\"_berblick.pdf\"; filename*=UTF-8''%C3%9Cberblick.pdf",
    "it's (1)*.txt": 'attachment; filename="it\'s (1)*.txt"',
    "née's.txt": "attachment; filename=\"n_e's.txt\"; filename*=UTF-8''n%C3%A9e%27s.txt",
    'a"b%41.txt': "attachment; filename=\"a_b_41.txt\"; filename*=UTF-8''a%22b%2541.txt",
    "../../etc/passwd": 'attachment; filename=".._.._etc_passwd"',
    "a\r\nset-cookie: b": 'attachment; filename="a__set-cookie: b"',
    "fake\u202Egpj.exe": 'attachment; filename="fake_gpj.exe"',
    "🙂\ud800": "attachment; filename=\"__\"; filename*=UTF-8''%F0%9F%99%82_",
  };
  assertEquals(Object.fromEntries(Object.keys(names).map((name) => [name, toAttachment(name)])), names);
});

Deno.test("download() resumes where a connection broke, and reads each byte once", async () => {
  const report = new Report();
  report.breaks = [4, 3];
  await using server = report.serve();
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  const chunks = await Array.fromAsync(download(async (headers) => unwrapResult(await client.read({ headers }))));

  assertEquals(await new Blob(chunks as BlobPart[]).text(), "0123456789");
  assertEquals(report.asked, [undefined, "bytes=4-", "bytes=7-"]);
});

Deno.test("download() rejects if the file has changed, and if the connection breaks again and again", async () => {
  const report = new Report();
  report.breaks = [4];
  await using server = report.serve();
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  const read = async (attempts?: number): Promise<void> => {
    const open = async (headers: { range?: string }) => unwrapResult(await client.read({ headers }));
    for await (const _chunk of download(open, attempts)) report.etag = '"2"';
  };

  await assertRejects(() => read(), Error, "The file has changed");
  report.ignoresRanges = true;
  report.breaks = [4];
  await assertRejects(() => read(), Error, "or the server does not send parts of it");
  report.ignoresRanges = false;
  report.breaks = [0, 0, 0, 0];
  await assertRejects(() => read(2), Error, "Cannot call GET /report (read)");
  assertEquals(report.breaks, [0, 0]);
});

const curl = await new Deno.Command("curl", { args: ["--version"] }).output().catch(() => undefined);

Deno.test({
  name: "curl downloads a part, continues a file, and saves it under its name",
  ignore: !curl?.success,
  async fn(): Promise<void> {
    await using server = new Report().serve();
    const folder = await Deno.makeTempDir();
    const run = async (...args: string[]): Promise<string> => {
      const command = new Deno.Command("curl", { args: ["-sS", ...args, urlOf(server)], cwd: folder });
      return new TextDecoder().decode((await command.output()).stdout);
    };
    assertEquals(await run("-r", "2-4"), "234");
    await Deno.writeTextFile(`${folder}/part`, "01234");
    await run("-C", "-", "-o", "part");
    assertEquals(await Deno.readTextFile(`${folder}/part`), "0123456789");
    await run("-OJ");
    assertEquals(await Deno.readTextFile(`${folder}/Bericht f_r M_rz.txt`), "0123456789");
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test("docs/downloads.md has the functions that these tests call", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/downloads.md", import.meta.url));
  for (const name of ["ranges.ts", "download.ts"]) {
    const source = await Deno.readTextFile(new URL(name, import.meta.url));
    assertStringIncludes(page, source.slice(source.indexOf("/**")).replaceAll(/^export /gm, ""));
  }
});
