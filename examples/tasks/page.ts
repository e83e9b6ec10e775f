/// <reference lib="dom" />
/**
 * The page. `deno bundle` makes public/page.js of it, the typed client included.
 *
 * @module
 */
import { createClient, unwrap } from "@scope/api/client";
import { contract } from "./contract.ts";
import { createElement, find } from "./elements.ts";
import { followChanges } from "./follow_changes.ts";
import { type Change } from "./schemas.ts";
import { createTaskItem } from "./task_item.ts";

const client = createClient(contract, {
  baseUrl: "/",
  headers: () => ({ authorization: `Bearer ${sessionStorage.getItem("token")}` }),
});

const list = find("#tasks", HTMLElement);
const more = find("#more", HTMLButtonElement);
const search = find("#search", HTMLInputElement);
const open = find("#open", HTMLInputElement);
const tagButton = find("#tag", HTMLButtonElement);
let tag: string | undefined;

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

async function showTasks(after?: number): Promise<void> {
  const query = { search: search.value, tag: tag === undefined ? [] : [tag], done: open.checked ? "false" : undefined };
  const page = unwrap(await client.tasks.list({ query: { ...query, after } }));
  const items = page.items.map((task) => createTaskItem(client, task, { run, tell, filterBy }));
  if (after === undefined) list.replaceChildren(...items);
  else list.append(...items);
  more.hidden = page.next === null;
  more.onclick = run(() => showTasks(page.next ?? undefined));
}

function filterBy(wanted: string | undefined): void {
  tag = wanted;
  tagButton.hidden = wanted === undefined;
  tagButton.textContent = `#${wanted} ×`;
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
async function follow(): Promise<void> {
  for await (const change of followChanges(client, new AbortController().signal)) {
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

async function enter(): Promise<void> {
  const { status } = await client.tasks.list({ query: { limit: 1 } });
  find("#enter", HTMLElement).hidden = status === 200;
  find("main", HTMLElement).hidden = status !== 200;
  if (status !== 200) return;
  follow().catch((error) => tell(error.message));
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
search.addEventListener("input", run(showTasks));
open.addEventListener("change", run(showTasks));
tagButton.addEventListener("click", () => filterBy(undefined));
run(enter)();
