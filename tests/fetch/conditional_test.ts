import { defineContract, response, type ResponseDeclaration, route, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import { watchBody } from "../support/watched_body.ts";
import { listen, mountRoute } from "../support/mount_route.ts";
import { watch } from "../support/producers.ts";

function ask(headers: Record<string, string> = {}, method = "GET"): Request {
  return new Request("http://localhost/", { method, headers });
}

/** A handler of a route that responds to each request with one result. */
function answering(result: object, declared: ResponseDeclaration = response.json()): FetchHandler {
  const { status = 200 } = result as { status?: number };
  return mountRoute(
    route.get("/", { responses: { [status]: declared } }),
    (() => ({ status: 200, ...result })) as never,
  );
}

const tagged = { body: { id: 1 }, headers: { etag: '"1"', "cache-control": "no-cache", "set-cookie": ["a=1", "b=2"] } };
const earlier = "Sun, 06 Nov 1994 08:49:36 GMT";
const modified = "Sun, 06 Nov 1994 08:49:37 GMT";
const later = "Sun, 06 Nov 1994 08:49:38 GMT";

async function statusOf(handler: FetchHandler, headers: Record<string, string>, method?: string): Promise<number> {
  const answer = await handler(ask(headers, method));
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("a GET whose If-None-Match contains the etag receives a 304 with the fields of the 200 and without content", async () => {
  const answer = await answering(tagged)(ask({ "if-none-match": '"0", W/"1"' }));
  assertEquals([answer.status, answer.body], [304, null]);
  assertEquals([...answer.headers], [
    ["cache-control", "no-cache"],
    ["etag", '"1"'],
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
  ]);
});

// proves http | A 304 has no headers that describe content | 15.4.5
Deno.test("a 304 omits the fields that describe content", async () => {
  const described = {
    "content-type": "application/x-own",
    "content-length": "8",
    "Content-Encoding": "identity",
    "content-language": "en",
    "content-range": "bytes 0-7/8",
    "content-location": "/1",
    "ETag": '"1"',
  };
  const handlers = [
    answering({ body: { id: 1 }, headers: described }),
    answering({ body: new Response("{}", { headers: described }) }, response.raw()),
  ];
  for (const handler of handlers) {
    const { headers } = await handler(ask({ "if-none-match": '"1"' }));
    assertEquals([...headers], [["content-location", "/1"], ["etag", '"1"']]);
  }
});

// proves http | If-None-Match is compared weakly; `*` matches any representation | 13.1.2, 8.8.3.2
Deno.test("If-None-Match is compared weakly, * matches any tag, and a malformed list matches nothing", async () => {
  for (const etag of ['"1"', 'W/"1"']) {
    const handler = answering({ body: 1, headers: { etag } });
    for (const list of ['"1"', 'W/"1"', '"0","1"', ',, "1" ,', "*"]) {
      assertEquals(await statusOf(handler, { "if-none-match": list }), 304, list);
    }
    for (const list of ['"2"', "1", 'w/"1"', '"1', '"1" "1"', '*, "1"', ""]) {
      assertEquals(await statusOf(handler, { "if-none-match": list }), 200, list);
    }
    assertEquals(await statusOf(handler, {}), 200);
  }
});

Deno.test("an etag that is not an entity tag matches nothing", async () => {
  for (const etag of ["1", '"1', 'w/"1"', ['"1"', '"2"'], "*", '"a b"', ""]) {
    const handler = answering({ body: 1, headers: { etag } });
    for (const list of ["1", '"1"', "*", '"a b"']) {
      assertEquals(await statusOf(handler, { "if-none-match": list }), 200);
    }
  }
});

// proves http | If-Modified-Since is a date in one of three formats | 13.1.3
Deno.test("If-Modified-Since is compared with last-modified, in each format of a date", async () => {
  const handler = answering({ body: 1, headers: { "last-modified": modified } });
  for (const since of [modified, later, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]) {
    assertEquals(await statusOf(handler, { "if-modified-since": since }), 304, since);
    assertEquals(await statusOf(handler, { "if-modified-since": since }, "HEAD"), 304, since);
  }
  for (const since of [earlier, "", "1994-11-06T08:49:37Z", `${later}, ${later}`, "never"]) {
    assertEquals(await statusOf(handler, { "if-modified-since": since }), 200, since);
  }
  for (const broken of ["", "1994-11-06", "Mon, 06 Nov 1994 08:49:37 GMT"]) {
    const handler = answering({ body: 1, headers: { "last-modified": broken } });
    assertEquals(await statusOf(handler, { "if-modified-since": later }), 200, broken);
    assertEquals(await statusOf(handler, { "if-none-match": "*" }), 200, broken);
  }
});

// proves http | If-None-Match takes precedence over If-Modified-Since | 13.2.2
Deno.test("If-Modified-Since is ignored if there is an If-None-Match, whatever its value", async () => {
  const both = answering({ body: 1, headers: { etag: '"1"', "last-modified": modified } });
  assertEquals(await statusOf(both, { "if-none-match": '"2"', "if-modified-since": later }), 200);
  assertEquals(await statusOf(both, { "if-none-match": '"1"', "if-modified-since": earlier }), 304);
  assertEquals(await statusOf(both, { "if-modified-since": later }), 304);
  const dated = answering({ body: 1, headers: { "last-modified": modified } });
  assertEquals(await statusOf(dated, { "if-none-match": '"1"', "if-modified-since": later }), 200);
  assertEquals(await statusOf(dated, { "if-none-match": "*" }), 304);
  assertEquals(await statusOf(answering(tagged), { "if-modified-since": later }), 200); // it does not have a date
});

Deno.test("a HEAD is revalidated like its GET", async () => {
  const answer = await answering(tagged)(ask({ "if-none-match": '"1"' }, "HEAD"));
  assertEquals([answer.status, answer.headers.get("etag"), answer.headers.get("content-length")], [304, '"1"', null]);
  const own = mountRoute(
    route.head("/", { responses: { 200: response.empty() } }),
    ({ response }) => response(200, undefined, { etag: '"1"' }),
  );
  assertEquals(await statusOf(own, { "if-none-match": '"1"' }, "HEAD"), 304);
});

// proves http-differences | If-Match and If-Unmodified-Since make a request conditional | 13.1.1, 13.1.4 | The handler
//   evaluates them, inside its transaction | Only the handler knows the state of a resource
Deno.test("other statuses and methods never become 304", async () => {
  for (const status of [201, 203, 299, 404, 416, 500]) {
    assertEquals(await statusOf(answering({ ...tagged, status }), { "if-none-match": '"1"' }), status);
  }
  const responses = { 200: response.text() };
  const result = (): never => ({ status: 200, body: "a", headers: { etag: '"1"' } }) as never;
  for (const method of ["post", "put", "patch", "delete", "query", "options"] as const) {
    const handler = mountRoute(route[method]("/", { responses }), result);
    assertEquals(await statusOf(handler, { "if-none-match": '"1"' }, method.toUpperCase()), 200, method);
  }
});

Deno.test("the headers of a request are not read for a result without a validator", async () => {
  const handler = answering({ body: 1, headers: { "x-a": "1", etag: undefined } });
  const request = new Proxy(ask(), {
    get(target, name): unknown {
      if (name === "headers") return { get: (field: string) => assert(field === "host") }; // which is read on Deno
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  assertEquals((await handler(request)).status, 200);
});

Deno.test("the output of the headers schema decides about a 304, and a result that its schema refuses is still 500", async () => {
  const Tagged = type({ version: "number" }).pipe(({ version }) => ({ etag: `"${version}"` }));
  const declared = response.json(type({ id: "number" }), { headers: Tagged });
  assertEquals(
    await statusOf(answering({ body: { id: 1 }, headers: { version: 7 } }, declared), { "if-none-match": '"7"' }),
    304,
  );
  assertEquals(
    await statusOf(answering({ body: { id: "1" }, headers: { version: 7 } }, declared), { "if-none-match": '"7"' }),
    500,
  );
  const broken = answering({ body: 1, headers: { etag: '"1"', "x-a": "\n" } });
  assertEquals(await statusOf(broken, { "if-none-match": '"1"' }), 500);
});

Deno.test("a 304 instead of a stream closes its producer once, without pulling it", async () => {
  for (const declared of [response.stream(), response.ndjson(type("number")), response.sse(type("number"))]) {
    for (const method of ["GET", "HEAD"]) {
      const { source, count } = watch([1]);
      const { heard, onError } = listen();
      const handler = mountRoute(
        route.get("/", { responses: { 200: declared } }),
        (() => ({ status: 200, body: source, headers: { etag: '"1"' } })) as never,
        { onError },
      );
      assertEquals(await statusOf(handler, { "if-none-match": '"1"' }, method), 304);
      assertEquals([count, heard.length], [{ next: 0, return: 1 }, 0]);
    }
  }
  const { stream, state } = watchBody(["a"]);
  const handler = answering({ body: stream, headers: { etag: '"1"' } }, response.stream());
  assertEquals([await statusOf(handler, { "if-none-match": '"1"' }), state()], [304, "cancelled"]);
});

Deno.test("a raw response is replaced by a 304 for its own etag or the result's, and its body is cancelled", async () => {
  for (const [native, headers] of [[{ etag: '"1"' }, undefined], [{}, { etag: '"1"' }]] as const) {
    const { stream, state } = watchBody(["a"]);
    const body = new Response(stream, { headers: { ...native, "x-a": "1" } });
    const answer = await answering({ body, headers }, response.raw())(ask({ "if-none-match": '"1"' }));
    assertEquals([answer.status, answer.body, answer.headers.get("x-a"), state()], [304, null, "1", "cancelled"]);
  }
  const body = new Response("a", { headers: { etag: '"1"' } });
  assert(await answering({ body }, response.raw())(ask({ "if-none-match": '"2"' })) === body);
});

Deno.test("a client that sends If-None-Match receives a declared 304 as a result", async () => {
  const contract = defineContract({
    routes: {
      read: route.get("/", {
        headers: type({ "if-none-match?": "string" }),
        responses: { 200: response.json(type("number"), { headers: type({ etag: "string" }) }), 304: response.empty() },
      }),
    },
  });
  const implementation = defineServer(contract).implement({
    read: ({ response }) => response(200, 1, { etag: '"1"' }),
  });
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: createFetchHandler(implementation) });

  const first = await client.read();
  assert(first.status === 200);
  const second = await client.read({ headers: { "if-none-match": first.headers.etag } });
  assertEquals([first.body, second.status, second.body], [1, 304, undefined]);
});

Deno.test("a 304 of a secured route has the cache-control of the result, or no-store like all its responses", async () => {
  const token = security.bearer("token");
  const responses = { 200: response.text() };
  const contract = defineContract({
    security: [token],
    routes: { kept: route.get("/kept", { responses }), other: route.get("/other", { responses }) },
  });
  const implementation = defineServer(contract, { security: [verify(token, () => ({}))] }).implement({
    kept: ({ response }) => response(200, "a", { etag: '"1"', "cache-control": "private, no-cache" }),
    other: ({ response }) => response(200, "a", { etag: '"1"' }),
  });
  const handler = createFetchHandler(implementation);
  const revalidate = async (path: string, headers: Record<string, string>): Promise<unknown[]> => {
    const answer = await handler(
      new Request(`http://localhost${path}`, { headers: { "if-none-match": '"1"', ...headers } }),
    );
    return [answer.status, answer.headers.get("cache-control"), answer.headers.get("vary")];
  };
  const credential = { authorization: "Bearer a" };
  assertEquals(await revalidate("/kept", credential), [304, "private, no-cache", "authorization"]);
  assertEquals((await revalidate("/other", credential)).slice(0, 2), [304, "no-store"]);
  assertEquals((await revalidate("/kept", {}))[0], 401);
});

// proves http | Conditions are evaluated before ranges | 13.2.2
Deno.test("a part of a resource is revalidated as the whole is: conditions come before ranges (RFC 9110, 13.2.2)", async () => {
  const headers = { etag: '"1"', "last-modified": modified, "content-range": "bytes 0-1/5" };
  const parts = [
    () => answering({ status: 206, body: "He", headers }, response.text()),
    () => answering({ status: 206, body: ["He"].values(), headers }, response.ndjson(type("string"))),
    () => answering({ status: 206, body: new Response("He", { status: 206, headers }) }, response.raw()),
  ];
  const range = { range: "bytes=0-1" };
  for (const part of parts) {
    for (const method of ["GET", "HEAD"]) {
      assertEquals(await statusOf(part(), { ...range, "if-none-match": '"1"' }, method), 304, method);
      assertEquals(await statusOf(part(), { ...range, "if-modified-since": later }, method), 304, method);
    }
    const answer = await part()(ask({ ...range, "if-none-match": "*" }));
    assertEquals([...answer.headers], [["etag", '"1"'], ["last-modified", modified]]);
    assertEquals(await statusOf(part(), { ...range, "if-none-match": '"2"', "if-modified-since": later }), 206);
    assertEquals(await statusOf(part(), { ...range, "if-range": '"1"' }), 206);
  }
});
