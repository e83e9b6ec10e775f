/** The functions of docs/pagination.md, over sockets. */
import { defineContract, response, route } from "@scope/api";
import { type Client, ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as z from "zod";
import { allPages, type Page } from "./all_pages.ts";
import { formatCursor, parseCursor } from "./cursors.ts";

const contract = defineContract({
  routes: {
    list: route.get("/numbers", {
      query: z.object({ after: z.string().optional() }),
      responses: {
        200: z.object({ items: z.array(z.number()), next: z.string().optional() }),
        410: response.problem(),
      },
    }),
  },
});

/** A server with a page for each cursor. */
function serve(
  pages: Readonly<Record<string, { readonly items: readonly number[]; readonly next?: string }>>,
): Deno.HttpServer<Deno.NetAddr> & { readonly asked: string[] } {
  const asked: string[] = [];
  const implementation = defineServer(contract).implement({
    list: ({ query: { after = "first" }, response }) => {
      asked.push(after);
      const page = pages[after];
      return page ? response(200, { ...page, items: [...page.items] }) : response(410);
    },
  });
  const handler = createFetchHandler(implementation);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return Object.assign(server, { asked });
}

/** Reads a page, as the guide does. */
function reading(server: Deno.HttpServer<Deno.NetAddr>): Parameters<typeof allPages<number>>[0] {
  const client: Client<typeof contract.routes> = createClient(contract, {
    baseUrl: `http://127.0.0.1:${server.addr.port}`,
  });
  return async (after, signal) => unwrap(await client.list({ query: { after } }, { ...(signal && { signal }) }));
}

const three = { first: { items: [1, 2], next: "b" }, b: { items: [], next: "c" }, c: { items: [3] } };

Deno.test("allPages() yields the items of all pages, also after an empty one, and reads a page when it is needed", async () => {
  await using server = serve(three);
  assertEquals(await Array.fromAsync(allPages(reading(server))), [1, 2, 3]);
  assertEquals(server.asked, ["first", "b", "c"]);

  for (const next of [undefined, null, ""]) {
    assertEquals(await Array.fromAsync(allPages(() => Promise.resolve({ items: [1], next }))), [1]);
  }
  for await (const item of allPages(reading(server))) if (item === 2) break;
  assertEquals(server.asked, ["first", "b", "c", "first"]);
});

/** The items that a loop receives before it fails, and its error. */
async function readUntilFailure(items: AsyncIterable<number>): Promise<[number[], unknown]> {
  const received: number[] = [];
  const error = await assertRejects(async () => {
    for await (const item of items) received.push(item);
  });
  return [received, error];
}

Deno.test("allPages() throws if a cursor is repeated, however late, and after the last page that is allowed", async () => {
  await using same = serve({ first: { items: [1], next: "b" }, b: { items: [2], next: "b" } });
  const [received, error] = await readUntilFailure(allPages(reading(same)));
  assertEquals([received, (error as Error).message], [[1, 2], "The cursor b was repeated"]);
  assertEquals(same.asked, ["first", "b"]);

  const circle = { first: { items: [1], next: "b" }, b: { items: [2], next: "c" }, c: { items: [3], next: "b" } };
  await using round = serve(circle);
  assertEquals((await readUntilFailure(allPages(reading(round))))[0], [1, 2, 3]);

  await using server = serve(three);
  const [before, many] = await readUntilFailure(allPages(reading(server), { maxPages: 2 }));
  assertEquals([before, (many as Error).message], [[1, 2], "There are more than 2 pages"]);
  assertEquals(await Array.fromAsync(allPages(reading(server), { maxPages: 3 })), [1, 2, 3]);
});

Deno.test("allPages() throws the error of a page after the items before it", async () => {
  await using server = serve({ first: { items: [1, 2], next: "gone" } });
  const [received, error] = await readUntilFailure(allPages(reading(server)));

  assertEquals(received, [1, 2]);
  assert(error instanceof ClientError);
  assertEquals([error.code, error.status], ["unsuccessful", 410]);
});

Deno.test("allPages() ends when its signal aborts: before the first page, between items, and during a page", async () => {
  await using server = serve(three);
  const reason = new Error("The user left");
  const stopped = AbortSignal.abort(reason);
  assertEquals(await readUntilFailure(allPages(reading(server), { signal: stopped })), [[], reason]);

  const stopping = new AbortController();
  const received: number[] = [];
  await assertRejects(
    async () => {
      for await (const item of allPages(reading(server), { signal: stopping.signal })) {
        received.push(item);
        stopping.abort(reason);
      }
    },
    Error,
    "The user left",
  );
  assertEquals(received, [1]);

  const during = new AbortController();
  const read = reading(server);
  const slow = (after: string | undefined, signal: AbortSignal | undefined): Promise<Page<number>> => {
    const page = read(after, signal);
    during.abort(reason);
    return page;
  };
  assertEquals(await readUntilFailure(allPages(slow, { signal: during.signal })), [[], reason]);
});

Deno.test("parseCursor() returns the position of a cursor, and undefined for any other text", () => {
  const position = ["2026-01-31T12:00:00Z", "é"] as const;
  assertEquals(parseCursor(formatCursor(position)), [...position]);
  const others = [
    "",
    "7",
    "%",
    "null",
    formatCursor(["yesterday", "1"]),
    formatCursor([] as never),
    "W10",
    "__proto__",
  ];
  assertEquals(others.map(parseCursor), others.map(() => undefined));
});

Deno.test("docs/pagination.md has the functions that these tests call", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/pagination.md", import.meta.url));
  for (const name of ["all_pages.ts", "cursors.ts"]) {
    const source = await Deno.readTextFile(new URL(name, import.meta.url));
    assertStringIncludes(page, source.slice(source.indexOf("/**")).replaceAll(/^export /gm, ""));
  }
});
