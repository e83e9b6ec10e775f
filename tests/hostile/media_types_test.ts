/**
 * There is one parser of media types: for any `content-type`, the handler sees exactly the bytes as the declared
 * representation reads them, or the response is 415; and a client accepts a response by the same rules.
 */
import { defineContract, request, response, route } from "@scope/api";
import { type ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { anything } from "../support/hostile_schemas.ts";

const responses = { 204: response.empty() };
const contract = defineContract({
  routes: {
    json: route.post("/json", { body: request.json(), responses }),
    text: route.post("/text", { body: request.text(), responses }),
    bytes: route.post("/bytes", { body: request.bytes(), responses }),
    stream: route.post("/stream", { body: request.stream(), responses }),
    form: route.post("/form", { body: request.form(anything()), responses }),
    formData: route.post("/formData", { body: request.formData(anything()), responses }),
    optional: route.post("/optional", { body: request.json({ optional: true }), responses }),
    vendor: route.post("/vendor", { body: request.json({ contentType: "application/vnd.a+json" }), responses }),
  },
});

/** The media types that each route takes, in the order of the contract. */
const taken: Readonly<Record<string, RegExp>> = {
  json: /^(?:application\/json|[^\s,/]+\/[^\s,/]+\+json)$/,
  text: /^text\/plain$/,
  bytes: /^application\/octet-stream$/,
  stream: /^application\/octet-stream$/,
  form: /^application\/x-www-form-urlencoded$/,
  formData: /^multipart\/form-data$/,
  optional: /^(?:application\/json|[^\s,/]+\/[^\s,/]+\+json)$/,
  vendor: /^application\/vnd\.a\+json$/,
};

const content = '{"a=1&b":2}';
const multipart = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--';
const seenAs: Readonly<Record<string, unknown>> = {
  json: { "a=1&b": 2 },
  text: content,
  bytes: new TextEncoder().encode(content),
  stream: content,
  form: { '{"a': "1", 'b":2}': "" },
  formData: { a: "1" },
  optional: { "a=1&b": 2 },
  vendor: { "a=1&b": 2 },
};

let seen: { readonly body: unknown } | undefined;

async function see({ body }: { readonly body?: unknown }): Promise<{ readonly status: 204 }> {
  seen = { body: body instanceof ReadableStream ? await new Response(body).text() : body };
  return { status: 204 };
}

const implementation = defineServer(contract).implement(
  Object.fromEntries(Object.keys(taken).map((key) => [key, see])) as never,
);
const handlers = [{}, { maxBodyBytes: 1_000 }, { preserveRequestBody: true }]
  .map((options) => createFetchHandler(implementation as never, options));

const types = [
  ...["application/json", "text/plain", "application/octet-stream", "application/x-www-form-urlencoded"],
  ...["multipart/form-data", "application/problem+json", "application/vnd.a+json", "a/b+json", "text/json", "*/*"],
  ...["application/*", "json", "application/", "/json", "application/json/x", "+json", ""],
];
const space = fc.constantFrom("", "", "", " ", "\t", " \t  ", "\u00a0", "\u0085");
const parameter = fc.constantFrom(
  ...["charset=utf-8", "charset=UTF-16", "charset=iso-8859-1", "boundary=x", 'boundary="x"', "a", "=", "a=", "", "q=0"],
  ...[
    'a="b"',
    'a="b;c"',
    'a="b, text/plain"',
    'a="\\""',
    'a="',
    'a="b',
    '"',
    "'",
    'a="\\',
    "application/json",
    "a=b,c",
  ],
);
const oneType = fc.tuple(
  space,
  fc.constantFrom(...types),
  fc.constantFrom("as it is", "upper", "mixed"),
  space,
  fc.array(fc.tuple(space, parameter, space), { maxLength: 3 }),
).map(([before, type, spelling, after, parameters]) =>
  before + spell(type, spelling) + after + parameters.map((parts) => `;${parts.join("")}`).join("")
);
const contentType = fc.oneof(
  { arbitrary: oneType, weight: 4 },
  fc.array(oneType, { minLength: 2, maxLength: 3 }).map((several) => several.join(", ")),
  fc.array(oneType, { minLength: 2, maxLength: 3 }).map((several) => several.join(",")),
);

function spell(type: string, spelling: string): string {
  if (spelling === "as it is") return type;
  if (spelling === "upper") return type.toUpperCase();
  return type.replace(/.(.)/g, (pair, second: string) => pair.slice(0, 1) + second.toUpperCase());
}

/**
 * The media type of a field by a plain reading, character by character, or `undefined` if there are several or none.
 */
function readPlainly(field: string): string | undefined {
  let isQuoted = false;
  for (let index = 0; index < field.length; index++) {
    if (field[index] === '"') isQuoted = !isQuoted;
    else if (isQuoted && field[index] === "\\") index++;
    else if (field[index] === "," && !isQuoted) return undefined;
  }
  const essence = field.split(";")[0]!.replace(/^[ \t]+|[ \t]+$/g, "").toLowerCase();
  return /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/.test(essence) ? essence : undefined;
}

/** Whether a field names another charset than UTF-8, by a plain reading of its first one. */
function hasOtherCharset(field: string): boolean {
  const [, charset = ""] = field.split(";").slice(1)
    .flatMap((part) => /^[ \t]*charset[ \t]*=[ \t]*"?([^\s"]*)/i.exec(part) ?? []);
  return charset !== "" && charset.toLowerCase() !== "utf-8";
}

/** The routes whose bodies are read as they are, whatever their charset. */
const ofBytes: readonly string[] = ["bytes", "stream", "formData"];

// proves promises | A body with any spelling of a media type leads to a 415 or to the exact value
Deno.test("createFetchHandler() accepts a body only by its media type, in any spelling, or responds 415", async () => {
  const key = fc.constantFrom(...Object.keys(taken));
  await fc.assert(
    fc.asyncProperty(contentType, key, fc.constantFrom(...handlers), async (field, key, handler) => {
      const type = readPlainly(field);
      const isTaken = type !== undefined && taken[key]!.test(type) &&
        (ofBytes.includes(key) || !hasOtherCharset(field));
      const body = key === "formData" ? multipart : content;
      const init = { method: "POST", body: new TextEncoder().encode(body), headers: { "content-type": field } };
      seen = undefined;
      const { status } = await handler(new Request(`http://localhost/${key}`, init));
      const isMalformed = isTaken && status === 400 && key === "formData"; // whose boundary is another's matter
      if (isMalformed) assertEquals(seen, undefined);
      else assertEquals([status, seen], isTaken ? [204, { body: seenAs[key] }] : [415, undefined]);
    }),
    tries(1_500),
  );
});

Deno.test("createClient() accepts a response only by its media type, in any spelling, or rejects", async () => {
  const contract = defineContract({
    routes: {
      json: route.get("/json", { responses: { 200: response.json<unknown>() } }),
      text: route.get("/text", { responses: { 200: response.text() } }),
      problem: route.get("/problem", { responses: { 200: response.problem() } }),
    },
  });
  const declared = { json: "application/json", text: "text/plain", problem: "application/problem+json" };
  const body = { json: JSON.parse(content), text: content, problem: JSON.parse(content) };
  let field = "";
  const client = createClient(contract, {
    baseUrl: "http://localhost",
    fetch: () =>
      Promise.resolve(new Response(new TextEncoder().encode(content), { headers: { "content-type": field } })),
  });
  const key = fc.constantFrom("json", "text", "problem");
  await fc.assert(
    fc.asyncProperty(contentType, key, async (given, key) => {
      field = given;
      const came = await client[key]().then(({ body }) => body as unknown, (error: ClientError) => error.code);
      assertEquals(came, readPlainly(given) === declared[key] ? body[key] : "unexpected-content-type");
    }),
    tries(500),
  );
});
