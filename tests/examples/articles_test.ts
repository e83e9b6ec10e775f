import { createClient } from "@scope/api/client";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { contract } from "../../examples/articles/contract.ts";
import main from "../../examples/articles/main.ts";
import { findAll } from "../testing/findings.ts";

const handler = main.fetch as (request: Request) => Response | Promise<Response>;
const ada = { username: "ada", password: "correct horse" };

Deno.test("examples/articles needs at most 30 lines for callers, errors, JWTs, CORS and its start", async () => {
  let lines = 0;
  for (const name of ["server", "main"]) {
    const source = await Deno.readTextFile(new URL(`../../examples/articles/${name}.ts`, import.meta.url));
    lines += source.split("\n").filter((line) => line.trim() !== "" && !/^\s*\/?\*/.test(line)).length;
  }
  assertLessOrEqual(lines, 30);
});

Deno.test("examples/articles sends all errors in its own format over a socket, and clients know them", async () => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen(): void {} }, handler);
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  let token: string | undefined;
  const client = createClient(contract, { baseUrl, credentials: { token: () => token } });

  const article = { title: "On errors", tagList: ["http"] };
  const nobody = await client.articles.create({ body: { article } });
  assert(nobody.status === 401);
  assertEquals(nobody.body, { errors: { unauthorized: ["Unauthorized"] } });
  assertEquals(nobody.response.headers.get("www-authenticate"), 'Token realm="api"');

  const registered = await client.users.register({ body: { user: ada } });
  assert(registered.status === 201);
  token = registered.body.user.token;
  assertEquals((await client.users.register({ body: { user: ada } })).body, { errors: { username: ["is taken"] } });
  const wrong = await client.users.login({ body: { user: { ...ada, password: "battery staple" } } });
  assertEquals([wrong.status, wrong.body], [401, { errors: { password: ["is wrong"] } }]);
  const me = await client.users.me();
  assertEquals([me.status, me.body], [200, registered.body]);

  const invalid = await client.articles.create({ body: { article: { title: "", tagList: ["a", 1 as never] } } });
  assert(invalid.status === 422);
  assertEquals(Object.keys(invalid.body.errors), ["tagList.1", "title"]);
  assertEquals((await client.articles.create({ body: { article } })).status, 201);
  assertEquals((await client.articles.bySlug({ params: { slug: "on-errors" } })).body, {
    article: { ...article, slug: "on-errors", author: "ada" },
  });

  token = "not-a-jwt";
  assertEquals((await client.users.me()).body, { errors: { "invalid-credential": ["Unauthorized"] } });
  const unknown = await fetch(`${baseUrl}/api/nothing`, { headers: { origin: "https://app.example.com" } });
  assertEquals([unknown.status, await unknown.json()], [404, { errors: { "not-found": ["Not Found"] } }]);
  assertEquals(unknown.headers.get("access-control-allow-origin"), "*");
});

Deno.test("examples/articles keeps its contract", async () => {
  const client = createClient(contract, { baseUrl: "http://localhost", fetch: handler });
  const { status, body } = await client.users.login({ body: { user: ada } });
  assert(status === 200);
  const tests = contractTests(contract, { target: () => handler, credentials: { token: body.user.token }, runs: 20 })
    .filter(({ name }) => name.startsWith("articles.")); // those of users hash passwords
  assertEquals((await findAll(tests)).map(({ message }) => message), []);
});
