/** The limit of docs/rate-limits.md in a real store that two processes share. */
import { assert, assertEquals } from "@std/assert";
import { findRedis, start, type Started, startRedis } from "../support/processes.ts";

const command = findRedis();
if (command === undefined) {
  console.error("NOT TESTED: rate limits in Redis. There is neither valkey-server nor redis-server; install Debian's.");
}
const options = { ignore: command === undefined };

async function startApp(redisUrl: string): Promise<Started & { readonly ask: (token: string) => Promise<Response> }> {
  const args = [
    "run",
    "--quiet",
    "--no-check",
    "--unstable-no-legacy-abort",
    "--allow-net", // the socket of Redis does not have an address
    "--allow-read",
    "--allow-write",
    "--allow-env",
    "--allow-sys",
  ];
  const app = `${import.meta.dirname}/rate_limits_app.ts`;
  const started = await start(Deno.execPath(), [...args, app], /listening on (\d+)/, { REDIS_URL: redisUrl });
  const url = `http://127.0.0.1:${started.found[1]}/notes`;
  return { ...started, ask: (token) => fetch(url, { headers: { authorization: `Bearer ${token}` } }) };
}

async function statusOf(asking: Promise<Response>): Promise<number> {
  const response = await asking;
  await response.body?.cancel();
  return response.status;
}

// proves http | Retry-After accompanies a 429 or 503 | 10.2.3; RFC 6585, 4
Deno.test("two processes share the limit of each caller", options, async () => {
  await using redis = await startRedis(command!);
  await using one = await startApp(redis.url);
  await using other = await startApp(redis.url);

  const asked = Array.from({ length: 20 }, (_, index) => statusOf((index % 2 ? one : other).ask("ada")));
  const statuses = await Promise.all(asked);
  assertEquals(statuses.filter((status) => status === 200).length, 5);
  assertEquals(statuses.filter((status) => status === 429).length, 15);

  for (const app of [one, other]) {
    const refused = await app.ask("ada");
    const seconds = Number(refused.headers.get("retry-after"));
    assertEquals([refused.status, (await refused.json()).detail], [429, "Too many requests"]);
    assert(seconds > 0 && seconds <= 60, `${seconds}`);
    assertEquals(await statusOf(app.ask("grace")), 200);
  }
});

Deno.test("each process counts in memory while Redis is unreachable", options, async () => {
  const redis = await startRedis(command!);
  await using one = await startApp(redis.url);
  await using other = await startApp(redis.url);
  assertEquals(await statusOf(one.ask("ada")), 200);
  await redis[Symbol.asyncDispose]();

  for (const app of [one, other]) {
    const statuses: number[] = [];
    for (let turn = 0; turn < 7; turn++) statuses.push(await statusOf(app.ask("ada")));
    assertEquals(statuses, [200, 200, 200, 200, 200, 429, 429]);
  }
});
