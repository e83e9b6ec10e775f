/// <reference lib="dom" />
/**
 * The page. `deno bundle` bundles it as public/page.js, with the typed client.
 *
 * @module
 */
import { createClient, unwrap } from "@scope/api/client";
import { follow } from "@scope/api/retry";
import { contract } from "./contract.slim.ts";
import { createElement, find } from "./elements.ts";
import type { Change, Task, TaskPage } from "./schemas.ts";
import { createTaskItem, type Fetch, type TasksClient } from "./task_item.ts";

/** Creates a client, which sends its requests with the `fetch` that you pass. */
function connect(fetch?: Fetch): TasksClient {
  const credentials = { bearer: () => sessionStorage.getItem("token") ?? undefined };
  return createClient(contract, { baseUrl: "/", credentials, fetch });
}

const client = connect();

const list = find("#tasks", HTMLElement);
const more = find("#more", HTMLButtonElement);
const search = find("#search", HTMLInputElement);
const open = find("#open", HTMLInputElement);
const tagButton = find("#tag", HTMLButtonElement);
let tag: string | undefined;
let pages = 1;
let turns = 0;

/** Runs the action of an event, and shows its errors. */
function run(step: () => Promise<void>): () => void {
  return () => {
    tell("");
    step().catch((error) => tell(error.message));
  };
}

function tell(text: string): void {
  find("#status", HTMLElement).textContent = text;
}

/** Shows the first pages of the list, as many as the user opened, unless the filter changes in the meantime. */
async function showTasks(): Promise<void> {
  const turn = ++turns;
  const query = { search: search.value, tag: tag === undefined ? [] : [tag], done: open.checked ? "false" : undefined };
  const found: Task[] = [];
  let next: number | null = null;
  for (let count = 0; count < pages && (count === 0 || next !== null); count++) {
    const page: TaskPage = unwrap(await client.tasks.list({ query: { ...query, after: next ?? undefined } }));
    found.push(...page.items);
    next = page.next;
  }
  if (turn !== turns) return;
  list.replaceChildren(...found.map(showTask));
  more.hidden = next === null;
}

/** Returns the element of a task: the current one if it shows this version, which keeps its focus and its files. */
function showTask(task: Task): HTMLElement {
  const key = `task-${task.id}-${task.version}`;
  const item = document.getElementById(key) ?? createTaskItem(client, task, { run, tell, filterBy, connect });
  item.id = key;
  return item;
}

function filterBy(wanted: string | undefined): void {
  tag = wanted;
  tagButton.hidden = wanted === undefined;
  tagButton.textContent = `#${wanted} ×`;
  showAnew();
}

function showAnew(): void {
  pages = 1;
  run(showTasks)();
}

function showMore(): void {
  pages++;
  run(showTasks)();
}

async function add(): Promise<void> {
  const title = find("#title", HTMLInputElement);
  const tags = find("#tags", HTMLInputElement).value.split(",").map((text) => text.trim()).filter((text) =>
    text !== ""
  );
  const result = await client.tasks.create({ body: { title: title.value, tags } });
  if (result.status !== 201) return tell(result.body.detail ?? "The task is invalid");
  title.value = "";
}

/** Shows all changes as they happen, including those of other clients. */
async function showChanges(): Promise<void> {
  // the list is read once the connection is open, so that no change is lost between the two
  const onConnect = ({ resumed }: { readonly resumed: boolean }): void => {
    tell("");
    if (!resumed) run(showTasks)();
  };
  const onDisconnect = (): void => tell("Reconnecting…");
  for await (const { data: change } of follow(client.changes, {}, { onConnect, onDisconnect, silence: 45_000 })) {
    const changes = find("#changes", HTMLElement);
    changes.prepend(createElement("li", "", describe(change)));
    while (changes.childElementCount > 20) changes.lastElementChild?.remove();
    await showTasks();
  }
}

function describe(change: Change): string {
  switch (change.type) {
    case "project.created":
      return `New project: ${change.project.name}`;
    case "task.created":
      return `New: ${change.task.title}`;
    case "task.updated":
      return `${change.task.done ? "Done" : "Changed"}: ${change.task.title}`;
    case "task.deleted":
      return `Task ${change.id} was removed`;
    case "attachment.added":
      return `${change.attachment.name} for task ${change.attachment.task}`;
  }
}

/** Shows the tasks, if the token is valid. */
async function enter(): Promise<void> {
  const result = sessionStorage.getItem("token") === null
    ? undefined
    : await client.tasks.list({ query: { limit: 1 } });
  const isIn = result?.status === 200;
  find("#enter", HTMLElement).hidden = isIn;
  find("main", HTMLElement).hidden = !isIn;
  if (result?.status === 401) tell(result.body.detail ?? "The token is wrong");
  if (!isIn) return;
  showChanges().catch((error) => tell(error.message));
  await showTasks();
}

function onSubmit(selector: string, step: () => Promise<void>): void {
  find(selector, HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    run(step)();
  });
}

const [, token] = location.hash.match(/^#token=(.+)$/) ?? [];
if (token !== undefined) {
  sessionStorage.setItem("token", decodeURIComponent(token));
  history.replaceState(null, "", "/");
}
onSubmit("#enter", async () => {
  sessionStorage.setItem("token", find("#token", HTMLInputElement).value);
  await enter();
});
onSubmit("#add", add);
onSubmit("#filter", showTasks);
search.addEventListener("input", showAnew);
open.addEventListener("change", showAnew);
more.addEventListener("click", showMore);
tagButton.addEventListener("click", () => filterBy(undefined));
run(enter)();
