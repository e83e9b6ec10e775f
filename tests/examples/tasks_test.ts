import { ClientError, createClient } from "@scope/api/client";
import type { OpenApiDocument } from "@scope/api/openapi";
import { follow } from "@scope/api/retry";
import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { contract } from "../../examples/tasks/contract.ts";
import type { Change, Task } from "../../examples/tasks/schemas.ts";
import { askRaw, type Example } from "../support/start_example.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { assertValid } from "../support/validate_document.ts";
import { connect, createBytes, createTask, startTasks, type TasksClient, token } from "./tasks.ts";

const timeout = 30_000; // a step that waits in vain fails, and does not hang

/** One server for all tests, each of which creates what it needs. */
let example: Example;
let baseUrl: string;
let client: TasksClient;
const folder = await Deno.makeTempDir();

Deno.test.beforeAll(async () => {
  example = await startTasks(`${folder}/tasks.db`);
  baseUrl = example.baseUrl;
  client = connect(baseUrl);
});

Deno.test.afterAll(async () => {
  await example.stop();
  await Deno.remove(folder, { recursive: true });
});

async function listTitles(query: Parameters<TasksClient["tasks"]["list"]>[0]): Promise<string[]> {
  const result = await client.tasks.list(query, { timeout });
  assert(result.status === 200);
  return result.body.items.map(({ title }) => title);
}

Deno.test("examples/tasks: health is for everybody", async () => {
  const answer = await fetch(`${baseUrl}/api/health`);
  assertEquals([answer.status, await answer.text()], [200, "ok"]);
});

Deno.test("examples/tasks: a malformed Host is a 400 of every path, and the server goes on", async () => {
  for (const path of ["/", "/docs", "/api/health", "/api/tasks"]) {
    const answer = await askRaw(baseUrl, `GET ${path} HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n`);
    assertMatch(answer, /^HTTP\/1\.1 400 /, path);
    assertStringIncludes(answer, '"code":"invalid-path"');
  }
  assertEquals(await (await fetch(`${baseUrl}/api/health`)).text(), "ok");
});

Deno.test("examples/tasks: no cache may keep an answer of a route that asks for the token, 401s and the adapter's own included", async () => {
  const shown = { authorization: `Bearer ${token}` };
  const asked: [status: number, path: string, init?: RequestInit][] = [
    [200, "/api/tasks", { headers: shown }],
    [401, "/api/tasks"],
    [401, "/api/tasks/1", { headers: { authorization: "Bearer wrong" } }],
    [400, "/api/tasks?limit=ten", { headers: shown }],
    [400, "/api/tasks", { method: "POST", headers: { ...shown, "content-type": "application/json" }, body: "{" }],
    [404, "/api/tasks/999", { headers: shown }],
    [415, "/api/tasks", { method: "POST", headers: shown, body: "text" }],
  ];
  for (const [status, path, init = {}] of asked) {
    const answer = await fetch(`${baseUrl}${path}`, init);
    await answer.body?.cancel();
    assertEquals([answer.status, answer.headers.get("cache-control")], [status, "no-store"], path);
  }
});

Deno.test("examples/tasks: everything else asks for the token: missing or wrong, it is a typed 401", async () => {
  for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: `Basic ${token}` }]) {
    const stranger = createClient(contract, { baseUrl, headers });
    const calls = [
      stranger.tasks.list(),
      stranger.tasks.byId({ params: { id: 1 } }),
      stranger.tasks.attachments.download({ params: { id: 1, attachment: 1 } }),
      stranger.projects.list(),
      stranger.changes(),
    ];
    for (const result of await Promise.all(calls)) {
      assert(result.status === 401);
      assertMatch(result.headers["www-authenticate"], /^Bearer realm="tasks"/);
      assertEquals([result.body.title, result.body.status], ["Unauthorized", 401]);
    }
  }
  const wrong = await connect(baseUrl, "wrong").tasks.list();
  assert(wrong.status === 401);
  assertEquals(wrong.headers["www-authenticate"], 'Bearer realm="tasks", error="invalid_token"');
});

Deno.test("examples/tasks: a task is created in a project, with its place and version", async () => {
  const project = await client.projects.create({ body: { name: " Release " } });
  assert(project.status === 201);
  assertEquals(project.body.name, "Release");
  const result = await client.tasks.create({ body: { title: "Write", project: project.body.id, tags: ["docs"] } });
  assert(result.status === 201);
  const { id, project: home, changed, ...rest } = result.body;
  assertEquals(rest, { title: "Write", notes: "", tags: ["docs"], done: false, version: 1 });
  assertEquals(home, project.body.id);
  assert(Math.abs(Date.now() - Date.parse(changed)) < 600_000);
  assertEquals([result.headers.location, result.headers.etag], [`/api/tasks/${id}`, '"1"']);

  const found = await client.tasks.byId({ params: { id } });
  assert(found.status === 200);
  assertEquals([found.body, found.headers.etag], [result.body, '"1"']);
  const nowhere = await client.tasks.create({ body: { title: "Write", project: 999 } });
  assert(nowhere.status === 422);
  assertEquals(nowhere.body.detail, "There is no project 999");
});

Deno.test("examples/tasks: invalid input is a typed 400 that names the place", async () => {
  const result = await client.tasks.create({ body: { title: " ", tags: ["ok", ""] } });
  assert(result.status === 400);
  const { code, issues } = result.body;
  assertEquals(code, "invalid-request");
  assertEquals(issues?.map(({ pointer }) => pointer), ["/title", "/tags/1"]);
});

Deno.test("examples/tasks: lists are paginated, by cursor and by link, without duplicates", async () => {
  const project = await client.projects.create({ body: { name: "Pages" } });
  assert(project.status === 201);
  const titles = Array.from({ length: 5 }, (_, index) => `page ${index}`);
  for (const title of titles) await createTask(client, { title, project: project.body.id });

  const query = { project: project.body.id, limit: 2 };
  const seen: string[] = [];
  for (let after: number | null = null;;) {
    const result: Awaited<ReturnType<TasksClient["tasks"]["list"]>> = await client.tasks.list({
      query: { ...query, ...(after !== null && { after }) },
    });
    assert(result.status === 200);
    seen.push(...result.body.items.map(({ title }) => title));
    after = result.body.next;
    const link = after === null
      ? undefined
      : `</api/tasks?project=${query.project}&limit=2&after=${after}>; rel="next"`;
    assertEquals(result.headers.link, link);
    if (after === null) break;
    await createTask(client, { title: "newer", project: project.body.id }); // shifts no page
  }
  assertEquals(seen, titles.toReversed());

  const followed: unknown[] = [];
  for (let path: string | undefined = "/api/projects?limit=1"; path !== undefined;) {
    const answer: Response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
    followed.push(...(await answer.json()).items.map(({ name }: { name: string }) => name));
    path = answer.headers.get("link")?.match(/^<(.*)>; rel="next"$/)?.[1];
  }
  const projects = await client.projects.list({ query: { limit: 100 } });
  assert(projects.status === 200);
  assertEquals(followed, projects.body.items.map(({ name }) => name));
  assertEquals([followed[0], followed.at(-1)], ["Inbox", "Pages"]);
  for (const limit of ["0", "101", "ten"]) {
    assertEquals((await client.tasks.list({ query: { limit } })).status, 400);
  }
});

Deno.test("examples/tasks: search and tags find tasks", async () => {
  await createTask(client, { title: "Sharpen the 100% saw", notes: "Needs a FILE", tags: ["tools", "garden"] });
  await createTask(client, { title: "Mow_the lawn", tags: ["garden"] });
  assertEquals(await listTitles({ query: { search: "100% SAW" } }), ["Sharpen the 100% saw"]);
  assertEquals(await listTitles({ query: { search: "file" } }), ["Sharpen the 100% saw"], "notes as well");
  assertEquals(await listTitles({ query: { search: "w_the" } }), ["Mow_the lawn"], "as text, no pattern");
  assertEquals(await listTitles({ query: { search: "' OR 1 --" } }), []);
  assertEquals(await listTitles({ query: { tag: ["garden"] } }), ["Mow_the lawn", "Sharpen the 100% saw"]);
  assertEquals(await listTitles({ query: { tag: ["garden", "tools"] } }), ["Sharpen the 100% saw"]);
  assertEquals(await listTitles({ query: { tag: ["gard"] } }), []);
  assertEquals(await listTitles({ query: { tag: ["garden"], search: "saw", done: "true" } }), []);
});

Deno.test("examples/tasks: a change names the version that it changes: else 428, 412 or 404", async () => {
  const { id } = await createTask(client, { title: "Change me" });
  const params = { id };
  const body = { done: true, tags: ["changed"] };
  const unnamed = await client.tasks.update({ params, body });
  assert(unnamed.status === 428);
  assertEquals([unnamed.body.title, unnamed.body.status], ["Precondition Required", 428]);

  const changed = await client.tasks.update({ params, body, headers: { "if-match": '"7", "1"' } });
  assert(changed.status === 200);
  const { done, tags, title, version } = changed.body;
  assertEquals({ done, tags, title, version }, { done: true, tags: ["changed"], title: "Change me", version: 2 });
  assertEquals(changed.headers.etag, '"2"');

  for (const stale of ['"1"', 'W/"2"', "2", ""]) {
    const late = await client.tasks.update({ params, body: { title: "Lost" }, headers: { "if-match": stale } });
    assert(late.status === 412, stale);
    assertEquals(late.body.detail, `Task ${id} was changed meanwhile: it has the version 2`);
    assertEquals((await client.tasks.remove({ params, headers: { "if-match": stale } })).status, 412);
  }
  assertEquals((await client.tasks.remove({ params })).status, 428);
  assertEquals((await client.tasks.remove({ params, headers: { "if-match": "*" } })).status, 204);
  const gone = await client.tasks.update({ params, body, headers: { "if-match": "*" } });
  assert(gone.status === 404);
  assertEquals(gone.body.detail, `There is no task ${id}`);
});

Deno.test("examples/tasks: of two changes of one version one wins", async () => {
  const { id } = await createTask(client, { title: "Both want it" });
  const change = (title: string) =>
    client.tasks.update({ params: { id }, headers: { "if-match": '"1"' }, body: { title } });
  const statuses = (await Promise.all([change("one"), change("other")])).map(({ status }) => status);
  assertEquals(statuses.toSorted(), [200, 412]);
});

Deno.test("examples/tasks: a file is uploaded by a form and downloaded as a stream, under its name", async () => {
  const { id } = await createTask(client, { title: "Attach" });
  const bytes = createBytes(300_000);
  const name = "Bücher & 'more' (1).bin";
  const up = await client.tasks.attachments.upload({ params: { id }, body: { file: new File([bytes], name) } });
  assert(up.status === 201);
  assertEquals([up.body.name, up.body.size], [name, 300_000]);
  assertEquals(up.headers.location, `/api/tasks/${id}/attachments/${up.body.id}`);

  const params = { id, attachment: up.body.id };
  const down = await client.tasks.attachments.download({ params });
  assert(down.status === 200);
  const disposition = "attachment; filename*=UTF-8''B%C3%BCcher%20%26%20%27more%27%20%281%29.bin";
  assertEquals(down.headers["content-disposition"], disposition);
  assertEquals(await new Response(down.body).bytes(), bytes);
  const listed = await client.tasks.attachments.list({ params: { id } });
  assert(listed.status === 200);
  assertEquals(listed.body, [up.body]);

  const other = await createTask(client, { title: "Is another" });
  const elsewhere = await client.tasks.attachments.download({ params: { id: other.id, attachment: up.body.id } });
  assertEquals(elsewhere.status, 404);
  const unnamed = await client.tasks.attachments.upload({ params: { id }, body: { file: new File([], "") } });
  assertEquals(unnamed.status, 400);
  const nowhere = await client.tasks.attachments.upload({ params: { id: 999 }, body: { file: new File([], "a") } });
  assertEquals(nowhere.status, 404);
});

Deno.test("examples/tasks: a file is stored as its bytes arrive; one that is too long or broken off is removed", async () => {
  const { id } = await createTask(client, { title: "Stream" });
  const send = (name: string, body: AsyncIterable<Uint8Array>) =>
    client.tasks.attachments.send({ params: { id, name }, body }, { timeout });
  async function* produce(chunks: number, failure?: Error): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < chunks; index++) yield createBytes(1_000_000);
    if (failure) throw failure;
  }
  const sent = await send("streamed.bin", produce(3));
  assert(sent.status === 201);
  assertEquals(sent.body.size, 3_000_000);

  const tooLong = await send("long.bin", produce(21));
  assert(tooLong.status === 413);
  assertEquals(tooLong.body.code, "body-too-large");
  await assertRejects(() => send("broken.bin", produce(2, new Error("the disk"))), ClientError);
  const listed = await client.tasks.attachments.list({ params: { id } });
  assert(listed.status === 200);
  assertEquals(listed.body.map(({ name }) => name), ["streamed.bin"]);
});

Deno.test("examples/tasks: events report changes as they happen, and those after the last event that was received", async () => {
  const live = await client.changes({}, { timeout });
  assert(live.status === 200);
  const { id } = await createTask(client, { title: "Tell of me" });
  const file = new File(["text"], "note.txt");
  await client.tasks.attachments.upload({ params: { id }, body: { file } });
  await client.tasks.update({ params: { id }, headers: { "if-match": "*" }, body: { done: true } });
  await client.tasks.remove({ params: { id }, headers: { "if-match": "*" } });
  const heard: { id?: string; data: Change }[] = [];
  for await (const event of live.body) {
    heard.push(event);
    if (heard.length === 4) break;
  }
  const types = ["task.created", "attachment.added", "task.updated", "task.deleted"];
  assertEquals(heard.map(({ data }) => data.type), types);

  const lastId = heard[1]!.id;
  const again = await client.changes({ headers: { "last-event-id": lastId } }, { timeout });
  assert(again.status === 200);
  const missed = [(await again.body.next()).value, (await again.body.next()).value];
  assertEquals(missed, heard.slice(2));
  await again.body.return();
  const all = await client.changes({ headers: { "last-event-id": 0 } }, { timeout });
  assert(all.status === 200);
  assertEquals((await all.body.next()).value?.id, "1");
  await all.body.return();
});

Deno.test("examples/tasks: a client whose connection breaks before the first change misses none", async () => {
  const broken = await client.changes({}, { timeout });
  assert(broken.status === 200);
  const next = broken.body.next();
  while (broken.body.lastEventId === "") await new Promise((resolve) => setTimeout(resolve, 5));
  await broken.body.return();
  assertEquals((await next).done, true);
  const { id } = await createTask(client, { title: "While nobody listens" });
  const headers = { "last-event-id": broken.body.lastEventId };
  const again = await client.changes({ headers }, { timeout });
  assert(again.status === 200);
  const { data } = (await again.body.next()).value!;
  assert(data.type === "task.created");
  assertEquals(data.task.id, id);
  await again.body.return();
});

Deno.test("examples/tasks: follow() throws the refusal of a wrong token", async () => {
  const stranger = follow(connect(baseUrl, "wrong").changes, {}, { signal: AbortSignal.timeout(timeout) });
  const error = await assertRejects(() => stranger.next(), ClientError);
  assertEquals([error.code, error.status], ["unsuccessful", 401]);
});

Deno.test("examples/tasks: the document is valid, and lists the operations that require the token", async () => {
  const document: OpenApiDocument = await (await fetch(`${baseUrl}/openapi.json`)).json();
  await assertValid(document);
  assertEquals(document.paths["/api/health"]?.get?.security, []);
  assertEquals(document.paths["/api/tasks/{id}"]?.patch?.security, [{ bearer: [] }]);
  const statuses = Object.keys(document.paths["/api/tasks/{id}"]?.patch?.responses ?? {});
  assertEquals(statuses, ["200", "400", "401", "404", "412", "413", "415", "428", "500"]);
  assertEquals(Object.keys(document.components?.schemas ?? {}).includes("Task"), true);
});

Deno.test("examples/tasks: the pages have a strict policy, and no other file is served", async () => {
  const page = await fetch(baseUrl);
  assertStringIncludes(page.headers.get("content-security-policy")!, "default-src 'none'; script-src 'self';");
  assertStringIncludes(await page.text(), `<script type="module" src="page.js">`);
  const docs = await fetch(`${baseUrl}/docs`);
  assertMatch(docs.headers.get("content-security-policy")!, /^default-src 'none'; script-src 'self' 'nonce-/);
  assertStringIncludes(await docs.text(), "<title>Tasks</title>");
  for (const file of ["page.js", "page.css", "icon.svg", "docs/swagger-ui.css", "docs/swagger-ui-bundle.js"]) {
    const answer = await fetch(`${baseUrl}/${file}`);
    assertEquals([answer.status, (await answer.bytes()).byteLength > 0], [200, true], file);
  }
  for (const path of ["server.ts", "%2e%2e/server.ts", "docs/index.html", "tasks.db", "docs/../tasks.db"]) {
    const answer = await fetch(`${baseUrl}/${path}`);
    await answer.body?.cancel();
    assertEquals(answer.status, 404, path);
  }
});

Deno.test("examples/tasks keeps its data over a restart, and followers continue", () =>
  inTemporaryFolder(async (folder) => {
    const database = `${folder}/tasks.db`;
    let seen: Task;
    {
      await using example = await startTasks(database);
      seen = await createTask(connect(example.baseUrl), { title: "Stay" });
      await createTask(connect(example.baseUrl), { title: "Missed" });
    }
    await using example = await startTasks(database);
    const client = connect(example.baseUrl);
    const found = await client.tasks.byId({ params: { id: seen.id } });
    assertEquals(found.body, seen);
    const headers = { "last-event-id": "1" };
    const changes = follow(client.changes, { headers }, { signal: AbortSignal.timeout(timeout) });
    const { value } = await changes.next();
    assert(value?.data.type === "task.created");
    assertEquals(value.data.task.title, "Missed");
    await changes.return();
  }));
