import { createClient } from "@scope/api/client";
import type { FetchHandler } from "@scope/api/fetch";
import { connect, openInMemory } from "@scope/api/connect";
import { mockContract } from "@scope/api/mock";
import { memorySockets } from "@scope/api/socket";
import { assert, assertEquals } from "@std/assert";
import { contract as auth } from "../../examples/auth/contract.ts";
import { contract as chat } from "../../examples/chat/contract.ts";
import { contract as tasks } from "../../examples/tasks/contract.ts";
import { contract as users } from "../../examples/users/contract.ts";
import { chatSchema } from "../support/chat_schema.ts";
import { startExample } from "../support/start_example.ts";

const baseUrl = "http://localhost";

/** The requirements for a result: its status, and a stream that can be read. */
async function statusOf(call: Promise<{ readonly status: number; readonly body?: unknown }>): Promise<number> {
  const { status, body } = await call;
  if (body instanceof ReadableStream) await new Response(body).bytes();
  else if (Object(body)[Symbol.asyncIterator]) {
    assertEquals((await Array.fromAsync(body as AsyncIterable<unknown>)).length, 3);
  }
  return status;
}

function statusesOf(
  calls: readonly Promise<{ readonly status: number; readonly body?: unknown }>[],
): Promise<number[]> {
  return Promise.all(calls.map(statusOf));
}

/** A generated response of every route of examples/tasks, through its typed client. */
async function callTasks(fetch: FetchHandler, baseUrl: string): Promise<void> {
  const client = createClient(tasks, { baseUrl, fetch, credentials: { bearer: "any" } });
  const params = { id: 7 };
  const file = new File(["x"], "x.txt");
  const { attachments } = client.tasks;
  assertEquals(
    await statusesOf([
      client.health(),
      client.projects.list(),
      client.projects.create({ body: { name: "Release" } }),
      client.tasks.list({ query: { limit: 3, tag: ["docs"], done: "true" } }),
      client.tasks.create({ body: { title: "Write" } }),
      client.tasks.byId({ params }),
      client.tasks.update({ params, headers: { "if-match": '"1"' }, body: { done: true } }),
      client.tasks.remove({ params, headers: {} }),
      attachments.list({ params }),
      attachments.upload({ params, body: { file } }),
      attachments.send({ params: { id: 7, name: "x" }, body: new Blob(["x"]).stream() }),
      attachments.download({ params: { id: 7, attachment: 8 } }),
      client.changes({ headers: { "last-event-id": "3" } }),
    ]),
    [200, 200, 201, 200, 201, 200, 200, 204, 200, 201, 201, 200, 200],
  );
}

Deno.test("mockContract() responds to the typed client on every route of examples/tasks", async () => {
  await callTasks(mockContract(tasks), baseUrl);
});

Deno.test("mockContract() responds to the typed client on every route of examples/users", async () => {
  const client = createClient(users, { baseUrl, fetch: mockContract(users) });
  const params = { id: "42" };
  const calls = [
    client.health(),
    client.users.byId({ params }),
    client.users.rename({ params, body: { name: "Ada" } }),
    client.profiles.byId({ params }),
  ];
  assertEquals(await statusesOf(calls), [200, 200, 200, 200]);
});

Deno.test("mockContract() responds to the typed client on every route of examples/auth", async () => {
  const client = createClient(auth, { baseUrl, fetch: mockContract(auth), credentials: { token: "any" } });
  const calls = [
    client.health(),
    client.session.start(),
    client.session.end(),
    client.users.me(),
    client.users.rename({ body: { name: "Ada" } }),
    client.users.byId({ params: { id: "1" } }),
  ];
  assertEquals(await statusesOf(calls), [200, 204, 204, 200, 200, 200]);
});

Deno.test("mockContract() responds to the typed client on every route of examples/chat, with a supplied schema of its events", async () => {
  const mock = mockContract(chat, { schema: chatSchema, sockets: memorySockets() });
  const client = createClient(chat, { baseUrl, fetch: mock });
  const listening = await client.listen({ query: { name: "Ada" }, headers: {} });
  for await (const { data } of listening.body) assert(data.type === "people" || data.at instanceof Date);
  assertEquals(await statusesOf([client.say({ body: { author: "Ada", text: "Hello" } })]), [204]);
  const typing = connect(client.typing, { query: { name: "Ada" } }, { open: openInMemory(mock) });
  for await (const { name } of typing) {
    assert(name !== "");
    break;
  }
});

Deno.test("the task mock serves the page of examples/tasks with generated responses", async () => {
  await using example = await startExample("mock", {}, "/#token=any");
  const page = await fetch(`${example.baseUrl}/`);
  assertEquals([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  assert((await page.text()).includes("<title>Tasks</title>"));
  await callTasks((request) => fetch(request), example.baseUrl);
  const refused = await fetch(`${example.baseUrl}/api/tasks/7`);
  assertEquals([refused.status, (await refused.json()).code], [401, "unauthorized"]);
});
