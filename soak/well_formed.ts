/** Requests of a well-behaved client. Each throws if the response differs from the one that the contract promises. */
import { unwrap } from "@scope/api/client";
import { follow, type OpenConnection } from "@scope/api/retry";
import { assertEquals } from "@std/assert";
import type { Tree } from "./contract.ts";
import type { Scenario } from "./scenario.ts";

const words = ["a", "ä/ö %2F", "x=1&y=2", "long ".repeat(200), "\u{1f600}", "\r\n: data"];

export const wellFormed: Readonly<Record<string, Scenario>> = {
  "params, query, headers": async ({ client, random, signal }) => {
    const id = encodeURIComponent(words[random(words.length)]!) + "%";
    const tag = words.slice(0, random(words.length));
    const number = String(random(1000));
    const result = await client.item({ params: { id }, query: { tag, word: "w" }, headers: { "x-number": number } }, {
      signal,
    });
    assertEquals(unwrap(result), { id, tags: tag, word: "w", number });
  },
  "declared 404": async ({ client, signal }) => {
    const { status } = await client.item({ params: { id: "nobody" }, headers: { "x-number": "1" } }, { signal });
    assertEquals(status, 404);
  },
  "JSON": async ({ client, random, signal }) => {
    const item = { id: random(1e9), name: words[random(words.length)]!, tags: words };
    assertEquals(unwrap(await client.echo.json({ body: item }, { signal })), item);
  },
  "JSON of the most levels": async ({ client, signal }) => {
    assertEquals((await client.tree({ body: treeOf(100) }, { signal })).status, 204);
  },
  "text": async ({ client, random, signal }) => {
    const body = words[random(words.length)]!.repeat(1 + random(20));
    assertEquals(unwrap(await client.echo.text({ body }, { signal })), body);
  },
  "bytes": async ({ client, random, signal }) => {
    const body = new Uint8Array(random(65_536)).fill(random(256));
    assertEquals(unwrap(await client.echo.bytes({ body }, { signal })).length, body.length);
  },
  "form": async ({ client, random, signal }) => {
    const body = { name: words[random(words.length)]!, tag: [words[random(words.length)]!] };
    assertEquals(unwrap(await client.echo.form({ body }, { signal })), body);
  },
  "form data with a file": async ({ client, random, signal }) => {
    const file = new File([new Uint8Array(random(65_536))], "a.bin");
    const body = { name: "n", file };
    assertEquals(unwrap(await client.echo.formData({ body }, { signal })), {
      name: "n",
      file: "a.bin",
      bytes: file.size,
    });
  },
  "204": async ({ client, signal }) => assertEquals((await client.echo.nothing({ signal })).status, 204),
  "HEAD by the get": async ({ baseUrl }) => {
    const response = await fetch(`${baseUrl}/soak/items/1`, { method: "HEAD", headers: { "x-number": "1" } });
    assertEquals([response.status, response.headers.get("content-length"), await response.text()], [200, "43", ""]);
  },
  "upload": async ({ client, random, signal }) => {
    const chunks = 1 + random(30);
    assertEquals(unwrap(await client.upload({ body: pieces(chunks) }, { signal })), { bytes: chunks * 4096 });
  },
  "download": async ({ client, random, signal }) => {
    const count = random(40);
    let bytes = 0;
    for await (const { byteLength } of unwrap(await client.bytes({ params: { count } }, { signal }))) {
      bytes += byteLength;
    }
    assertEquals(bytes, count * 4096);
  },
  "NDJSON": async ({ client, random, signal }) => {
    const count = random(60);
    let next = 0;
    for await (const row of unwrap(await client.rows({ params: { count } }, { signal }))) {
      assertEquals(row.number, next++);
    }
    assertEquals(next, count);
  },
  "events": async ({ client, random, signal }) => {
    const count = random(60);
    let next = 0;
    for await (const { data, id } of unwrap(await client.events({ params: { count } }, { signal }))) {
      assertEquals([data.number, id], [next, String(next++)]);
    }
    assertEquals(next, count);
  },
  "events followed after a break before the first": async ({ client, random, signal }) => {
    const count = 1 + random(20);
    const seen: number[] = [];
    const resumed: boolean[] = [];
    const onConnect = (connection: OpenConnection): unknown => resumed.push(connection.resumed);
    for await (const { data } of follow(client.changes, { params: { count } }, { signal, onConnect })) {
      seen.push(data.number);
    }
    assertEquals(seen, Array.from({ length: count - 1 }, (_, index) => index + 2)); // those after the id
    assertEquals(resumed, count === 1 ? [false] : [false, true]);
  },
};

/** This many pieces of 4 KiB. */
export async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield await Promise.resolve(new Uint8Array(4096));
}

/** A tree of this many levels. */
export function treeOf(levels: number): Tree {
  let tree: Tree = { name: "leaf" };
  for (let level = 1; level < levels; level++) tree = { name: "node", child: tree };
  return tree;
}
