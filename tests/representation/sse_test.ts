/**
 * The requirements of the web platform tests of EventSource (`eventsource/format-*`) for a parser, and of the HTML
 * Standard, 9.2.6.
 */
import { defineContract, response, route, type SentId } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type } from "arktype";
import type { TextRecord } from "../../src/wire/records.ts";
import { formatComment, formatEvent, parseEvents } from "../../src/representation/sse.ts";

function parse(text: string): TextRecord[] {
  return [...parseEvents(1024 * 1024).push(text)];
}

const cases: Readonly<Record<string, readonly [text: string, data: readonly string[]]>> = {
  "format-comments": [
    `data:1\r:\0\n:\r\ndata:2\n:${"x".repeat(2048)}\rdata:3\n:data:fail\r:${"x".repeat(2048)}\ndata:4\n\n`,
    ["1\n2\n3\n4"],
  ],
  "format-data-before-final-empty-line": ["retry:1000\ndata:test1\n\nid:test\ndata:test2", ["test1"]],
  "format-field-data": ["data:\n\ndata\ndata\n\ndata:test\n\n", ["", "\n", "test"]],
  "format-field-parsing": [
    "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
    ["\0\n 2\n1\n3\n\n4"],
  ],
  "format-field-unknown": [
    "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
    ["test\n\ntest"],
  ],
  "format-leading-space": ["data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]],
  "format-newlines": ["data:test\r\ndata\ndata:test\r\n\r", ["test\n\ntest"]],
  "format-null-character": ["data:\0\n\n", ["\0"]],
  "format-utf-8": ["data:ok…\n\n", ["ok…"]],
};

// proves events | Comments, unknown fields, fields without colon, one space after it: the web platform tests'
//   `eventsource/format-*` | 9.2.6
// proves events | An event without data is not dispatched | 9.2.6
Deno.test("parseEvents() passes the web platform tests for data", () => {
  for (const [name, [text, data]] of Object.entries(cases)) {
    assertEquals(parse(text).map((event) => event.data), [...data], name);
  }
});

// proves events | Data lines are joined by LF; the last `event` and `id` count; an `id` with NUL and a `retry` other
//   than digits are ignored | 9.2.6
// proves events-differences | The last id applies to later events | 9.2.6 | An event has only its own id | The client
//   sees what was sent
Deno.test("parseEvents() passes the web platform tests for event names, ids and delays", () => {
  assertEquals(parse("event:test\ndata:x\n\ndata:x\n\n"), [{ event: "test", data: "x" }, { data: "x" }]);
  assertEquals(parse("event: \ndata:data\n\n"), [{ event: "", data: "data" }]);
  assertEquals(parse("event:test\nevent:other\ndata:x\n\n"), [{ event: "other", data: "x" }]);
  assertEquals(parse("id: …\ndata:1\n\n"), [{ id: "…", data: "1" }]);
  assertEquals(parse("id\ndata:1\n\n"), [{ id: "", data: "1" }]);
  assertEquals(parse("id:1\0\nid: \0\ndata:1\n\n"), [{ data: "1" }]);
  assertEquals(parse("retry:3000\nretry:1000x\ndata:x\n\n"), [{ retry: 3000, data: "x" }]);
  assertEquals(parse("retry\nretry:\ndata:test\n\n"), [{ data: "test" }]);
  assertEquals(parse("retry:03000\ndata:x\n\n"), [{ retry: 3000, data: "x" }]);
});

Deno.test("formatEvent() writes each field on a line, data last, without premature line breaks", () => {
  assertEquals(
    formatEvent({ data: 0, event: "a:b", id: "", retry: 0 }, '"x"'),
    'event: a:b\nid: \nretry: 0\ndata: "x"\n\n',
  );
  for (const text of ["a\nb", "a\rb", "a\0b", "\ud800"]) {
    assertThrows(() => formatEvent({ data: 0, event: text }, "0"), TypeError, "The event of an event must be one line");
  }
  for (const id of ["a\nb", "a\rb", "a\0b", "\ud800", "€", "\x01", "\x7f", " a", "a ", "\ta", 1]) {
    assertThrows(
      () => formatEvent({ data: 0, id: id as string }, "0"),
      TypeError,
      "The id of an event must be Latin-1 text in one line, without spaces at either end",
    );
  }
  for (const retry of [-1, 1.5, NaN, Infinity, "1", null]) {
    assertThrows(
      () => formatEvent({ data: 0, retry: retry as number }, "0"),
      TypeError,
      "The retry of an event must be a non-negative integer of milliseconds",
    );
  }
});

Deno.test("formatComment() writes a line that parsers ignore, whatever its text", () => {
  assertEquals(formatComment("still here"), ": still here\n\n");
  for (const comment of ["", "still here", "data: 1", ":"]) {
    assertEquals(parse(`data:1\n\n${formatComment(comment)}data:2\n\n`).map(({ data }) => data), ["1", "2"]);
  }
  for (const comment of ["a\nb", "a\rb", "a\0b", "\ud800", 1]) {
    assertThrows(() => formatComment(comment as string), TypeError, "The comment of an event must be one line");
  }
});

Deno.test("a handler sends an id without data, and a misspelled member is not taken for one", async () => {
  const contract = defineContract({
    routes: { events: route.get("/events", { responses: { 200: response.sse(type("number")) } }) },
  });
  const read = async (items: readonly object[]): Promise<string> => {
    const handler = createFetchHandler(
      defineServer(contract).implement({ events: ({ response }) => response(200, items as readonly SentId[]) }),
      { onError: () => {} },
    );
    return await (await handler(new Request("https://a.example/events"))).text();
  };
  assertEquals(await read([{ id: "7" }, { id: "8", retry: 9 }]), "id: 7\n\nid: 8\nretry: 9\n\n");
  for (const item of [{ id: "7", dta: 1 }, { id: "7", event: "a" }, { id: "7", data: undefined }, { id: "€" }, {}]) {
    await assertRejects(() => read([item]));
  }
});
