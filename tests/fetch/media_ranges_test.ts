/** Bodies whose media type differs from message to message. */
import {
  defineContract,
  type MediaTypes,
  request,
  type RequestBody,
  response,
  type ResponseDeclaration,
  route,
} from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, type ResponseHeaders } from "@scope/api/server";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { assertProblem, listen, mountRoute } from "../support/mount_route.ts";

const address = "http://localhost/";

/** The handler's view of a body of this content type. */
async function send(body: RequestBody, contentType: string | undefined): Promise<Response> {
  const handler = mountRoute(
    route.post("/", { body, responses: { 200: response.json<unknown[]>() } }),
    (async (input: { body: unknown; contentType: string | undefined; response: (...given: unknown[]) => unknown }) => {
      const text = input.body && await new Response(input.body as BodyInit).text();
      return input.response(200, [input.contentType ?? null, text ?? null]);
    }) as never,
  );
  const headers: HeadersInit = contentType === undefined ? {} : { "content-type": contentType };
  return await handler(new Request(address, { method: "POST", body: new Uint8Array([49]), headers }));
}

Deno.test("body of a range or a list accepts types within it, and its handler receives the type", async () => {
  const cases: [MediaTypes, string | undefined, string | 415][] = [
    ["image/*", "image/png", "image/png"],
    ["Image/*", "IMAGE/Png; a=b", "image/png"],
    ["image/*", "image/svg+xml ; q=1", "image/svg+xml"],
    ["image/*", "imagex/png", 415],
    ["image/*", "image", 415],
    ["image/*", "image/", 415],
    ["image/*", "image/*", 415],
    ["image/*", "image/png, image/png", 415],
    ["image/*", "", 415],
    ["image/*", undefined, 415],
    ["*/*", "application/problem+json", "application/problem+json"],
    ["*/*", "x-own/y", "x-own/y"],
    ["*/*", "*/*", 415],
    ["*/*", "nonsense", 415],
    ["*/*", undefined, 415],
    [["image/png", "text/*"], "image/png", "image/png"],
    [["image/png", "text/*"], "text/csv;charset=utf-8", "text/csv"],
    [["image/png", "text/*"], "image/jpeg", 415],
    [["image/png", "text/*"], "application/json", 415],
  ];
  for (const [contentType, came, expected] of cases) {
    for (
      const body of [request.bytes({ contentType }), request.text({ contentType }), request.stream({ contentType })]
    ) {
      const answer = await send(body, came);
      if (expected === 415) await assertProblem(answer, 415, "Unsupported Media Type", "unsupported-media-type");
      else assertEquals([answer.status, await answer.json()], [200, [expected, "1"]], `${contentType} given ${came}`);
    }
  }
});

Deno.test("body of one media type passes no content type to its handler", async () => {
  for (const body of [request.bytes(), request.bytes({ contentType: ["application/octet-stream"] })]) {
    assertEquals(await (await send(body, "application/octet-stream")).json(), [null, "1"]);
  }
});

Deno.test("body outside of a range is refused before a byte is read", async () => {
  for (const options of [{}, { maxBodyBytes: 1_000 }, { preserveRequestBody: true }]) {
    let pulled = false;
    const body = new ReadableStream({ pull: () => void (pulled = true) }, { highWaterMark: 0 });
    const headers = { "content-type": "text/plain" };
    const incoming = new Request(address, { method: "POST", body, headers });
    const declared = route.post("/", {
      body: request.bytes({ contentType: "image/*" }),
      responses: { 204: response.empty() },
    });
    const answer = await mountRoute(declared, ({ response }) => response(204), options)(incoming);
    assertEquals([answer.status, pulled, incoming.bodyUsed], [415, false, false]);
  }
});

Deno.test("an optional body of a range may be absent and then has no content type", async () => {
  const declared = route.post("/", {
    body: request.bytes({ contentType: "image/*", optional: true }),
    responses: { 200: response.json<unknown[]>() },
  });
  const handler = mountRoute(
    declared,
    ({ body, contentType, response }) => response(200, [body?.byteLength ?? null, contentType ?? null]),
  );
  const headers = { "content-type": "image/gif" };

  assertEquals(await (await handler(new Request(address, { method: "POST" }))).json(), [null, null]);
  assertEquals(await (await handler(new Request(address, { method: "POST", headers }))).json(), [0, "image/gif"]);
  const untyped = new Request(address, { method: "POST", body: new Uint8Array(1) });
  await assertProblem(await handler(untyped), 415, "Unsupported Media Type", "unsupported-media-type");
});

Deno.test("a handler may declare the header content-type to receive the raw field", async () => {
  const declared = route.post("/", {
    headers: type({ "content-type": "string" }),
    body: request.bytes({ contentType: "text/*" }),
    responses: { 200: response.json<string[]>() },
  });
  const handler = mountRoute(
    declared,
    ({ headers, contentType, response }) => response(200, [headers["content-type"], contentType]),
  );
  const headers = { "content-type": "Text/CSV; Charset=Latin1" };

  const answer = await handler(new Request(address, { method: "POST", headers, body: new Uint8Array(1) }));
  assertEquals(await answer.json(), ["Text/CSV; Charset=Latin1", "text/csv"]);
});

const declare = {
  text: (contentType: MediaTypes): ResponseDeclaration => response.text({ contentType }),
  bytes: (contentType: MediaTypes): ResponseDeclaration => response.bytes({ contentType }),
  stream: (contentType: MediaTypes): ResponseDeclaration => response.stream({ contentType }),
};
const kinds = ["text", "bytes", "stream"] as const;

/** The response of a handler that returns these headers. */
async function answerOf(
  declared: ResponseDeclaration,
  headers: ResponseHeaders | undefined,
  method = "GET",
): Promise<{ answer: Response; message: string | undefined; isClosed: boolean }> {
  const { heard, onError } = listen();
  let isClosed = false;
  const chunks = (function* (): Generator<Uint8Array> {
    try {
      yield new Uint8Array([49]);
    } finally {
      isClosed = true;
    }
  })();
  const body = { text: "1", bytes: new Uint8Array([49]), stream: chunks }[declared.kind as typeof kinds[number]];
  if (declared.kind === "stream") chunks.next(); // a generator that has not begun runs no finally
  const result = { status: 200, body, headers };
  const handler = mountRoute(route.get("/", { responses: { 200: declared } }), () => result as never, { onError });
  const answer = await handler(new Request(address, { method }));
  const [report] = heard;
  if (report) assertEquals(report.phase, "encode");
  return { answer, message: report && String(report.error), isClosed };
}

for (const kind of kinds) {
  Deno.test(`response.${kind}() of a range is sent with the content type of its result`, async () => {
    const cases: [MediaTypes, string][] = [
      ["image/*", "image/png"],
      ["*/*", "Text/HTML; Charset=UTF-8"],
      [["image/png", "text/*"], "text/csv;header=present"],
      [["*/*", "application/problem+json"], "application/problem+json"],
    ];
    for (const [contentType, stated] of cases) {
      for (const name of ["content-type", "Content-Type"]) {
        for (const method of ["GET", "HEAD"]) {
          const headers = { [name]: [stated], "x-a": "1" };
          const { answer, message } = await answerOf(declare[kind](contentType), headers, method);
          assertEquals(message, undefined);
          assertEquals([answer.headers.get("content-type"), answer.headers.get("x-a")], [stated, "1"]);
          assertEquals(await answer.text(), method === "HEAD" || kind === "stream" ? "" : "1");
        }
      }
    }
  });

  Deno.test(`response.${kind}() of a range fails if its result states no type, or one outside of it`, async () => {
    const cases: [MediaTypes, ResponseHeaders | undefined, string][] = [
      ["image/*", undefined, "must be within image/*, got none"],
      ["image/*", {}, 'its header "content-type" must be within image/*, got none'],
      ["image/*", { "content-type": undefined }, 'its header "content-type" must be within image/*, got none'],
      ["image/*", { "content-type": [] }, 'its header "content-type" must be within image/*, got none'],
      ["image/*", { "content-type": "" }, 'must be within image/*, got ""'],
      ["image/*", { "content-type": "text/html" }, 'must be within image/*, got "text/html"'],
      ["image/*", { "content-type": "image/*" }, 'got "image/*"'],
      ["image/*", { "content-type": ["image/png", "image/png"] }, 'got "image/png, image/png"'],
      ["image/*", { "content-type": "image/png", "Content-Type": "image/gif" }, 'got "image/png, image/gif"'],
      ["image/*", { "content-type": "image/png\r\nx: 1" }, 'The value of the header "content-type" is invalid'],
      [["image/png", "text/*"], { "content-type": "image/gif" }, "within image/png, text/*"],
      ["*/*", { "content-type": "application/problem+json" }, "application/problem+json"],
      ["application/*", { "content-type": "Application/Problem+JSON;a=b" }, "Problem+JSON"],
      [
        "*/*",
        new Headers({ "content-type": "text/html" }) as never,
        "The headers of a result must be a plain object, got a Headers",
      ],
    ];
    for (const [contentType, headers, words] of cases) {
      for (const method of ["GET", "HEAD"]) {
        const { answer, message, isClosed } = await answerOf(declare[kind](contentType), headers, method);
        assertEquals([answer.status, answer.headers.get("content-type")], [500, "application/problem+json"]);
        assertStringIncludes(message ?? "", words);
        assertEquals(isClosed, kind === "stream");
        await answer.body?.cancel();
      }
    }
  });

  Deno.test(`response.${kind}() of a list of one media type ignores a stated type`, async () => {
    for (const headers of [undefined, { "content-type": "text/evil" }]) {
      const { answer } = await answerOf(declare[kind](["image/png"]), headers);
      assertEquals(answer.headers.get("content-type"), "image/png");
      await answer.body?.cancel();
    }
  });
}

Deno.test("HEAD of a range has the length and the content type of GET", async () => {
  const { answer } = await answerOf(response.bytes({ contentType: "*/*" }), { "content-type": "a/b" }, "HEAD");
  assertEquals([answer.headers.get("content-length"), answer.headers.get("content-type")], ["1", "a/b"]);
});

Deno.test("a schema of headers checks the stated content type, which is missing if it strips it", async () => {
  const declared = (headers: unknown): ResponseDeclaration =>
    response.bytes({ contentType: "image/*", headers: headers as undefined });
  const statesType = type({ "content-type": "'image/png' | 'image/gif'" });

  const { answer } = await answerOf(declared(statesType), { "content-type": "image/gif" });
  assertEquals(answer.headers.get("content-type"), "image/gif");
  const refused = await answerOf(declared(statesType), { "content-type": "image/webp" });
  assertStringIncludes(refused.message ?? "", "the headers of 200");
  const stripped = await answerOf(declared(type({ "+": "delete", "x-a": "string" })), {
    "content-type": "image/gif",
    "x-a": "1",
  });
  assertStringIncludes(stripped.message ?? "", 'its header "content-type" must be within image/*, got none');
});

Deno.test("bytes of any type make a round trip over a socket unchanged, with their content type", async () => {
  const contract = defineContract({
    routes: {
      echo: route.post("/", {
        body: request.stream({ contentType: "*/*" }),
        responses: { 200: response.stream({ contentType: "*/*" }) },
      }),
    },
  });
  const handler = createFetchHandler(
    defineServer(contract).implement({
      echo: ({ body, contentType, response }) => response(200, body, { "content-type": contentType }),
    }),
  );
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => handler(request));
  const client = createClient(contract, { baseUrl: `http://127.0.0.1:${server.addr.port}` });
  try {
    for (const contentType of ["image/png", "text/html", "x-own/y"]) {
      const body = new Blob(["a", "b"]).stream();
      const result = await client.echo({ body }, { headers: { "content-type": contentType } });
      assertEquals(await new Response(result.body).text(), "ab");
      assertEquals(result.headers.get("content-type"), contentType);
    }
  } finally {
    await server.shutdown();
  }
});
