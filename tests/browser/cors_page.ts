/** The script of a page of `cors.ts`: it calls every route of an API on another origin. */
import { ClientError, createClient } from "@scope/api/client";
import { contract, secured } from "./cors_contract.ts";

/** The outcome of each call: its status and content, or the code of its error. */
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

/** The calls of routes that take credentials, by a cookie or by fields of the page's own. */
async function callSecured(baseUrl: string): Promise<Outcomes> {
  const init = { credentials: "include" } as const;
  const client = createClient(secured, { baseUrl, init });
  const bare = createClient(secured, { baseUrl });
  const withToken = createClient(secured, { baseUrl, credentials: { token: () => Promise.resolve("good") } });
  const withKey = createClient(secured, { baseUrl, credentials: { key: "good" } });
  const calls = {
    enter: () => client.enter(),
    show: () => client.show(),
    change: () => client.change({ body: "a" }),
    bare: () => bare.show(),
    token: () => withToken.change({ body: "a" }),
    key: () => withKey.show(),
    other: () => bare.show({ headers: { "x-other": "good" } }),
    // which is sent without a preflight
    form: () => fetch(`${baseUrl}/mine`, { method: "POST", body: "a", mode: "no-cors", ...init }),
  };
  const outcomes: Record<string, string> = {};
  for (const [key, call] of Object.entries(calls)) {
    outcomes[key] = await call().then(({ status }) => String(status), describeError);
  }
  return outcomes;
}

function describeError(error: unknown): string {
  if (!(error instanceof ClientError)) return String(error);
  return error.status === undefined ? error.code : `${error.code} ${error.status}`;
}

Object.assign(globalThis, { callAll, callSecured });
