import { codec, request, response, route } from "@scope/api";
import type { FetchHandler, FetchOptions } from "@scope/api/fetch";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { assertProblem, mountRoute } from "../support/mount_route.ts";
import { processorTime } from "../support/processor_time.ts";

const responses = { 200: response.json<unknown>() };
/** Without and with a limit a body takes different ways. */
const both: readonly FetchOptions[] = [{}, { maxBodyBytes: 10_000 }, { preserveRequestBody: true }];

function post(body: BodyInit, headers: HeadersInit = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers });
}

const urlencoded = { "content-type": "application/x-www-form-urlencoded" };

/** Form data with these fields. */
function formData(...fields: readonly (readonly [string, string | Blob])[]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value as Blob);
  return data;
}

Deno.test("request.form() passes the fields by the rules of a query", async () => {
  const Form = type({ name: "string", tags: "string[]", "note?": "string" });
  for (const options of both) {
    const handler = mountRoute(route.post("/", { body: request.form(Form), responses }), ({ body, response }) => {
      return response(200, body);
    }, options);
    const content = "name=A%C3%A9+B&tags=1&__proto__=x&tags=2&note=%zz";
    const expected = JSON.parse('{"name":"Aé B","tags":["1","2"],"__proto__":"x","note":"%zz"}');
    assertEquals(await (await handler(post(content, urlencoded))).json(), expected);
    const one = await handler(post(new URLSearchParams({ name: "A", tags: "1" })));
    assertEquals(await one.json(), { name: "A", tags: ["1"] });
    const refused = await handler(post("name=A", urlencoded));
    assertEquals((await refused.json()).issues.map(({ pointer }: { pointer: string }) => pointer), ["/tags"]);
    await assertProblem(await handler(post("name=A")), 415, "Unsupported Media Type", "unsupported-media-type");
  }
  assertEquals(({} as Record<string, unknown>).x, undefined);
});

Deno.test("request.form() keeps a byte order mark, as in the URL Standard", async () => {
  for (const options of both) {
    const handler = mountRoute(
      route.post("/", { body: request.form(type({ "[string]": "string" })), responses }),
      ({ body, response }) => response(200, body),
      options,
    );
    assertEquals(await (await handler(post("\uFEFFa=\uFEFF1", urlencoded))).json(), { "\uFEFFa": "\uFEFF1" });
  }
});

Deno.test("request.form() decodes a codec", async () => {
  const Event = codec(type({ at: "string" }), type({ at: "Date" }), {
    decode: ({ at }) => ({ at: new Date(at) }),
    encode: ({ at }) => ({ at: at.toISOString() }),
  });
  const handler = mountRoute(
    route.post("/", { body: request.form(Event), responses }),
    ({ body, response }) => response(200, body.at.getTime()),
  );
  assertEquals(await (await handler(post("at=1970-01-01T00:00:01Z", urlencoded))).json(), 1000);
});

Deno.test("request.formData() passes texts, files and lists of them to schemas of every library", async () => {
  const schemas = [
    type({ title: "string", cover: "File", pages: "File[]", tags: "string[]" }),
    z.object({ title: z.string(), cover: z.file(), pages: z.array(z.file()), tags: z.array(z.string()) }),
    v.object({ title: v.string(), cover: v.file(), pages: v.array(v.file()), tags: v.array(v.string()) }),
  ] as const;
  const image = new File([new Uint8Array([0, 13, 10, 255])], "a.png", { type: "image/png" });
  for (const options of both) {
    for (const schema of schemas) {
      const seen: File[] = [];
      const declared = route.post("/", { body: request.formData(schema), responses });
      const handler = mountRoute(declared, ({ body, response }) => {
        seen.push(body.cover, ...body.pages);
        return response(200, [body.title, body.tags]);
      }, options);
      const answer = await handler(post(formData(["title", "T"], ["cover", image], ["pages", image], ["tags", "a"])));
      assertEquals(await answer.json(), ["T", ["a"]]);
      for (const { name, type } of seen) assertEquals([name, type], ["a.png", "image/png"]);
      for (const file of seen) assertEquals(await file.bytes(), new Uint8Array([0, 13, 10, 255]));
      assertEquals(seen.length, 2);
    }
  }
});

Deno.test("request.formData() without a schema passes a FormData", async () => {
  for (const options of both) {
    const handler = mountRoute(route.post("/", { body: request.formData(), responses }), ({ body, response }) => {
      return response(200, [body instanceof FormData, ...[...body].map(([name, value]) => [name, typeof value])]);
    }, options);
    const answer = await handler(post(formData(["a", "1"], ["a", new Blob(["x"])], ["__proto__", "2"])));
    assertEquals(await answer.json(), [true, ["a", "string"], ["a", "object"], ["__proto__", "string"]]);
  }
});

Deno.test("request.formData() treats fields named __proto__ as fields", async () => {
  let seen: object = {};
  const Any = v.custom<Record<string, unknown>>((value) => typeof value === "object");
  const declared = route.post("/", { body: request.formData(Any), responses });
  const handler = mountRoute(declared, ({ body, response }) => response(200, Object.keys(seen = body)));
  const answer = await handler(post(formData(["__proto__", "1"], ["__proto__", "2"], ["constructor", "3"])));
  assertEquals(await answer.json(), ["__proto__", "constructor"]);
  assertEquals(Object.getPrototypeOf(seen), Object.prototype);
  assertEquals(({} as Record<string, unknown>)["0"], undefined);
});

// proves forms-differences | A part that is not a form field may be dropped, as some runtimes do | RFC 7578, 4.2 |
//   400, also for form data that is cut off or repeats a parameter | A form must not arrive in part
Deno.test("request.formData() refuses malformed and truncated bodies, and files that the schema refuses", async () => {
  const declared = route.post("/", { body: request.formData(type({ file: "File" })), responses });
  for (const options of both) {
    const handler = mountRoute(declared, ({ response }) => response(200, null), options);
    const whole = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nv\r\n--b--\r\n';
    const type = { "content-type": "multipart/form-data; boundary=b" };
    assertEquals((await handler(post(whole, type))).status, 200);
    for (const content of ["", "garbage", whole.slice(0, -6), whole.replace("name=", "nam=")]) {
      await assertProblem(await handler(post(content, type)), 400, "Bad Request", "invalid-body");
    }
    const bare = { "content-type": "multipart/form-data" };
    await assertProblem(await handler(post(whole, bare)), 400, "Bad Request", "invalid-body");
    const refused = await handler(post(whole.replace('; filename="f"', ""), type));
    const [issue] = (await refused.json()).issues;
    assertEquals([refused.status, issue.location, issue.pointer], [400, "body", "/file"]);
  }
});

Deno.test("maxBodyBytes applies to forms before they are parsed", async () => {
  const handlers: FetchHandler[] = [
    request.form(type({})),
    request.formData(type({})),
    request.formData(),
  ].map((body) => {
    return mountRoute(route.post("/", { body: body as ReturnType<typeof request.formData>, responses }), () => {
      throw new Error("too late");
    }, { maxBodyBytes: 5 });
  });
  const type_ = { "content-type": "multipart/form-data; boundary=b" };
  for (const [index, headers] of [urlencoded, type_, type_].entries()) {
    const answer = await handlers[index]!(post("a=1&b=", headers));
    await assertProblem(answer, 413, "Content Too Large", "body-too-large");
  }
});

Deno.test("request.form() and formData() take linear time in the number of fields", async () => {
  const Any = v.custom<Record<string, unknown>>(() => true);
  const form = mountRoute(route.post("/", { body: request.form(Any), responses }), answerCount);
  const data = mountRoute(route.post("/", { body: request.formData(Any), responses }), answerCount);
  const count = 20_000;
  const names = Array.from({ length: count }, (_, index) => `f${index}`);
  const started = processorTime();
  for (const each of [names, names.map(() => "same")]) {
    const answers = [
      await form(post(new URLSearchParams(each.map((name) => [name, "1"])))),
      await data(post(formData(...each.map((name) => [name, "1"] as const)))),
    ];
    for (const answer of answers) assertEquals(await answer.json(), count);
  }
  assert(processorTime() - started < 10_000);
});

function answerCount({ body }: { readonly body: object }): { readonly status: 200; readonly body: number } {
  return { status: 200, body: Object.values(body).flat().length };
}
