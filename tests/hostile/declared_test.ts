/**
 * For any declaration and any handler result: the response has a declared status and matches its declaration, or it is
 * the adapter's 500 and `onError` is called; a client of the same contract accepts it, or rejects with one class.
 */
import { defineContract, response, type Responses, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { listen } from "../support/mount_route.ts";
import { tries } from "../support/tries.ts";
import { atPace, type Pace } from "../support/paces.ts";
import { rejectionsOf } from "../support/rejections.ts";
import { anything, schemaOf } from "../support/hostile_schemas.ts";

const kinds = ["json", "text", "bytes", "empty", "problem", "stream", "ndjson", "sse", "raw"] as const;
type Kind = typeof kinds[number];

const statuses = fc.constantFrom(200, 201, 204, 205, 206, 299, 302, 304, 400, 404, 413, 418, 500, 503, 599);
const declarations = fc.uniqueArray(
  fc.record({ status: statuses, kind: fc.constantFrom(...kinds), hasHeaders: fc.boolean() }),
  { minLength: 1, maxLength: 5, selector: ({ status }) => status },
);

function hasNoBody(status: number): boolean {
  return [204, 205, 304].includes(status);
}

function declare(declared: readonly { status: number; kind: Kind; hasHeaders: boolean }[]): Responses {
  const declareOne = (kind: Kind, hasHeaders: boolean): unknown => {
    const options = hasHeaders ? { headers: schemaOf(checkHeaders) } : {};
    if (kind === "ndjson" || kind === "sse") return response[kind](anything<unknown>(), options as never);
    if (kind === "raw") return response.raw();
    return response[kind as "empty"](options as never);
  };
  const entries = declared.map(({ status, kind, hasHeaders }) => {
    const carried = hasNoBody(status) && kind !== "raw" ? "empty" : kind;
    return [status, declareOne(carried, hasHeaders)];
  });
  return Object.fromEntries(entries);
}

/** Wants a field, and lets no other through. */
function checkHeaders(fields: unknown): { value: unknown } | { issues: { message: string }[] } {
  const { "x-a": wanted } = fields as Record<string, string>;
  return wanted === undefined ? { issues: [{ message: "x-a is missing" }] } : { value: { "x-a": wanted } };
}

/** Bodies of every kind and of none; made anew for each call. */
const bodies: Readonly<Record<string, (status: number) => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  text: () => "text",
  "half a pair": () => "\ud800",
  number: () => 1,
  object: () => ({ a: 1, status: 404 }),
  array: () => [1, 2],
  bytes: () => new Uint8Array([1, 2]),
  blob: () => new Blob(["a"]),
  stream: () => new Blob(["abc"]).stream(),
  generator: () => [new Uint8Array(1)].values(),
  events: () => [{ data: 1, id: "a" }, { data: "x\ny" }],
  cyclic: () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    return cycle;
  },
  function: () => () => "text",
  native: (status) => new Response(hasNoBody(status) ? null : "native", { status }),
  "another's native": () => new Response("native", { status: 202 }),
};
const headers = fc.constantFrom<unknown>(
  undefined,
  {},
  { "x-a": "1" },
  { "x-a": ["1", "2"] },
  { "x-a": undefined },
  { "x-a": "1\r\nx-b: 2" },
  { "x-a": 1 },
  { "content-type": "text/html", "x-a": "1" },
  { "content-length": "0", "x-a": "1" },
  { "x a": "1" },
  new Headers({ "x-a": "1" }),
  "x-a: 1",
);

const types: Readonly<Record<Kind, RegExp | undefined>> = {
  json: /^application\/json$/,
  text: /^text\/plain;charset=UTF-8$/,
  bytes: /^application\/octet-stream$/,
  empty: undefined,
  problem: /^application\/problem\+json$/,
  stream: /^application\/octet-stream$/,
  ndjson: /^application\/x-ndjson$/,
  sse: /^text\/event-stream$/,
  raw: undefined,
};

const call = fc.record({
  declared: declarations,
  other: statuses,
  pick: fc.nat(6),
  body: fc.constantFrom(...Object.keys(bodies)),
  headers,
  pace: fc.constantFrom<Pace>("now", "soon", "late", "thenable"),
  method: fc.constantFrom("GET", "HEAD"),
  isThrown: fc.boolean(),
});
type Call = typeof call extends fc.Arbitrary<infer Given> ? Given : never;

Deno.test("createFetchHandler() sends a declared response or its own 500, and createClient() accepts it or rejects", async () => {
  const unhandled = await rejectionsOf(async () => {
    await fc.assert(fc.asyncProperty(call, check), tries(500));
  });
  assertEquals(unhandled, []);
});

async function check({ declared, other, pick, body, headers, pace, method, isThrown }: Call): Promise<void> {
  const responses = declare(declared);
  const contract = defineContract({ routes: { it: route.get("/", { responses }) } });
  const status = declared[pick]?.status ?? other;
  const { heard, onError } = listen();
  const give = (): unknown =>
    atPace(pace, () => {
      const result = { status, body: bodies[body]!(status), headers };
      if (isThrown) throw result;
      return result;
    });
  const handler = createFetchHandler(defineServer(contract).implement({ it: give as never } as never), { onError });
  const answer = await handler(new Request("http://localhost/", { method }));
  const kind = (responses as Record<number, { kind: Kind }>)[answer.status]?.kind;
  const failed = heard.length;
  if (failed > 0) assertEquals([failed, answer.status, heard[0]!.phase], [1, 500, "encode"]);
  else {
    assertEquals(answer.status, status);
    assert(kind !== undefined, `${status} is not declared`);
    const type = answer.headers.get("content-type");
    const expected = types[kind];
    assert(
      expected ? expected.test(type ?? "") : kind === "raw" || headersHave(headers, "content-type") || type === null,
      `${kind} ${type}`,
    );
    assert(!answer.headers.has("x-b"));
  }
  await answer.text().catch(() => {}); // a stream whose items can't be sent fails
  assert(heard.length <= failed + 1 && heard.slice(failed).every(({ phase }) => phase === "stream"));
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  const came = await (client as { it: () => Promise<{ status: number; body: unknown }> }).it().catch((error) => error);
  if (came instanceof ClientError) return;
  assert(!(came instanceof Error), String(came));
  assert(came.status in responses);
  if (came.body instanceof ReadableStream) await came.body.cancel();
  else if (came.body instanceof Response) await came.body.body?.cancel();
  else await (came.body as AsyncIterator<unknown> | undefined)?.return?.();
}

function headersHave(headers: unknown, name: string): boolean {
  return typeof headers === "object" && headers !== null && name in headers;
}
