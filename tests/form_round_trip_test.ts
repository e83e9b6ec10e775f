/**
 * A handler sees exactly the form that a caller passed, or the call throws and the handler does not run; a value never
 * creates another field.
 */
import { defineContract, request, response, route, type Schema } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { decodeForm, decodeFormData, encodeFormData } from "../src/representation/form.ts";
import { formatFields } from "../src/wire/text_fields.ts";
import { asserting } from "./support/tries.ts";

const always = asserting(300);

type Given = Readonly<Record<string, string | File | readonly (string | File)[]>>;

/** Accepts any fields; written by hand, so that a library's treatment of odd keys does not matter. */
function anyFields<Fields>(): Schema<Fields> {
  return { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as Fields }) } };
}

const contract = defineContract({
  routes: {
    form: route.post("/form", {
      body: request.form(anyFields<Record<string, string | string[]>>()),
      responses: { 204: response.empty() },
    }),
    formData: route.post("/form-data", {
      body: request.formData(anyFields<Given>()),
      responses: { 204: response.empty() },
    }),
    native: route.post("/native", { body: request.formData(), responses: { 204: response.empty() } }),
  },
});

let seen: unknown;
const implementation = defineServer(contract).implement({
  form: see,
  formData: see,
  native: see,
});

function see({ body }: { readonly body: unknown }): { readonly status: 204 } {
  seen = body;
  return { status: 204 };
}

const clients = [{}, { maxBodyBytes: 1_000_000 }, { preserveRequestBody: true }].map((options: FetchOptions) =>
  createClient(contract, { baseUrl: "https://a.example", fetch: createFetchHandler(implementation, options) })
);

/** Any UTF-16, halves of surrogate pairs and control characters included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
/** Text that is special to forms and multipart parsers. */
const trap = fc.constantFrom(
  ...["", "&", "=", "a=b&c=d", "+", " ", "%", "%26", "%0D%0A", "%22", "\0", "\r", "\n", "\r\n", '"', "\\", '\\"', ";"],
  ...['"; name="admin', '"; filename="x', "a; name=admin; b", "a; filename=b", "\uFEFF", "\ud800", "__proto__", "0"],
  ...[
    '"\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1',
    "\r\n--",
    "--",
    "name*=utf-8''admin",
    "constructor",
  ],
  '\r\n------b\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1\r\n',
);
const text = fc.oneof(trap, anyText, fc.string({ unit: "grapheme" }), fc.array(trap).map((parts) => parts.join("")));

function fieldsOf<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<[string, Value | Value[]][]> {
  const list = fc.array(value, { minLength: 2, maxLength: 4 });
  return fc.uniqueArray(fc.tuple(text, fc.oneof(value, list)), { selector: ([name]) => name, maxLength: 5 });
}

const file = fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), name: text, type: fc.constantFrom("", "image/png") });
const anyFile = file.map(({ bytes, name, type }) => new File([bytes as Uint8Array<ArrayBuffer>], name, { type }));

Deno.test("decodeForm() reverses formatFields()", () => {
  always(fc.property(fieldsOf(text.filter((value) => value.isWellFormed())), (entries) => {
    const fields = Object.fromEntries(entries.filter(([name]) => name.isWellFormed()));
    assertEquals(decodeForm(new TextEncoder().encode(formatFields(fields, "the body"))), fields);
  }));
});

// proves forms | The form data of every platform is parsed | RFC 7578
Deno.test("decodeFormData() reverses encodeFormData() and the platform's encoding", async () => {
  await always(fc.asyncProperty(fieldsOf(fc.oneof(text, anyFile)), async (entries) => {
    const given = Object.fromEntries(entries.filter(([name, value]) => isSendable(name, value)));
    const message = new Request("https://a.example", { method: "POST", body: encodeFormData(given) });
    const decoded = decodeFormData(await message.bytes(), message.headers.get("content-type")!);
    assertEquals(await describe(decoded), await describe(given, arriving));
  }));
});

Deno.test("createClient() and createFetchHandler() transfer any form, or refuse it", async () => {
  await always(fc.asyncProperty(fieldsOf(text), async (entries) => {
    const body = Object.fromEntries(entries);
    const refused = [body].flatMap(Object.entries).flat(2).some((each: string) => !each.isWellFormed());
    for (const client of clients) await assertSeen(() => client.form({ body }), refused ? undefined : body);
  }));
});

Deno.test("createClient() and createFetchHandler() transfer any form data, or refuse it", async () => {
  await always(fc.asyncProperty(fieldsOf(fc.oneof(text, anyFile)), async (entries) => {
    const body = Object.fromEntries(entries);
    const refused = !entries.every(([name, value]) => isSendable(name, value));
    const expected = refused ? undefined : await describe(body, arriving);
    for (const client of clients) await assertSeen(() => client.formData({ body }), expected);
  }));
});

Deno.test("createClient() and createFetchHandler() transfer a FormData unchanged or refuse it", async () => {
  const values = fc.array(fc.tuple(text, fc.oneof(text, anyFile)), { maxLength: 6 });
  await always(fc.asyncProperty(values, async (entries) => {
    const body = new FormData();
    for (const [name, value] of entries) body.append(name, value as string);
    const refused = ![...body].every(([name, value]) => isSendable(name, value));
    const expected = refused ? undefined : await describe(body, arriving);
    for (const client of clients) await assertSeen(() => client.native({ body }), expected);
  }));
});

Deno.test("createClient() and createFetchHandler() transfer %22, %0D and backslashes in names unchanged", async () => {
  for (const name of ["50%22.txt", "%0D%0A", "%22", "C:\\path\\file", "a\\", "\\\\", "a; name=g", "é%C3%A9\uFEFF"]) {
    const body = { [name]: new File(["1"], name, { type: "image/png" }) };
    for (const client of clients) await assertSeen(() => client.formData({ body }), await describe(body));
  }
});

/** Makes a call and asserts that its handler received exactly this, or that no handler ran if nothing is expected. */
async function assertSeen(call: () => Promise<unknown>, expected: unknown): Promise<void> {
  seen = undefined;
  const code = await call().then(() => undefined, (error) => error instanceof ClientError ? error.code : error);
  assertEquals([code, await describe(seen)], [expected === undefined ? "invalid-input" : undefined, expected]);
}

/** Whether form data can carry a field: without what platforms escape in names, and what UTF-8 has no bytes for. */
function isSendable(name: string, value: unknown): boolean {
  const names = [name, ...[value].flat().flatMap((each) => each instanceof File ? [each.name] : [])];
  const areNamesKept = name.isWellFormed() && !names.some((each) => /["\r\n\0]/.test(each));
  return areNamesKept && [value].flat().every((each) => typeof each !== "string" || each.isWellFormed());
}

/** Files as plain data. */
async function describe(value: unknown, change: <Value>(value: Value) => Value = (same) => same): Promise<unknown> {
  if (value instanceof File) {
    const { name, type } = value;
    return change({ name, type: type || "application/octet-stream", bytes: [...await value.bytes()] });
  }
  if (value instanceof FormData) return await describe([...value], change);
  if (Array.isArray(value)) return await Promise.all(value.map((each) => describe(each, change)));
  if (typeof value !== "object" || value === null) return change(value);
  const entries = Object.entries(value).map(async ([key, each]) => [key, await describe(each, change)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** A text after its transfer: its newlines are CR LF. */
function arriving<Value>(value: Value): Value {
  return typeof value === "string" ? newlines(value) as Value : value;
}

function newlines(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, "\r\n");
}
