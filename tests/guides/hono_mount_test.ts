import { assertEquals } from "@std/assert";
import { runDeno } from "../support/run_module.ts";

Deno.test("Hono serves its own routes and the handler of a contract, which receives the environment", async () => {
  const args = ["run", "--quiet", "--allow-all", "--no-check", "--config", "bench/deno.json", "bench/hono_mount.ts"];
  const { stdout, stderr } = await runDeno(args);
  assertEquals(
    stdout.trim().split("\n"),
    [
      "/api/old 200 still Hono's",
      '/api/users/a%2Fb 200 {"name":"Ada"}',
      "/api/none 404 application/problem+json",
      "/other 404 text/plain; charset=UTF-8",
    ],
    stderr,
  );
});
