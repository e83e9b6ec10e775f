/**
 * Input of four times the size takes about four times as long, for any kind of input: per doubling, less than three
 * times.
 */
import { defineContract, request, response, route, type Schema } from "@scope/api";
import { createClient } from "@scope/api/client";
import type { FetchHandler } from "@scope/api/fetch";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { z } from "zod";
import { apiKeyCredential, basicCredential, bearerCredential, cookieCredential } from "../../src/wire/credentials.ts";
import { mountRoute } from "../support/mount_route.ts";
import { mountRoutes } from "../support/mount_routes.ts";
import { type AnyFields, anything, schemaOf } from "../support/hostile_schemas.ts";
import { parseTagList } from "../../src/server/answer/conditional.ts";

/** Builds input of this many pieces, and returns the work on it, which is timed. */
type Make = (count: number) => () => unknown;

/**
 * Asserts that `make(4 * count)` takes at most nine times as long as `make(count)`; a quadratic one takes sixteen times as long. The
 * latter runs four times in a row, so that both take about as long and a busy machine breaks in on both alike. The least of several
 * times is taken, of more while they are too far apart.
 */
async function assertLinear(what: string, count: number, make: Make): Promise<void> {
  const [one, whole] = [make(count), make(4 * count)];
  const oneByOne = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) await one();
  };
  let [parts, all] = [Infinity, Infinity];
  for (let round = 0; round < 100; round++) {
    parts = Math.min(parts, await time(oneByOne));
    all = Math.min(all, await time(whole));
    if (round >= 2 && all <= 9 / 4 * Math.max(parts, 1)) return;
  }
  assert(false, `${what}: four times ${count} took ${parts} ms one by one, and ${all} ms as a whole`);
}

/** How long something takes, in milliseconds. */
async function time(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** Calls a handler, and asserts its response. */
function asking(handler: FetchHandler, status: number, make: (count: number) => Request): Make {
  return (count) => {
    const given = make(count);
    return async () => {
      const answer = await handler(given.clone());
      assertEquals(answer.status, status);
      await answer.body?.cancel();
    };
  };
}

const responses = { 200: response.empty() };
const done = (): never => ({ status: 200 }) as never;

// proves promises | The time to parse a path is linear in its length
Deno.test("createFetchHandler() takes linear time in the length of a path", async () => {
  const deep = (segment: string): `GET ${string}` => `GET /${Array(30).fill(segment).join("/")}`;
  const tree = mountRoutes([
    "GET /a/:b",
    ...Array.from(
      { length: 12 },
      (_, index) =>
        `GET /${Array.from({ length: 12 }, (_, place) => place === index ? "a" : `:p${place}`).join("/")}` as const,
    ),
    deep("a"),
  ]);
  const cases: Record<string, [number, (count: number) => string]> = {
    "a long segment": [200, (count) => `/a/${"x".repeat(count)}`],
    "escapes": [200, (count) => `/a/${"%41".repeat(count)}`],
    "escaped slashes": [200, (count) => `/a/${"%2F".repeat(count)}`],
    "escaped percent signs": [200, (count) => `/a/${"%25".repeat(count)}`],
    "segments": [404, (count) => "/a".repeat(count)],
    "escaped segments": [404, (count) => "/%61".repeat(count)],
    "slashes": [404, (count) => "/".repeat(count)],
    "a broken escape at the end": [400, (count) => `/${"%41/".repeat(count)}%`],
    "broken escapes": [400, (count) => `/a/${"%C3".repeat(count)}`],
    "what follows": [200, (count) => `/a/b?${"/".repeat(count)}#${"/".repeat(count)}`],
  };
  for (const [what, [status, make]] of Object.entries(cases)) {
    await assertLinear(what, 30_000, asking(tree, status, (count) => new Request(`http://localhost${make(count)}`)));
  }
});

const fieldCases: Record<string, (count: number) => string> = {
  "one name": (count) => "a=1&".repeat(count),
  "names": (count) => Array.from({ length: count }, (_, index) => `a${index}=1`).join("&"),
  "bare names": (count) => "a&".repeat(count),
  "ampersands": (count) => "&".repeat(count),
  "equals signs": (count) => "=".repeat(count),
  "plus signs": (count) => `a=${"+".repeat(count)}`,
  "escapes": (count) => `a=${"%41".repeat(count)}`,
  "a field of broken escapes": (count) => `a=${"%".repeat(count)}`,
  "fields of broken escapes": (count) => "a=%GG&".repeat(count / 4),
  "__proto__": (count) => "__proto__=1&".repeat(count),
};

Deno.test("createFetchHandler() takes linear time in the length of a query or a form", async () => {
  const query = mountRoute(route.get("/", { query: anything(), responses }), done);
  const form = mountRoute(route.post("/", { body: request.form(anything()), responses }), done);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const [what, make] of Object.entries(fieldCases)) {
    await assertLinear(what, 3_000, asking(query, 200, (count) => new Request(`http://localhost/?${make(count)}`)));
    const post = (count: number): Request =>
      new Request("http://localhost/", { method: "POST", body: make(count), headers });
    await assertLinear(what, 3_000, asking(form, 200, post));
  }
});

Deno.test("createFetchHandler() takes linear time in the fields that the list rule offers again", async () => {
  const fields = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}=1`).join("&");
  const refuseStrings = schemaOf((value) => {
    const refused = Object.entries(value as object).filter(([, text]) => typeof text === "string");
    if (refused.length === 0) return { value };
    return { issues: refused.map(([key]) => ({ message: "no list", path: [key] })) };
  });
  const schemas: [string, Schema<AnyFields>, number][] = [
    ["lists", refuseStrings, 200],
    ["zod", z.record(z.string(), z.array(z.string())) as never, 200],
    ["zod that refuses", z.record(z.string(), z.array(z.literal("2"))) as never, 400],
    ["arktype", type({ "[string]": "string[]" }) as never, 200],
    ["a union of zod", z.union([z.object({ x: z.string() }), z.record(z.string(), z.array(z.string()))]) as never, 200],
    [
      "a union of zod that refuses",
      z.union([
        z.object({ x: z.string() }),
        z.record(z.string(), z.array(z.literal("2"))),
      ]) as never,
      400,
    ],
  ];
  for (const [what, schema, status] of schemas) {
    const handler = mountRoute(route.get("/", { query: schema, responses }), done);
    await assertLinear(
      what,
      1_000,
      asking(handler, status, (count) => new Request(`http://localhost/?${fields(count)}`)),
    );
  }
});

// proves promises | The time to read queries, forms, form data, headers, issues and streams is linear in their size
Deno.test("createFetchHandler() takes linear time in the size of form data", async () => {
  const handler = mountRoute(route.post("/", { body: request.formData(anything()), responses }), done);
  const part = (head: string, content: string): string => `--b\r\n${head}\r\n\r\n${content}\r\n--b--`;
  const field = 'Content-Disposition: form-data; name="a"';
  const cases: Record<string, [number, (count: number) => string]> = {
    "parts": [200, (count) => `${`--b\r\n${field}\r\n\r\n1\r\n`.repeat(count / 20)}--b--`],
    "files": [
      200,
      (count) =>
        Array.from({ length: count / 100 }, (_, at) => `--b\r\n${field}; filename=${at}\r\n\r\n1\r\n`).join("") +
        "--b--",
    ],
    "too many files": [413, (count) => `${`--b\r\n${field}; filename=""\r\n\r\n\r\n`.repeat(count / 10)}--b--`],
    "returns": [200, (count) => part(field, "\r".repeat(count))],
    "near boundaries": [200, (count) => part(field, "\r\n--".repeat(count))],
    "no end": [400, (count) => `--b\r\n${field}\r\n\r\n${"\r\n--c".repeat(count)}`],
    "boundaries alone": [400, (count) => "--b\r\n".repeat(count)],
    "fields of a head": [200, (count) => part(`${field}\r\n${"x: y\r\n".repeat(count)}z: 1`, "1")],
    "spaces of a head": [200, (count) => part(`${field}\r\nx:${" ".repeat(count)}y`, "1")],
    "spaces of a malformed head": [400, (count) => part(`x:${" ".repeat(count)}\n\r\n${field}`, "1")],
    "tabs before NUL": [400, (count) => part(`content-type:${"\t".repeat(count)}\0\r\n${field}`, "1")],
    "parameters": [400, (count) => part(`${field}${"; x=y".repeat(count)}`, "1")],
    "escaped quotes": [200, (count) => part(`Content-Disposition: form-data; name="${'\\"'.repeat(count)}"`, "1")],
  };
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  for (const [what, [status, make]] of Object.entries(cases)) {
    const post = (count: number): Request =>
      new Request("http://localhost/", { method: "POST", body: make(count), headers });
    await assertLinear(what, 20_000, asking(handler, status, post));
  }
});

Deno.test("createFetchHandler() takes linear time in the header fields", async () => {
  const json = mountRoute(route.post("/", { body: request.json(), responses }), done);
  const fields = mountRoute(route.get("/", { headers: anything<Record<string, string>>(), responses }), done);
  const types: Record<string, (count: number) => string> = {
    "quotes": (count) => `application/json;a="${'"'.repeat(count)}`,
    "backslashes": (count) => `application/json;a="${"\\".repeat(count)}`,
    "escaped quotes": (count) => `application/json;a="${'\\"'.repeat(count)}`,
    "commas": (count) => `application/json;a="${",".repeat(count)}`,
    "quoted words": (count) => `application/json${';a="b"'.repeat(count)},`,
    "spaces": (count) => `application/json${" ".repeat(count)}x`,
    "semicolons": (count) => `application/json${";".repeat(count)}`,
    "suffixes": (count) => `a/${"+json".repeat(count)}x`,
    "slashes": (count) => `a/${"/b+json".repeat(count)}`,
    "tabs": (count) => `a${"\t".repeat(count)}/b+json`,
  };
  for (const [what, make] of Object.entries(types)) {
    await assertLinear(what, 20_000, (count) => {
      const headers = { "content-type": make(count), "content-length": "0" };
      const given = new Request("http://localhost/", { method: "POST", headers });
      return () => json(given.clone());
    });
  }
  const sets: Record<string, (count: number) => [string, string][]> = {
    "names": (count) => Array.from({ length: count }, (_, index) => [`x-${index}`, "1"]),
    "one name": (count) => Array.from({ length: count }, () => ["x-a", "1"]),
    "cookies": (count) => [["cookie", "a=b; ".repeat(count)]],
    "a long one": (count) => [["x-a", "é".repeat(count)]],
  };
  for (const [what, make] of Object.entries(sets)) {
    await assertLinear(what, 1_000, (count) => {
      const given = new Request("http://localhost/", { headers: make(count) });
      return () => fields(given); // a clone of 2,000 fields takes longer than reading them
    });
  }
});

Deno.test("lists of entity tags are read in linear time", async () => {
  const lists: Readonly<Record<string, (count: number) => string>> = {
    "tags": (count) => '"1", W/"2", '.repeat(count),
    "commas": (count) => `${",".repeat(count)}x`,
    "spaces": (count) => `"1"${" ".repeat(count)}"2"`,
    "commas and spaces": (count) => `"1"${", ".repeat(count)}x`,
    "quotation marks": (count) => '"'.repeat(count),
    "a tag without an end": (count) => `"${"a".repeat(count)}`,
    "tags without an end": (count) => '"a", '.repeat(count) + '"a',
    "tags without commas": (count) => '"a" '.repeat(count),
  };
  for (const [what, make] of Object.entries(lists)) {
    await assertLinear(what, 20_000, (count) => {
      const list = make(count);
      return () => parseTagList(list);
    });
  }
});

Deno.test("createFetchHandler() takes linear time in the headers that a preflight requests", async () => {
  const cors = { origins: (origin: string) => new URL(origin).hostname === "app.example.com" };
  const open = mountRoute(route.put("/", { headers: anything<Record<string, string>>(), responses }), done, { cors });
  const asked: Readonly<Record<string, (count: number) => readonly [string, string]>> = {
    "headers": (
      count,
    ) => ["access-control-request-headers", Array.from({ length: count }, (_, at) => `x-${at}`).join()],
    "commas": (count) => ["access-control-request-headers", ",".repeat(count)],
    "spaces": (count) => ["access-control-request-headers", `a${" ".repeat(count)}b`],
    "a method": (count) => ["access-control-request-method", "A".repeat(count)],
    "an origin": (count) => ["origin", `https://${"a.".repeat(count)}example.com`],
  };
  for (const [what, make] of Object.entries(asked)) {
    await assertLinear(what, 5_000, (count) => {
      const [name, value] = make(count);
      const fields = { origin: "https://app.example.com", "access-control-request-method": "PUT", [name]: value };
      const given = new Request("http://localhost/", { method: "OPTIONS", headers: fields });
      return () => open(given);
    });
  }
});

Deno.test("credentials are read in linear time", async () => {
  const places = [bearerCredential(), basicCredential, apiKeyCredential("x-api-key"), cookieCredential("session")];
  const fields: Readonly<Record<string, (count: number) => string>> = {
    "a token": (count) => `Bearer ${"a".repeat(count)}`,
    "signs of equality": (count) => `Bearer a${"=".repeat(count)}b`,
    "spaces": (count) => `Bearer${" ".repeat(count)}a b`,
    "names": (count) => `${"Bearer ".repeat(count)}`,
    "joined ones": (count) => `Basic a${", Bearer b".repeat(count)}`,
    "spaces between joined ones": (count) => `Basic a,${" ".repeat(count)}b`,
    "Base64": (count) => `Basic ${"dTpw".repeat(count)}`,
    "colons": (count) => `Basic ${"Ojo6".repeat(count)}`,
    "cookies": (count) => `session=a${"; session=b".repeat(count)}`,
    "empty cookies": (count) => `${";".repeat(count)}session=a`,
    "spaces of a cookie": (count) => `a=b;${" ".repeat(count)}session=a${" ".repeat(count)}b`,
    "quotation marks": (count) => `session=${'"'.repeat(count)}`,
  };
  for (const [what, make] of Object.entries(fields)) {
    for (const { field, place, read } of places) {
      await assertLinear(`${what} in ${place}`, 20_000, (count) => {
        const headers = new Headers([[field, make(count)]]);
        return () => read(headers);
      });
    }
  }
});

Deno.test("createFetchHandler() takes linear time in the issues of a refusal and the pieces of a body", async () => {
  const refuse = (count: number): Schema<AnyFields> =>
    schemaOf(() => ({
      issues: Array.from({ length: count }, (_, index) => ({ message: "no", path: ["a/~", index] })),
    }));
  await assertLinear("issues", 2_000, (count) => {
    const handler = mountRoute(route.get("/", { query: refuse(count), responses }), done);
    return () => handler(new Request("http://localhost/"));
  });
  for (const body of [request.text(), request.stream()]) {
    const drain = async (given: { readonly body: unknown }): Promise<never> => {
      if (given.body instanceof ReadableStream) { for await (const _ of given.body); }
      return done();
    };
    const handler = mountRoute(route.post("/", { body, responses }), drain as never, { maxBodyBytes: 1_000_000 });
    const headers = { "content-type": String(body.contentType) };
    await assertLinear(`pieces of ${body.kind}`, 1_000, (count) => () => {
      const sent = pieces(new Uint8Array(count), 1);
      return handler(new Request("http://localhost/", { method: "POST", body: sent, headers }));
    });
  }
});

Deno.test("createClient() takes linear time in a stream of items, however it is split", async () => {
  const contract = defineContract({
    routes: {
      rows: route.get("/rows", { responses: { 200: response.ndjson(anything<unknown>()) } }),
      events: route.get("/events", { responses: { 200: response.sse(anything<unknown>()) } }),
    },
  });
  const cases: Record<string, ["rows" | "events", (count: number) => string]> = {
    "lines": ["rows", (count) => `${"1".repeat(15)}\n`.repeat(count / 16)],
    "empty lines": ["rows", (count) => "\n".repeat(count) + "1\n"],
    "a long line": ["rows", (count) => `"${"x".repeat(count)}"\n`],
    "events": ["events", (count) => `data:${"1".repeat(15)}\n\n`.repeat(count / 20)],
    "lines of one event": ["events", (count) => `data:[1\n${"data:,1\n".repeat(count / 8)}data:]\n\n`],
    "comments": ["events", (count) => `${":\n".repeat(count)}data:1\n\n`],
    "ends of lines": ["events", (count) => `${"\r".repeat(count)}data:1\r\r`],
    "colons": ["events", (count) => `x${":".repeat(count)}\ndata:1\n\n`],
    "spaces": ["events", (count) => `data:${" ".repeat(count)}1\n\n`],
  };
  for (const [what, [key, make]] of Object.entries(cases)) {
    for (const [size, count] of [[1, 1_000], [64, 60_000]] as const) {
      await assertLinear(`${what} in pieces of ${size}`, count, (count) => {
        const bytes = new TextEncoder().encode(make(count));
        return async () => {
          const type = key === "rows" ? "application/x-ndjson" : "text/event-stream";
          const fetch = (): Promise<Response> =>
            Promise.resolve(new Response(pieces(bytes, size), { headers: { "content-type": type } }));
          const client = createClient(
            contract,
            { baseUrl: "http://localhost", fetch, maxRecordBytes: 10_000_000 } as never,
          );
          const { body } = await client[key]();
          for await (const _ of body as AsyncIterable<unknown>);
        };
      });
    }
  }
});

function pieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller): void {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += size));
    },
  }, { highWaterMark: 0 });
}
