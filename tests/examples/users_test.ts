import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Example, startExample } from "../support/start_example.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { runDeno } from "../support/run_module.ts";

/** `deno task users`, with a database of the test's own. */
function startUsers(database: string): Promise<Example> {
  return startExample("users", { USERS_DB: database }, "client.ts http");
}

function patchName(url: string, name: string, contentType = "application/json"): Promise<Response> {
  return fetch(url, { method: "PATCH", headers: { "content-type": contentType }, body: JSON.stringify({ name }) });
}

Deno.test("deno task users prints the URLs to try", () =>
  inTemporaryFolder(async (folder) => {
    await using example = await startUsers(`${folder}/users.db`);
    const { baseUrl } = example;
    const greeting = example.printed();
    for (const path of ["health", "users/1", "users/nobody", "profiles/1"]) {
      assertStringIncludes(greeting, `curl ${baseUrl}/api/${path}\n`);
    }
    assertStringIncludes(greeting, "curl -X PATCH");
    assertStringIncludes(greeting, `examples/users/client.ts ${baseUrl}\n`);
  }));

Deno.test("examples/users responds over a socket", async (test) =>
  await inTemporaryFolder(async (folder) => {
    await using example = await startUsers(`${folder}/users.db`);
    const api = `${example.baseUrl}/api`;

    await test.step("health is 200 with text", async () => {
      const answer = await fetch(`${api}/health`);
      assertEquals(answer.status, 200);
      assertEquals(answer.headers.get("content-type"), "text/plain;charset=UTF-8");
      assertEquals(await answer.text(), "ok");
    });

    await test.step("users.byId is 200 with the user, or the declared 404", async () => {
      const found = await fetch(`${api}/users/1`);
      assertEquals(found.status, 200);
      assertEquals(found.headers.get("content-type"), "application/json");
      assertEquals(await found.json(), { id: "1", name: "Ada Lovelace" });
      const missing = await fetch(`${api}/users/nobody`);
      assertEquals(missing.status, 404);
      assertEquals(missing.headers.get("content-type"), "application/json");
      assertEquals(await missing.json(), { message: "No user nobody" });
    });

    await test.step("profiles.byId is 200 with the runtime", async () => {
      const answer = await fetch(`${api}/profiles/a%2Fb`);
      assertEquals(await answer.json(), { id: "a/b", runtime: "deno" });
    });

    await test.step("HEAD has the fields of GET and no body", async () => {
      const get = await fetch(`${api}/users/1`);
      const body = await get.text();
      const head = await fetch(`${api}/users/1`, { method: "HEAD" });
      assertEquals(head.status, 200);
      assertEquals(head.headers.get("content-type"), get.headers.get("content-type"));
      assertEquals(head.headers.get("content-length"), get.headers.get("content-length"));
      assertEquals(head.headers.get("content-length"), String(body.length));
      assertEquals(await head.text(), "");
    });

    await test.step("a name that the schema refuses is 400 with an issue", async () => {
      const answer = await patchName(`${api}/users/1`, "");
      assertEquals(answer.status, 400);
      assertEquals(answer.headers.get("content-type"), "application/problem+json");
      const { type, title, status, code, issues } = await answer.json();
      assertEquals({ type, title, status, code }, {
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        code: "invalid-request",
      });
      assertEquals(issues.length, 1);
      assertEquals(issues[0].location, "body");
      assertEquals(issues[0].path, ["name"]);
      assertEquals(issues[0].pointer, "/name");
      assertEquals(await (await fetch(`${api}/users/1`)).json(), { id: "1", name: "Ada Lovelace" });
    });

    await test.step("another media type is 415", async () => {
      const answer = await patchName(`${api}/users/1`, "Ada King", "text/plain");
      assertEquals(answer.status, 415);
      assertEquals((await answer.json()).code, "unsupported-media-type");
    });

    await test.step("a method that no route of the path has is 405, with Allow", async () => {
      const answer = await fetch(`${api}/users/1`, { method: "POST" });
      assertEquals(answer.status, 405);
      assertEquals(answer.headers.get("allow"), "GET, PATCH");
      assertEquals((await answer.json()).code, "method-not-allowed");
    });

    await test.step("a path that no route has is 404", async () => {
      for (const url of [`${example.baseUrl}/nope`, `${api}/nope`, `${api}/users/1/`, `${example.baseUrl}/`]) {
        const answer = await fetch(url);
        assertEquals(answer.status, 404);
        assertEquals((await answer.json()).code, "not-found");
      }
    });
  }));

Deno.test("examples/users keeps a new name over a restart", () =>
  inTemporaryFolder(async (folder) => {
    const database = `${folder}/users.db`;
    {
      await using example = await startUsers(database);
      const renamed = await patchName(`${example.baseUrl}/api/users/1`, "Ada King");
      assertEquals(renamed.status, 200);
      assertEquals(await renamed.json(), { id: "1", name: "Ada King" });
      const missing = await patchName(`${example.baseUrl}/api/users/nobody`, "Nobody");
      assertEquals(missing.status, 404);
      assertEquals(await missing.json(), { message: "No user nobody" });
    }
    await using example = await startUsers(database);
    const answer = await fetch(`${example.baseUrl}/api/users/1`);
    assertEquals(await answer.json(), { id: "1", name: "Ada King" });
  }));

Deno.test("examples/users/client.ts prints the result of every endpoint", () =>
  inTemporaryFolder(async (folder) => {
    await using example = await startUsers(`${folder}/users.db`);
    const args = ["run", "--allow-net", "examples/users/client.ts", example.baseUrl];
    const { code, stdout: printed, stderr } = await runDeno(args);
    assertEquals(code, 0, stderr);
    for (
      const line of [
        "health: ok",
        "user 1: Ada Lovelace",
        "user nobody: 404 No user nobody",
        "user 2 is now: Rear Admiral Hopper",
        "profile 1 comes from: deno",
        "user 1 keeps its name: unexpected-status 400",
      ]
    ) assertStringIncludes(printed, line);
    assertStringIncludes(printed, 'pointer: "/name"');
  }));

Deno.test("examples/users/server.ts exports a handler that works without a listener", async () => {
  Deno.env.set("USERS_DB", ":memory:");
  const { handler } = await import("../../examples/users/server.ts");
  const answer = await handler(new Request("http://localhost/api/users/2"));
  assertEquals(await answer.json(), { id: "2", name: "Grace Hopper" });
});
