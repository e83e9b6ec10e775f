/** Signatures of a request's content: what the verifier sees, what is refused before, and what is decoded after it. */
import { defineContract, request, response, route, router, security, type SignedContent } from "@scope/api";
import { createFetchHandler, type ErrorReport } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";

const signed = security.signature("shop", { headers: ["x-signature", "x-time"], maxBytes: 40 });
const other = security.signature("other", { headers: ["x-other"], maxBytes: 40, challenge: 'Other key="a"' });
const token = security.bearer("token");
const responses = { 200: response.text() };
const body = request.json(type({ id: "string" }));

const contract = defineContract({
  routes: {
    hook: route.post("/hook", { security: [signed], body, responses }),
    short: route.post("/short", {
      security: [signed],
      body: request.json(type("unknown"), { maxBytes: 9 }),
      responses,
    }),
    bytes: route.put("/bytes", { security: [signed], body: request.bytes({ contentType: "*/*" }), responses }),
    form: route.post("/form", { security: [signed], body: request.formData(type({ "a?": "string" })), responses }),
    optional: route.post("/optional", {
      security: [signed],
      body: request.json(type({ id: "string" }), { optional: true }),
      responses,
    }),
    both: route.post("/both", { security: [security.all(signed, token)], body, responses }),
    either: route.post("/either", { security: [signed, other, token], body, responses }),
    maybe: route.post("/maybe", { security: [signed, security.none], body, responses }),
  },
});

/** What the verifiers were called with. */
let seen: string[] = [];
let reports: ErrorReport[] = [];

/** A signature is `v1,` and the content backwards. */
async function sign(content: Uint8Array): Promise<string> {
  await Promise.resolve();
  return `v1,${encodeURIComponent(new TextDecoder().decode(content.toReversed()))}`;
}

const server = defineServer(contract, {
  security: [
    verify(signed, async ({ content, headers }) => {
      seen.push(`shop ${new TextDecoder().decode(content)}`);
      return await sign(content) === headers.get("x-signature") ? { name: "shop" } : undefined;
    }),
    verify(other, ({ content }) => ({ name: `other of ${content.length}` })),
    verify(token, ({ token }) => {
      seen.push(`token ${token}`);
      return token === "t" ? { user: "Ada" } : undefined;
    }),
  ],
});
const handler = createFetchHandler(
  server.implement({
    hook: ({ body, caller, response }) => response(200, `${caller.name} ${body.id}`),
    short: ({ response }) => response(200, "short"),
    bytes: ({ body, response }) => response(200, String(body.length)),
    form: ({ body, response }) => response(200, body.a ?? "none"),
    optional: ({ body, response }) => response(200, body ? body.id : "absent"),
    both: ({ caller, response }) => response(200, `${caller.shop.name} ${caller.token.user}`),
    either: ({ caller, response }) => response(200, "name" in caller ? caller.name : caller.user),
    maybe: ({ caller, response }) => response(200, caller?.name ?? "nobody"),
  }),
  { onError: (report) => void reports.push(report), maxBodyBytes: 30 },
);

/** Sends content with the headers of its signature, unless these are given. */
async function send(
  path: string,
  content: BodyInit | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  seen = [];
  reports = [];
  const bytes = new Uint8Array(await new Response(content instanceof ReadableStream ? null : content).arrayBuffer());
  const own = { "content-type": "application/json", "x-signature": await sign(bytes), "x-time": "1" };
  const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== "");
  const method = path === "/bytes" ? "PUT" : "POST";
  const init: RequestInit & { duplex: "half" } = { method, headers: all, duplex: "half" };
  return handler(new Request(`http://localhost${path}`, content === undefined ? init : { ...init, body: content }));
}

/** Asserts the status and the code of a problem document. */
async function assertProblem(answer: Response, status: number, code: string): Promise<void> {
  assertEquals([answer.status, (await answer.json()).code], [status, code]);
}

/** A body whose first read fails the test. */
function unread(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull: () => {
      throw new Error("the body was read");
    },
  }, { highWaterMark: 0 });
}

Deno.test("security.signature() passes the bytes as they were sent, and decodes the same ones", async () => {
  const texts = ['{"id":"1"}', '{ "id":\t"1",  "x": 2 }', '{"x":1,"id":"é"}'];
  const answers = [];
  for (const text of texts) answers.push(await (await send("/hook", text)).text(), ...seen);
  assertEquals(answers, ["shop 1", `shop ${texts[0]}`, "shop 1", `shop ${texts[1]}`, "shop é", `shop ${texts[2]}`]);
});

Deno.test("security.signature() refuses changed content before anything parses it", async () => {
  for (const text of ['{"id":"2"}', '{"id":"1"} ', "", "{"]) {
    const answer = await send("/hook", text, { "x-signature": await sign(new TextEncoder().encode('{"id":"1"}')) });
    await assertProblem(answer, 401, "invalid-credential");
    assertEquals(answer.headers.get("www-authenticate"), 'Signature headers="x-signature x-time"');
  }
  await assertProblem(await send("/hook", "{"), 400, "invalid-body");
  await assertProblem(await send("/hook", '{"id":1}'), 400, "invalid-request");
});

Deno.test("security.signature() refuses a request without all of its headers, and reads no byte of it", async () => {
  for (const name of ["x-signature", "x-time"]) {
    const answer = await send("/hook", unread(), { [name]: "" });
    await assertProblem(answer, 401, "unauthorized");
  }
  assertEquals([seen, reports], [[], []]);
});

Deno.test("security.signature() reads at most its maxBytes, and a route may have a smaller limit", async () => {
  const long = JSON.stringify({ id: "1".repeat(40) });
  await assertProblem(await send("/hook", unread(), { "content-length": "41" }), 413, "body-too-large");
  await assertProblem(await send("/hook", new Blob([long]).stream()), 413, "body-too-large");
  assertEquals(seen, []);
  await assertProblem(await send("/short", '"12345678"'), 413, "body-too-large");
  assertEquals(await (await send("/short", '"1234567"')).text(), "short");
  await assertProblem(await send("/hook", JSON.stringify({ id: "1".repeat(25) })), 413, "body-too-large"); // maxBodyBytes
});

Deno.test("security.signature() verifies the content of every body that is read as a whole", async () => {
  assertEquals(await (await send("/bytes", "abc", { "content-type": "text/x" })).text(), "3");
  const form = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
  const parts = { "content-type": "multipart/form-data; boundary=b" };
  await assertProblem(await send("/form", form, parts), 413, "body-too-large");
  assertEquals(await (await send("/form", "--b--\r\n", parts)).text(), "none");
  assertEquals(await (await send("/optional", '{"id":"1"}')).text(), "1");
  assertEquals(await (await send("/optional", "")).text(), "absent");
  assertEquals(await (await send("/optional", undefined, { "content-type": "" })).text(), "absent");
});

Deno.test("security.all() verifies other credentials before the content is read for a signature", async () => {
  await assertProblem(await send("/both", unread(), { authorization: "Bearer x" }), 401, "invalid-credential");
  assertEquals(seen, ["token x"]);
  const answer = await send("/both", '{"id":"1"}', { authorization: "Bearer t" });
  assertEquals([await answer.text(), seen], ["shop Ada", ["token t", 'shop {"id":"1"}']]);
});

Deno.test("security.signature() is told from other schemes by its headers", async () => {
  assertEquals(await (await send("/either", '{"id":"1"}')).text(), "shop");
  assertEquals(await (await send("/either", '{"id":"1"}', { "x-time": "", "x-other": "1" })).text(), "other of 10");
  assertEquals(await (await send("/either", '{"id":"1"}', { "x-time": "", authorization: "Bearer t" })).text(), "Ada");
  const answer = await send("/either", '{"id":"1"}', { "x-time": "" });
  await assertProblem(answer, 401, "unauthorized");
  assertEquals(
    answer.headers.get("www-authenticate"),
    'Signature headers="x-signature x-time", Other key="a", Bearer realm="api"',
  );
  assertEquals(await (await send("/maybe", '{"id":"1"}', { "x-time": "" })).text(), "nobody");
  await assertProblem(await send("/maybe", '{"id":"1"}', { "x-signature": "wrong" }), 401, "invalid-credential");
});

Deno.test("security.signature() never takes over a body that other code has read", async () => {
  const request = new Request("http://localhost/hook", {
    method: "POST",
    body: '{"id":"1"}',
    headers: { "content-type": "application/json", "x-signature": "1", "x-time": "1" },
  });
  await request.text();
  seen = [];
  reports = [];
  await assertProblem(await handler(request), 500, "internal-error");
  assertEquals(seen, []);
  assertEquals(reports.map(({ error }) => (error as Error).message), [
    "Cannot read the body of POST /hook (hook): other code has read it, such as middleware, a body parser, a guard or " +
    "a verifier; let that code read request.clone(), or call the handler before it",
  ]);
});

Deno.test("security.signature() needs routes whose content can be verified", () => {
  const rows: [declare: () => unknown, message: string][] = [
    [
      () => router("/", { security: [signed], routes: { list: route.get("/", { responses }) } }),
      'list cannot have the scheme "shop": its GET requests have no body to sign; declare one, or give the route another security',
    ],
    [
      () => route.post("/", { security: [signed], body: request.stream(), responses }),
      'route cannot have the scheme "shop": its body is a stream, which is not read as a whole; write request.bytes()',
    ],
    [
      () => route.post("/", { security: [signed], body: request.text({ maxBytes: 41 }), responses }),
      'route cannot have the scheme "shop": its body may have 41 bytes, and the scheme reads at most 40; change one "maxBytes"',
    ],
  ];
  for (const [declare, message] of rows) {
    const error = assertThrows(
      () => defineContract({ routes: { route: declare() } as never }),
      TypeError,
    );
    assert(error.message.includes(message), `${error.message}\n${message}`);
  }
});

Deno.test("security.signature() refuses options that it cannot use", () => {
  const rows: [options: object, state: string][] = [
    [{}, '"headers" is required'],
    [{ headers: ["x-signature"] }, '"maxBytes" is required'],
    [{ headers: [], maxBytes: 1 }, '"headers" must be an array of header names like ["x-signature"], got an array'],
    [{ headers: "x-signature", maxBytes: 1 }, '"headers" must be an array'],
    [{ headers: ["X-Signature"], maxBytes: 1 }, '"headers" has "X-Signature"; write lower-case header names'],
    [{ headers: ["x", "x y"], maxBytes: 1 }, '"headers" has "x y"; write lower-case header names'],
    [{ headers: ["x"], maxBytes: 0 }, '"maxBytes" must be a positive integer, got 0'],
    [{ headers: ["x"], maxBytes: Infinity }, '"maxBytes" must be a positive integer, got Infinity'],
    [{ headers: ["x"], maxBytes: 1, challenge: "a b c" }, '"challenge" must be a challenge like'],
    [{ headers: ["x"], maxBytes: 1, header: "x" }, 'unknown option "header"'],
  ];
  for (const [options, state] of rows) {
    const error = assertThrows(() => security.signature("shop", options as never), TypeError);
    assert(error.message.includes(state), error.message);
  }
});

Deno.test("security.signature() has content for its verifier in types", () => {
  verify(signed, ({ content }: SignedContent) => ({ length: content.byteLength }));
  // @ts-expect-error -- only verifiers of signatures have the content
  verify(token, ({ content }) => ({ content }));
  // @ts-expect-error -- "maxBytes" is missing
  assertThrows(() => security.signature("shop", { headers: ["x-signature"] }));
  // @ts-expect-error -- it needs a header
  assertThrows(() => security.signature("shop", { headers: [], maxBytes: 1 }));
});
