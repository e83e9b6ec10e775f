import { codec, response, type ResponseDeclaration, route } from "@scope/api";
import type { ResponseHeaders } from "@scope/api/server";
import type { ResponseReport } from "@scope/api/fetch";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { failureOf, listen, mountRoute } from "../support/mount_route.ts";

const get = new Request("http://localhost/");

async function send(headers: unknown, declared: ResponseDeclaration = response.empty()): Promise<Response> {
  const result = { status: 200, ...(declared.kind === "empty" ? {} : { body: "" }), headers };
  return await mountRoute(route.get("/", { responses: { 200: declared } }), () => result as never)(get);
}

async function refusalOf(headers: unknown, declared: ResponseDeclaration = response.empty()): Promise<string> {
  const only = route.get("/", { responses: { 200: declared } });
  return String(await failureOf(only, () => ({ status: 200, headers } as never)));
}

Deno.test("response() headers are sent as fields, lists as several fields, and undefined is omitted", async () => {
  const answer = await send({ "X-A": "1", "x-b": ["1", "2"], "x-none": undefined, "x-empty": "", "x-zero": [] });
  assertEquals([...answer.headers], [["x-a", "1"], ["x-b", "1, 2"], ["x-empty", ""]]);
});

// proves http | Set-Cookie headers are never joined | 5.3
Deno.test("response() headers send every Set-Cookie separately", async () => {
  const cookies = ["a=1; Path=/", "b=2; Expires=Thu, 01 Jan 2026 00:00:00 GMT"];
  for (const name of ["set-cookie", "Set-Cookie"]) {
    assertEquals((await send({ [name]: cookies }, response.text())).headers.getSetCookie(), cookies);
  }
});

Deno.test("response() headers may be any if none are declared, even with unusual names", async () => {
  const headers = { ["__proto__"]: "1", constructor: "2", "x-latin": "é\u00ff", "x-tab": "a\tb" };
  const answer = await send(headers);
  assertEquals(Object.entries(headers).map(([name]) => answer.headers.get(name)), ["1", "2", "é\u00ff", "a\tb"]);
});

// proves http | Header values contain no CR, LF or NUL | 5.5
Deno.test("response() headers with invalid values fail, and cannot split a response", async () => {
  const values = ["a\r\nset-cookie: b=1", "a\nb", "a\rb", "\n", "a\0b", "a\u007fb", "a\u0001b", "€", "\u0100", "😀"];
  for (const value of values) {
    assertStringIncludes(await refusalOf({ "x-a": value }), 'The value of the header "x-a" is invalid');
    await refusalOf({ "x-a": ["fine", value] });
  }
  for (const value of [null, 1, true, {}, [1], [undefined], [["a"]], new Date()]) await refusalOf({ "x-a": value });
  for (const name of ["", " ", "x a", "x:a", "x\na", "é", "x\r\nb"]) await refusalOf({ [name]: "a" });
});

// proves http | Content has a Content-Type, which the contract declares | 8.3
Deno.test("response() headers do not change the declared content type", async () => {
  for (const name of ["content-type", "Content-Type", "CONTENT-TYPE"]) {
    for (const declared of [response.text(), response.text({ contentType: "text/html" })]) {
      const answer = await send({ [name]: "text/evil" }, declared);
      assertEquals(answer.headers.get("content-type"), declared.contentType);
    }
  }
});

Deno.test("response() headers of one response do not appear in the next", async () => {
  let run = 0;
  for (const declared of [response.text(), response.text({ contentType: "text/html" })]) {
    const handler = mountRoute(
      route.get("/", { responses: { 200: declared } }),
      ({ response }) => response(200, "", { [`x-${run++}`]: "1" }),
    );
    assertEquals([...(await handler(get)).headers.keys()].length, 2);
    assertEquals([...(await handler(get)).headers.keys()].length, 2);
  }
});

Deno.test("the output of the headers schema is sent", async () => {
  const declared = response.text({
    headers: type({ "+": "delete", location: "string", "x-n": "string = '5'" }) as never,
  });
  const answer = await send({ location: "/a", "x-secret": "1" }, declared);
  assertEquals([...answer.headers], [["content-type", "text/plain;charset=UTF-8"], ["location", "/a"], ["x-n", "5"]]);
});

Deno.test("headers schema sends lists and omits optional fields", async () => {
  const declared = response.empty({ headers: type({ "set-cookie": "string[]", "x-a?": "string | undefined" }) });
  const answer = await send({ "set-cookie": ["a=1", "b=2"], "x-a": undefined }, declared);
  assertEquals([...answer.headers], [["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
});

Deno.test("headers schema refuses with 500, even absent headers, and the error contains place and reason", async () => {
  const declared = response.empty({ headers: type({ location: "string" }) });
  const where = "Cannot send the headers of 200 from GET / (it): location: ";
  for (const headers of [undefined, {}, { location: 5 }]) {
    assertStringIncludes(await refusalOf(headers, declared), where);
  }
  await refusalOf({ location: "/\r\nx: y" }, declared);
});

Deno.test("headers schema may be a codec", async () => {
  const Expiry = codec(type({ expires: "string" }), type({ expires: "Date" }), {
    decode: ({ expires }) => ({ expires: new Date(expires) }),
    encode: ({ expires }) => Promise.resolve({ expires: expires.toUTCString() }),
  });
  const declared = response.empty({ headers: Expiry });
  const answer = await send({ expires: new Date(0) }, declared);
  assertEquals(answer.headers.get("expires"), "Thu, 01 Jan 1970 00:00:00 GMT");
});

Deno.test("response() headers are typed as text, lists of text, or undefined", () => {
  const headers = { a: "1", b: ["1"], c: undefined } satisfies ResponseHeaders;
  // @ts-expect-error -- a number is not text
  const wrong = { a: 1 } satisfies ResponseHeaders;
  assertEquals(Object.keys({ ...headers, ...wrong }), ["a", "b", "c"]);
});

Deno.test("headers in a Headers object are refused, not dropped", async () => {
  assertStringIncludes(await refusalOf(new Headers({ "x-a": "1" })), "must be a plain object, got a Headers");
});

Deno.test("headers in another list are refused, not dropped or sent as the names 0 and 1", async () => {
  const foreign = { get: () => "1", *[Symbol.iterator](): Generator<never> {} }; // as the Headers of another implementation
  for (const headers of [foreign, new Map([["x-a", "1"]]), [["x-a", "1"]], "x-a: 1", 1]) {
    assertStringIncludes(await refusalOf(headers as never), "The headers of a result must be a plain object, got ");
  }
});

const ofConnection = {
  connection: "close",
  "keep-alive": "timeout=1",
  "proxy-connection": "close",
  te: "trailers",
  trailer: "x",
  "transfer-encoding": "gzip",
  upgrade: "h2c",
};

Deno.test("the fields of a connection are dropped and reported, whoever sets them", async () => {
  const { heard, onError } = listen();
  const fields = { ...ofConnection, "x-kept": "1" };
  const results: readonly [ResponseDeclaration, () => unknown, isHook?: boolean][] = [
    [response.text(), () => ({ status: 200, body: "a", headers: fields })],
    [response.raw(), () => ({ status: 200, body: new Response("a", { headers: fields }) })],
    [response.text(), () => ({ status: 200, body: "a", headers: { "x-kept": "1" } }), true],
  ];
  for (const [declared, result, isHook] of results) {
    const onResponse = ({ response }: ResponseReport): void => {
      for (const [name, value] of Object.entries(ofConnection)) response.headers.set(name, value);
    };
    const handler = mountRoute(route.get("/", { responses: { 200: declared } }), result as never, {
      onError,
      ...(isHook && { onResponse }),
    });
    for (const method of ["GET", "HEAD"]) {
      heard.length = 0;
      const answer = await handler(new Request("http://localhost/", { method }));
      const kept = Object.keys(fields).filter((name) => answer.headers.has(name));
      assertEquals([answer.status, kept, await answer.text()], [200, ["x-kept"], method === "GET" ? "a" : ""]);
      const names = Object.keys(ofConnection).filter((name) => !isHook || name !== "transfer-encoding"); // a hook cannot set it
      assertEquals(heard.map(({ error, phase }) => `${phase}: ${(error as Error).message}`), [
        `encode: Cannot send the header ${names.join(", ")}: the server decides it`,
      ]);
    }
  }
});

Deno.test("a 304 has no field of a connection either, whatever it replaces", async () => {
  const { heard, onError } = listen();
  const headers = { ...ofConnection, etag: '"1"' };
  const results: readonly [ResponseDeclaration, () => unknown][] = [
    [response.text(), () => ({ status: 200, body: "a", headers })],
    [response.stream(), () => ({ status: 200, body: [new Uint8Array(1)], headers })],
    [response.raw(), () => ({ status: 200, body: new Response("a", { headers }) })],
  ];
  for (const [declared, result] of results) {
    heard.length = 0;
    const handler = mountRoute(route.get("/", { responses: { 200: declared } }), result as never, { onError });
    const answer = await handler(new Request("http://localhost/", { headers: { "if-none-match": '"1"' } }));
    assertEquals([answer.status, [...answer.headers]], [304, [["etag", '"1"']]], declared.kind);
    assertEquals(heard.map(({ error, phase }) => `${phase}: ${(error as Error).message}`), [
      `encode: Cannot send the header ${Object.keys(ofConnection).join(", ")}: the server decides it`,
    ]);
  }
});

Deno.test("a 426 names the protocols that it requires, and a refusal has no field of a connection", async () => {
  const { heard, onError } = listen();
  const declared = { 426: response.empty() };
  const headers = { upgrade: "websocket", connection: "upgrade" };
  const handler = mountRoute(route.get("/", { responses: declared }), (() => ({ status: 426, headers })) as never, {
    onError,
  });

  const answer = await handler(new Request("http://localhost/"));
  assertEquals([answer.status, answer.headers.get("upgrade"), answer.headers.get("connection")], [
    426,
    "websocket",
    null,
  ]);
  assertEquals(heard.map(({ error }) => (error as Error).message), [
    "Cannot send the header connection: the server decides it",
  ]);
});
