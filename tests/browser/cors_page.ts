/** What a page of `cors.ts` runs: it calls every route of an API on another origin. */
import { ClientError, createClient } from "@scope/api/client";
import { contract } from "./cors_contract.ts";

/** What came of each call: its status and content, or the code of its error. */
export type Outcomes = Readonly<Record<string, string>>;

async function callAll(baseUrl: string): Promise<Outcomes> {
  const client = createClient(contract, { baseUrl });
  const headers = { "x-tenant": "a" };
  const params = { id: "1" };
  const texts = {
    get: () => client.get({ params, headers, query: { q: "b" } }),
    json: () => client.json({ body: { text: "a" } }),
    put: () => client.put({ params, headers, body: "a" }),
    patch: () => client.patch({ params, body: new Uint8Array(3) }),
    remove: () => client.remove({ params }),
    query: () => client.query({ body: ["a"] }),
    form: () => client.form({ body: { a: "b" } }),
    formData: () => client.formData({ body: { a: "b" } }),
  };
  const calls = {
    ...Object.fromEntries(
      Object.entries(texts).map(([key, call]) => [key, async () => {
        const { status, body, headers } = await call();
        return `${status} ${body} ${headers.etag} ${headers["x-total"]}`;
      }]),
    ),
    stream: async () => {
      const items: number[] = [];
      for await (const item of (await client.stream()).body) items.push(item);
      return items.join();
    },
    native: async () => await (await client.native()).body.text(),
    fail: async () => {
      const { status, body } = await client.fail();
      return `${status} ${body.code}`;
    },
    unchanged: async () => {
      const conditional = { ...headers, "if-none-match": '"1"' };
      return String((await fetch(`${baseUrl}/notes/1`, { headers: conditional, cache: "no-store" })).status);
    },
    missing: async () => String((await fetch(`${baseUrl}/nowhere`)).status),
  };
  const outcomes = Object.entries(calls).map(async ([key, call]) => [key, await call().catch(describeError)]);
  return Object.fromEntries(await Promise.all(outcomes));
}

function describeError(error: unknown): string {
  return error instanceof ClientError ? error.code : String(error);
}

Object.assign(globalThis, { callAll });
