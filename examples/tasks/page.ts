/// <reference lib="dom" />
/**
 * The page. `deno bundle` makes public/page.js of it, the typed client included.
 *
 * @module
 */
import { createClient, unwrap } from "@scope/api/client";
import { follow } from "@scope/api/retry";
import { contract } from "./contract.slim.ts";
import { createElement, find } from "./elements.ts";
import { type Change, type Task, type TaskPage } from "./schemas.ts";
import { createTaskItem, type Fetch, type TasksClient } from "./task_item.ts";

/** A client, which sends its requests by a fetch of its own if it is given one. */
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

/** Runs what an event asks for, and tells what goes wrong. */
function run(step: () => Promise<void>): () => void {
  return () => {
    tell("");
    step().catch((error) => tell(error.message));
  };
}

function tell(text: string): void {
  find("#status", HTMLElement).textContent = text;
}

/** Shows the first pages of what is asked for, as many as were opened, unless something else is asked for meanwhile. */
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

/** The element of a task: the one that is there, if it shows this version, with the focus and the files that it may show. */
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
  if (result.status !== 201) return tell(result.body.detail ?? "That is no task");
  title.value = "";
}

/** Shows what happens, here or anywhere else, as it happens. */
async function showChanges(): Promise<void> {
  for await (const { data: change } of follow(client.changes)) {
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
      return `Task ${change.id} is gone`;
    case "attachment.added":
      return `${change.attachment.name} for task ${change.attachment.task}`;
  }
}

/** Shows the tasks, if there is a token and it is the right one. */
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

const [, given] = location.hash.match(/^#token=(.+)$/) ?? [];
if (given !== undefined) {
  sessionStorage.setItem("token", decodeURIComponent(given));
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
