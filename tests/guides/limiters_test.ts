/** The limits of the guides hold for concurrent requests, with a store that takes time. */
import { assert, assertEquals } from "@std/assert";

type Handler = (request: Request, info: unknown) => Promise<Response>;

/** Imports the code under a heading of docs/rate-limits.md, with a slow store, and returns its handler. */
async function importHandler(heading: string): Promise<Handler> {
  const page = await Deno.readTextFile(new URL("../../docs/rate-limits.md", import.meta.url));
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [, code = ""] = /^```ts\n(.*?)^```/ms.exec(section) ?? [];
  const slow = code.replace('from "rate-limiter-flexible"', `from "${import.meta.resolve("./slow_limiter.ts")}"`);
  assert(slow !== code, `"${heading}" does not use rate-limiter-flexible`);
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, `${slow}\nexport { handler };\n`);
    return (await import(`file://${path}`)).handler;
  } finally {
    await Deno.remove(path);
  }
}

/** The limiter keeps a timer for each key until it expires. */
const limiterTimers = { sanitizeOps: false, sanitizeResources: false };

const info = { remoteAddr: { hostname: "127.0.0.1" } };

async function countStatuses(handler: Handler, toToken: (index: number) => string, path: string): Promise<object> {
  const statuses = await Promise.all(Array.from({ length: 1_000 }, async (_, index) => {
    const headers = { authorization: `Bearer ${toToken(index)}` };
    return (await handler(new Request(`http://localhost${path}`, { headers }), info)).status;
  }));
  return Object.fromEntries(
    [...new Set(statuses)].toSorted().map((status) => [status, statuses.filter((each) => each === status).length]),
  );
}

Deno.test(
  "docs/rate-limits.md: of 1,000 concurrent guesses, only as many as the limit are compared",
  limiterTimers,
  async () => {
    const handler = await importHandler("Limit login attempts");

    assertEquals(await countStatuses(handler, (index) => `guess-${index}`, "/me"), { 401: 2, 429: 998 });
  },
);

Deno.test(
  "docs/rate-limits.md: of 1,000 concurrent requests, only as many as the limit are served",
  limiterTimers,
  async () => {
    const handler = await importHandler("Limit requests");

    assertEquals(await countStatuses(handler, () => "secret", "/notes"), { 200: 2, 429: 998 });
  },
);
