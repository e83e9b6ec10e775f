/** A canary in any part of a request, or in a handler's mistake, is never in the adapter's own responses. */
import { defineContract, request, response, type Responses, route } from "@scope/api";
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { canary } from "../support/paces.ts";
import { rejectionsOf } from "../support/rejections.ts";
import { anything, schemaOf } from "../support/hostile_schemas.ts";

const kinds = ["json", "text", "bytes", "form", "formData", "stream"] as const;
const refuse = <Value>(): ReturnType<typeof schemaOf<Value>> =>
  schemaOf<Value>(() => ({ issues: [{ message: "no" }] }));
const bodies = {
  json: [request.json(), request.json(refuse<unknown>())],
  text: [request.text(), request.text(refuse<string>())],
  bytes: [request.bytes(), request.bytes(refuse<Uint8Array>())],
  form: [request.form(anything()), request.form(refuse())],
  formData: [request.formData(anything()), request.formData(refuse())],
  stream: [request.stream(), request.stream()],
} as const;

/** A value that no representation can carry, or only with a canary; each is an invalid handler result. */
const wrongs = {
  throws: () => {
    throw new Error(canary);
  },
  "throws a text": () => {
    throw canary;
  },
  "throws a response": () => {
    throw new Response(canary, { status: 418, headers: { "x-a": canary } });
  },
  "throws an object": () => {
    throw { message: canary, toString: () => canary, [canary]: canary };
  },
  rejects: () => Promise.reject(new TypeError(canary, { cause: canary })),
  "an undeclared status": () => ({ status: 203, body: canary }),
  "a refused body": () => ({ status: 200, body: { [canary]: canary } }),
  "a bad header": () => ({ status: 201, headers: { [`${canary}\n`]: canary } }),
  "a split header": () => ({ status: 201, headers: { "x-a": `1\r\nset-cookie: ${canary}` } }),
  "a header beyond Latin": () => ({ status: 201, headers: { "x-a": `${canary}\u{1f426}` } }),
  "a header with a control character": () => ({ status: 201, headers: { "x-a": `${canary}\u0001` } }),
  "a header with DEL": () => ({ status: 201, headers: { "x-a": ["1", `${canary}\u007f`] } }),
  "a cyclic body": () => {
    const body: Record<string, unknown> = { [canary]: canary };
    body["cycle"] = body;
    return { status: 202, body };
  },
  "a bigint": () => ({ status: 202, body: { [canary]: 1n } }),
  "a throwing toJSON": () => ({ status: 202, body: { toJSON: () => wrongs.throws() } }),
  "a throwing getter": () => ({
    get status(): never {
      return wrongs.throws();
    },
  }),
  "a throwing proxy": () =>
    new Proxy({}, {
      get: (_, key) => key === "then" ? undefined : wrongs.throws(),
      getPrototypeOf: () => wrongs.throws(),
      has: () => wrongs.throws(),
    }),
  "a throwing then": () => ({
    get then(): never {
      return wrongs.throws();
    },
  }),
  "a broken stream": () => ({ status: 206, body: { [Symbol.asyncIterator]: () => wrongs.throws() } }),
  "no stream": () => ({ status: 206, body: canary }),
  "a problem": () => ({ status: 500, body: canary }),
  "another native status": () => ({ status: 207, body: new Response(canary, { statusText: canary }) }),
  "a read response": async () => {
    const body = new Response(canary, { status: 207 });
    await body.text();
    return { status: 207, body };
  },
} as const;

/** A body that each kind takes. */
const fitting = {
  json: ["application/json", `"${canary}"`],
  text: ["text/plain", canary],
  bytes: ["application/octet-stream", canary],
  form: ["application/x-www-form-urlencoded", `${canary}=${canary}`],
  formData: [
    "multipart/form-data; boundary=b",
    `--b\r\nContent-Disposition: form-data; name="${canary}"; filename="${canary}"\r\n\r\n${canary}\r\n--b--`,
  ],
  stream: ["application/octet-stream", canary],
} as const;

/** Builds the responses anew for each contract. */
function declareResponses(): Responses {
  return {
    200: response.json(refuse<unknown>() as never),
    201: response.empty(),
    202: response.json<unknown>(),
    206: response.ndjson(anything<unknown>()),
    207: response.raw(),
    500: response.problem(),
  };
}

const place = fc.constantFrom("", canary, `${canary}%GG`, `a%2F${canary}`, "__proto__", "a");
const word = fc.constantFrom(canary, `${canary}=${canary}`, `%GG${canary}`, "a", "");
const contents = fc.constantFrom(
  ...[canary, `{"${canary}":`, `"${canary}`, `{"a":"${canary}"}`, `${canary}=${canary}&%GG`, "1", "", `\0${canary}`],
  ...[
    `--b\r\nContent-Disposition: form-data; name="${canary}"; filename="${canary}"\r\n\r\n${canary}\r\n--b--`,
    `--b\r\nContent-Disposition: form-data; name="${canary}"; filename="${canary}\r\n\r\n${canary}\r\n--b--`,
    `--b\r\n${canary}: form-data; name="a"\r\n\r\n1\r\n--b--`,
    `--b\r\nContent-Disposition: ${canary}; name="a"\r\n\r\n1\r\n--b--`,
    `--${canary}`,
  ],
);
const types = fc.constantFrom(
  ...["application/json", "text/plain", "application/octet-stream", "application/x-www-form-urlencoded"],
  ...["multipart/form-data; boundary=b", `multipart/form-data; boundary=${canary}`, `text/${canary}`, canary, ""],
);
/** The usual, and now and then another. */
function mostly<Usual, Other>(usual: Usual, other: fc.Arbitrary<Other>): fc.Arbitrary<Usual | Other> {
  return fc.oneof({ arbitrary: fc.constant(usual), weight: 5 }, other);
}

const asked = fc.record({
  path: mostly([canary], fc.array(place, { maxLength: 4 })),
  query: word,
  method: mostly("POST", fc.constantFrom("POST", "GET", "HEAD", "DELETE", "C4N4RY", "OPTIONS")),
  type: mostly(undefined, types),
  content: mostly(undefined, contents),
  headers: fc.dictionary(fc.constantFrom(`x-${canary}`, "cookie", "x-a", "accept", "range"), word),
  kind: fc.constantFrom(...kinds),
  refused: mostly([] as string[], fc.subarray<string>(["params", "query", "headers", "body"])),
  wrong: fc.constantFrom(...Object.keys(wrongs) as (keyof typeof wrongs)[]),
  limited: mostly(false, fc.constant(true)),
});
type Asked = typeof asked extends fc.Arbitrary<infer Given> ? Given : never;

// proves promises | Responses of the adapter contain no part of a request or of an error
Deno.test("createFetchHandler() never repeats a request or a handler's mistake in its responses", async () => {
  const unhandled = await rejectionsOf(async () => {
    await fc.assert(fc.asyncProperty(asked, check), tries(600));
  });
  assertEquals(unhandled, []);
});

async function check(
  { path, query, method, type, content, headers, kind, refused, wrong, limited }: Asked,
): Promise<void> {
  const contract = defineContract({
    basePath: "/a",
    routes: {
      it: route.post("/:b", {
        ...(refused.includes("params") && { params: refuse<{ b: string }>() }),
        ...(refused.includes("query") && { query: refuse() }),
        ...(refused.includes("headers") && { headers: refuse<Record<string, string>>() }),
        body: bodies[kind][refused.includes("body") ? 1 : 0] as never,
        responses: declareResponses(),
      }),
    },
  });
  const options: FetchOptions = { onError: () => {}, ...(limited && { maxBodyBytes: 10 }) };
  const implementation = defineServer(contract).implement({ it: wrongs[wrong] as never });
  const hasBody = method !== "GET" && method !== "HEAD";
  const answer = await createFetchHandler(implementation, options)(
    new Request(`http://localhost/${["a", ...path].join("/")}?${query}`, {
      method,
      ...(hasBody && { body: new TextEncoder().encode(content ?? fitting[kind][1]) }),
      headers: { ...headers, "content-type": type ?? fitting[kind][0] },
    }),
  );
  const { status, statusText } = answer;
  assert(status >= 400 && status <= 500, `${status} is no refusal`);
  const text = await answer.text();
  const all = [statusText, text, ...[...answer.headers].flat()].join("\n").toLowerCase();
  assert(!all.includes(canary), all);
  assert(!all.includes("    at "), all); // as a stack has it
  const problem = method === "HEAD" ? undefined : JSON.parse(text);
  if (problem) {
    assertEquals([problem.status, problem.type, answer.headers.get("content-type")], [
      status,
      "about:blank",
      "application/problem+json",
    ]);
  }
}
