/** The server of docs/rate-limits.md with a limit that several processes share: `REDIS_URL=… deno run rate_limits_app.ts`. */
import { defineContract, response, route, security } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { type } from "arktype";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { createClient } from "redis";

const token = security.bearer("token");
const contract = defineContract({
  security: [token],
  responses: { 429: response.problem({ headers: type({ "retry-after": "string" }) }) },
  routes: { notes: route.get("/notes", { responses: { 200: response.text() } }) },
});

const redis = createClient({ url: Deno.env.get("REDIS_URL")! });
redis.on("error", () => {}); // the client reconnects
await redis.connect();
const limit = { points: 5, duration: 60 };
const limiter = new RateLimiterRedis({
  ...limit,
  storeClient: redis,
  useRedisPackage: true,
  rejectIfRedisNotReady: true,
  insuranceLimiter: new RateLimiterMemory(limit),
});

async function secondsToWait(key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (exceeded) {
    if (!(exceeded instanceof RateLimiterRes)) throw exceeded;
    return Math.ceil(exceeded.msBeforeNext / 1000);
  }
}

const server = defineServer(contract, { security: [verify(token, ({ token }) => ({ id: token }))] })
  .guard(async ({ caller, response }) => {
    const seconds = await secondsToWait(`caller:${caller.id}`);
    if (seconds > 0) return response(429, { detail: "Too many requests" }, { "retry-after": `${seconds}` });
  });
const handler = createFetchHandler(server.implement({ notes: ({ response }) => response(200, "Tea") }));

Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(`listening on ${port}`) }, handler);
