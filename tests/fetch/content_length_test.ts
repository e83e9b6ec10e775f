/** The length that a response states is that of its body. */
import { type Awaitable, defineServer } from "@scope/api/server";
import { defineContract, response, type ResponseDeclaration, route } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as z from "zod";
import { listen, mountRoute } from "../support/mount_route.ts";
import { watch, type Watched } from "../support/producers.ts";

const get = (method = "GET"): Request => new Request("http://localhost/", { method });
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function mount(declared: ResponseDeclaration, result: () => object): {
  readonly handler: FetchHandler;
  readonly heard: ReturnType<typeof listen>["heard"];
} {
  const { heard, onError } = listen();
  const handler = mountRoute(
    route.get("/", { responses: { 200: declared } }),
    (() => ({ status: 200, ...result() })) as never,
    {
      onError,
    },
  );
  return { handler, heard };
}

// proves http | A Content-Length that is sent is the length of the content | 8.6
Deno.test("a whole body is sent with its own length in bytes, whatever content-length the handler sets", async () => {
  const bodies: readonly [ResponseDeclaration, unknown, string][] = [
    [response.text(), "naïve café", "12"],
    [response.text({ contentType: "text/html" }), "naïve café", "12"],
    [response.text({ contentType: ["text/plain", "text/html"] }), "é", "2"],
    [response.json<unknown>(), { name: "é" }, "13"],
    [response.bytes(), bytes("hello"), "5"],
    [response.bytes(), new Blob(["né"]), "3"],
    [response.problem(), { title: "é" }, "48"],
    [response.empty(), undefined, "null"],
  ];
  for (const [declared, body, length] of bodies) {
    for (const stated of ["10", "0", "abc", ["3", "5"], "-1", ""]) {
      for (const name of ["content-length", "Content-Length"]) {
        const { handler } = mount(
          declared,
          () => ({ body, headers: { [name]: stated, "content-type": "text/plain" } }),
        );
        for (const method of ["GET", "HEAD"]) {
          const answer = await handler(get(method));
          assertEquals([answer.status, String(answer.headers.get("content-length"))], [200, length]);
          await answer.body?.cancel();
        }
      }
    }
  }
});

/** The bytes of a response, or the message of the error that ends it. */
async function read(answer: Response): Promise<string> {
  return await answer.text().catch((error) => String(error));
}

const streams: Readonly<
  Record<string, (source: AsyncIterable<Uint8Array>, length: string) => ReturnType<typeof mount>>
> = {
  "response.stream()": (source, length) =>
    mount(response.stream(), () => ({ body: source, headers: { "Content-Length": length } })),
  "response.raw()": (source, length) =>
    mount(response.raw(), () => {
      const body = ReadableStream.from(source) as ReadableStream<Uint8Array<ArrayBuffer>>;
      return { body: new Response(body, { headers: { "content-length": length } }) };
    }),
  "response.raw() with the header of the result": (source, length) =>
    mount(response.raw(), () => ({
      body: new Response(ReadableStream.from(source) as ReadableStream<Uint8Array<ArrayBuffer>>),
      headers: { "content-length": length },
    })),
};

for (const [name, stream] of Object.entries(streams)) {
  const chunks = (...texts: readonly string[]): Watched<Uint8Array> => watch(texts.map(bytes));

  Deno.test(`${name} with the length that it states is sent with it`, async () => {
    for (const texts of [["hello"], ["he", "", "llo"], ["hello", "", ""]]) {
      const { source, count } = chunks(...texts);
      const { handler, heard } = stream(source, "5");
      const answer = await handler(get());
      assertEquals([answer.headers.get("content-length"), await read(answer), heard], ["5", "hello", []]);
      assertEquals(count.return, 0);
    }
    const { handler } = stream(chunks().source, "0");
    assertEquals(await read(await handler(get())), "");
  });

  Deno.test(`${name} with more bytes than it states fails before they look complete, is closed and is reported once`, async () => {
    for (const texts of [["hello"], ["hel", "lo"], ["he", "", "llo"], ["hel", "", "lo"]]) {
      const { source, count } = chunks(...texts, "unread", "unread");
      const { handler, heard } = stream(source, "3");
      const answer = await handler(get());
      let length = 0;
      const error = await assertRejects(async () => {
        for await (const chunk of answer.body!) length += chunk.byteLength;
      }, TypeError);
      const message = 'Cannot send 200 from GET / (it): its header "content-length" is 3, but its body has more bytes';
      assertEquals([error.message, heard.map(({ phase, error }) => [phase, String(error)])], [
        message,
        [["stream", `ResultError: ${message}`]],
      ]);
      assert(length < 3);
      assertEquals(count.return, 1);
    }
  });

  Deno.test(`${name} with fewer bytes than it states fails and is reported once`, async () => {
    for (const texts of [[], ["hello"], ["he", "llo"]]) {
      const { handler, heard } = stream(chunks(...texts).source, "10");
      const found = await read(await handler(get()));
      assertStringIncludes(found, `its header "content-length" is 10, but its body has ${texts.join("").length} bytes`);
      assertEquals(heard.map(({ phase }) => phase), ["stream"]);
    }
  });

  Deno.test(`${name} that states that it is empty states nothing, so that its bytes are noticed`, async () => {
    const { handler, heard } = stream(chunks("hello").source, "0");
    const answer = await handler(get());
    assertEquals(answer.headers.get("content-length"), null);
    assertStringIncludes(await read(answer), 'its header "content-length" is 0, but its body has more bytes');
    assertEquals(heard.length, 1);
  });

  Deno.test(`${name} with a content-length that is not a number is a 500, and its source is closed`, async () => {
    for (const length of ["abc", "5, 5", "-5", "+5", "5.0", "0x5", "99999999999999999999"]) {
      const { source, count } = chunks("hello");
      const { handler, heard } = stream(source, length);
      const answer = await handler(get());
      assertEquals([answer.status, heard.map(({ phase }) => phase), count.next], [500, ["encode"], 0]);
      await answer.body?.cancel();
    }
  });

  Deno.test(`${name} states the same length for HEAD as for GET, and is closed without being read`, async () => {
    const { source, count } = chunks("hello");
    const answer = await stream(source, "5").handler(get("HEAD"));
    assertEquals([answer.headers.get("content-length"), answer.body, await answer.text()], ["5", null, ""]);
    assertEquals(count.next, 0);
  });

  Deno.test(`${name} with a content-length is closed once if the client leaves`, async () => {
    const { source, count } = chunks("he", "llo");
    const { handler, heard } = stream(source, "5");
    const reader = (await handler(get())).body!.getReader();
    await reader.read();
    await reader.cancel();
    assertEquals([count.return, heard], [1, []]);
  });
}

Deno.test("items that are validated and formatted are counted as they are sent", async () => {
  const declared = response.ndjson(z.object({ id: z.number() }));
  const { handler, heard } = mount(
    declared,
    () => ({ body: [{ id: 1, more: 2 }], headers: { "content-length": "9" } }),
  );
  assertEquals([await read(await handler(get())), heard], ['{"id":1}\n', []]);
});

Deno.test("counting the items of a generator that does not wait takes no promise", async () => {
  /** Returns how many promises are awaited before the first item is there. */
  const countTurns = async (headers?: Record<string, string>): Promise<number> => {
    const { handler } = mount(response.stream(), () => ({ body: [bytes("a"), bytes("b")].values(), headers }));
    const reader = (await handler(get())).body!.getReader();
    let isThere = false;
    void reader.read().then(() => isThere = true);
    let turns = 0;
    for (; !isThere; turns++) await undefined;
    await reader.cancel();
    return turns;
  };
  assertEquals(await countTurns({ "content-length": "2" }), await countTurns());
});

Deno.test("a native response without a body states no length, which would be waited for", async () => {
  const { handler } = mount(
    response.raw(),
    () => ({ body: new Response(null, { headers: { "content-length": "5" } }) }),
  );
  assertEquals((await handler(get())).headers.get("content-length"), null);
  assertEquals((await handler(get("HEAD"))).headers.get("content-length"), "5");
});

Deno.test("a handler's transfer-encoding is not sent, because the runtime decides it", async () => {
  const headers = { "Transfer-Encoding": "identity" };
  for (
    const [declared, body] of [
      [response.text(), "a"],
      [response.stream(), [bytes("a")]],
      [response.raw(), new Response("a", { headers })],
    ] as const
  ) {
    const answer = await mount(declared, () => ({ body, headers })).handler(get());
    assertEquals([answer.headers.get("transfer-encoding"), await answer.text()], [null, "a"]);
  }
});

Deno.test("the responses of hooks are counted, too", async () => {
  const text = (): Response => new Response("naïve café", { status: 503, headers: { "content-length": "10" } });
  const contract = defineContract({ routes: { it: route.get("/", { responses: { 204: response.empty() } }) } });
  const implementation = defineServer(contract).implement({
    it: () => {
      throw new Error("broken");
    },
  });
  for (const hook of ["onError", "onResponse"]) {
    const { heard, onError } = listen();
    const options: Readonly<Record<string, { onError: typeof onError; onResponse?: () => Awaitable<Response> }>> = {
      onError: { onError: (report) => onError(report) ?? (report.phase === "stream" ? undefined : text()) },
      onResponse: { onError, onResponse: text },
    };
    const answer = await createFetchHandler(implementation, options[hook]!)(get());
    assertStringIncludes(await read(answer), `Cannot send the response of ${hook}: its header "content-length" is 10`);
    assertEquals(heard.map(({ phase }) => phase), ["handler", "stream"]);
  }
});

// proves http | A stream whose length is not the stated one fails | 8.6
Deno.test("a body of the wrong length never reaches into the next response of its connection", async () => {
  const text = response.text();
  const contract = defineContract({
    routes: {
      text: route.get("/text", { responses: { 200: text } }),
      long: route.get("/long", { responses: { 200: response.stream() } }),
      short: route.get("/short", { responses: { 200: response.stream() } }),
      next: route.get("/next", { responses: { 200: text } }),
    },
  });
  const { heard, onError } = listen();
  const implementation = defineServer(contract).implement({
    text: ({ response }) => response(200, "naïve café", { "content-length": "10" }),
    long: ({ response }) => response(200, [bytes("hel"), bytes("lo")], { "content-length": "3" }),
    short: ({ response }) => response(200, [bytes("hello")], { "content-length": "10" }),
    next: ({ response }) => response(200, "next"),
  });
  const handler = createFetchHandler(implementation, { onError });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen(): void {} },
    (request) => handler(request),
  );
  for (const [path, expected] of [["text", "naïve café"], ["long", ""], ["short", "hello"]] as const) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    const next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    await connection.write(bytes(`GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n${next}`));
    let answer = "";
    try {
      for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) answer += chunk;
    } catch { /* reset */ }
    const body = answer.slice(answer.indexOf("\r\n\r\n") + 4).replace(/HTTP\/1\.1 200[^]*/, "");
    assertEquals(body, expected, path);
  }
  assertEquals(heard.map(({ route }) => route?.key), ["long", "short"]);
});

Deno.test("a hook that sets the length of a response, or its transfer coding, does not change its framing", async () => {
  const edit = ({ response: { headers } }: { readonly response: Response }): void => {
    headers.set("content-length", "3");
    headers.set("transfer-encoding", "gzip");
  };
  const failing = (): never => {
    throw new Error("a handler that fails");
  };
  const responses: readonly [ResponseDeclaration, () => object, string | null][] = [
    [response.text(), () => ({ body: "naïve café" }), null],
    [response.text(), () => ({ body: "é", headers: { "content-length": "1" } }), "2"],
    [response.stream(), () => ({ body: [bytes("hello")], headers: { "content-length": "5" } }), "5"],
    [response.raw(), () => ({ body: new Response("hello") }), null],
    [response.text(), failing, null],
  ];
  for (const [declared, result, length] of responses) {
    for (const thrown of [false, true]) {
      const handler = mountRoute(
        route.get("/", { responses: { 200: declared } }),
        (() => ({ status: 200, ...result() })) as never,
        {
          onError: edit,
          onResponse: (report) => {
            edit(report);
            if (thrown) throw new Error("a hook that fails");
          },
        },
      );
      const { headers, body } = await handler(get());
      assertEquals([headers.get("content-length"), headers.get("transfer-encoding")], [length, null]);
      await body?.cancel();
    }
  }
});
