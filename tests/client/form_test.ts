import { codec, defineContract, request, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { recordCalls } from "../support/client_errors.ts";

const Moment = codec(type({ at: "string" }), type({ at: "Date" }), {
  decode: ({ at }) => ({ at: new Date(at) }),
  encode: ({ at }) => ({ at: at.toISOString() }),
});
const DatedFile = codec(type({ at: "string", "file?": "File" }), type({ at: "Date", "file?": "File" }), {
  decode: ({ at, ...rest }) => ({ ...rest, at: new Date(at) }),
  encode: ({ at, ...rest }) => ({ ...rest, at: at.toISOString() }),
});
const responses = { 200: response.json<unknown>() };
const contract = defineContract({
  routes: {
    form: route.post("/form", { body: request.form(type({ "[string]": "string | string[]" })), responses }),
    moment: route.post("/moment", { body: request.form(Moment), responses }),
    data: route.post("/data", { body: request.formData(type({ "[string]": "unknown" })), responses }),
    dataMoment: route.post("/data-moment", { body: request.formData(DatedFile), responses }),
    native: route.post("/native", { body: request.formData(), responses }),
    optional: route.post("/optional", {
      body: request.form(type({ a: "string" }), { optional: true }),
      responses,
    }),
    optionalData: route.post("/optional-data", { body: request.formData({ optional: true }), responses }),
  },
});

const describe = (value: unknown): unknown => value instanceof File ? [value.name, value.type, value.size] : value;
const answer = ({ body }: { readonly body: unknown }): { readonly status: 200; readonly body: unknown } => ({
  status: 200,
  body: body instanceof FormData
    ? [...body].map(([name, value]) => [name, describe(value)])
    : Object.entries(body ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(describe) : describe(value),
    ]),
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    form: answer,
    moment: answer,
    data: answer,
    dataMoment: answer,
    native: answer,
    optional: answer,
    optionalData: answer,
  }),
);
const { fetch, assertUnsent } = recordCalls(handler);
const client = createClient(contract, { baseUrl: "https://a.example", fetch });

Deno.test("createClient() calls send forms as browsers do", async () => {
  const outgoing = await client.form.request({ body: { "a b": "é&=+%", list: ["1", "2"], none: [] } });
  assertEquals(outgoing.headers.get("content-type"), "application/x-www-form-urlencoded");
  assertEquals(await outgoing.text(), "a+b=%C3%A9%26%3D%2B%25&list=1&list=2");
});

Deno.test("createClient() calls send values in forms that have a single text form", async () => {
  const body = { n: 1, b: true, i: 2n, list: [1, "a"], left: undefined } as never;
  const expected = [["n", "1"], ["b", "true"], ["i", "2"], ["list", ["1", "a"]]];
  assertEquals((await client.form({ body })).body, expected);
  assertEquals((await client.data({ body })).body, expected);
});

Deno.test("createClient() calls refuse forms that cannot be sent", async () => {
  for (const call of [client.form, client.data] as ((input: { body: never }) => Promise<unknown>)[]) {
    for (const value of [null, {}, new Date(), [[]], [null], () => 1, Symbol("s"), new Uint8Array(1)]) {
      await assertUnsent(() => call({ body: { field: value } as never }), '"field"');
    }
    for (const body of [undefined, null, "a=1", 1, new Map([["a", "1"]]), new URLSearchParams("a=1"), new Blob()]) {
      await assertUnsent(() => call({ body: body as never }));
    }
    for (const body of [{ a: "\ud800" }, { "\ud800": "a" }, { a: ["\udc00"] }]) {
      await assertUnsent(() => call({ body: body as never }));
    }
  }
  await assertUnsent(() => client.form({ body: { file: new Blob() } as never }));
  await assertUnsent(() => client.form({ body: new FormData() as never }));
});

Deno.test("createClient() calls send files, blobs and lists of them as form data", async () => {
  const body = {
    one: new File(["abc"], "a.txt", { type: "text/plain" }),
    blob: new Blob(["x"], { type: "image/png" }),
    list: [new File([], "empty"), "text"],
    none: undefined,
  };
  const outgoing = await client.data.request({ body });
  assertStringIncludes(outgoing.headers.get("content-type")!, "multipart/form-data; boundary=");
  assertEquals((await client.data({ body })).body, [
    ["one", ["a.txt", "text/plain", 3]],
    ["blob", ["blob", "image/png", 1]],
    ["list", [["empty", "application/octet-stream", 0], "text"]],
  ]);
});

Deno.test("createClient() calls send a FormData unchanged", async () => {
  const body = new FormData();
  body.append("a", "1");
  body.append("a", new File(["x"], "f"));
  assertEquals((await client.native({ body })).body, [["a", "1"], ["a", ["f", "application/octet-stream", 1]]]);
  assertEquals((await client.data({ body })).body, [["a", ["1", ["f", "application/octet-stream", 1]]]]);
  assertEquals((await client.native({ body: { a: [1, 2] } })).body, [["a", "1"], ["a", "2"]]);
});

// proves forms | The platform chooses the boundary of a client | RFC 7578, 4.1
Deno.test("createClient() calls keep the boundary of form data, whatever headers the caller passes", async () => {
  const headers = { "content-type": "multipart/form-data; boundary=own" };
  assertEquals((await client.data({ body: { a: "1" } }, { headers })).body, [["a", "1"]]);
});

// proves forms-differences | Quotes and line breaks in names are escaped | HTML Standard, 4.10.21.8 | The client
//   rejects such names | The server would read another name
Deno.test("createClient() calls refuse names and file names that form data would change, even in a FormData", async () => {
  for (const name of ['a"b', '"', "a\rb", "\n", "a\r\nb", "\r\r\n", "a\0", '"; filename="a', 'a"; name="admin']) {
    const file = new File(["1"], name);
    const [named, withFile] = [new FormData(), new FormData()];
    named.append(name, "1");
    withFile.append("file", file);
    for (const body of [{ [name]: "1" }, { file }, { file: ["1", file] }]) {
      await assertUnsent(() => client.data({ body }), "must not have quotation marks, newlines or NUL");
    }
    for (const body of [named, withFile]) {
      await assertUnsent(() => client.native({ body }), "must not have quotation marks, newlines or NUL");
      await assertUnsent(() => client.data({ body }), "must not have quotation marks, newlines or NUL");
    }
  }
  for (const name of ["a%22b", "%0D%0A", "%", "\\", "a\\", ";", "a; name=admin; b", "'", ""]) {
    const body = { [name]: new File(["1"], name) };
    assertEquals((await client.data({ body })).body, [[name, [name, "application/octet-stream", 1]]]);
  }
});

Deno.test("createClient() calls encode codecs of forms", async () => {
  const at = new Date(0);
  const expected = [["at", "1970-01-01T00:00:00.000Z"]];
  assertEquals((await client.moment({ body: { at } })).body, expected);
  assertEquals((await client.dataMoment({ body: { at, file: new File(["x"], "f") } })).body, [
    ["file", ["f", "application/octet-stream", 1]],
    ...expected,
  ]);
  await assertUnsent(() => client.moment({ body: { at: "1970" as never } }));
});

Deno.test("createClient() calls may omit an optional form", async () => {
  for (const call of [client.optional, client.optionalData]) {
    assertEquals((await call()).body, []);
    assertEquals((await call({ body: undefined }, { headers: { "content-type": "text/html" } })).body, []);
    const outgoing = await call.request();
    assertEquals([outgoing.body, outgoing.headers.get("content-type")], [null, null]);
  }
  assertEquals((await client.optional({ body: { a: "1" } })).body, [["a", "1"]]);
});
