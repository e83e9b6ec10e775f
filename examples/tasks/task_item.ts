/// <reference lib="dom" />
/**
 * One task on the page: what it says, and what can be done with it.
 *
 * @module
 */
import { type Client, unwrap } from "@scope/api/client";
import { type contract } from "./contract.ts";
import { createButton, createElement } from "./elements.ts";
import { type Attachment, type Task } from "./schemas.ts";

type TasksClient = Client<typeof contract.routes>;

export interface TaskActions {
  /** Runs what an event asks for, and tells what goes wrong. */
  readonly run: (step: () => Promise<void>) => () => void;
  readonly tell: (text: string) => void;
  readonly filterBy: (tag: string) => void;
}

export function createTaskItem(client: TasksClient, task: Task, actions: TaskActions): HTMLElement {
  const { run, filterBy } = actions;
  const files = createElement("span", "files");
  const showFiles = run(async () => {
    const attachments = unwrap(await client.tasks.attachments.list({ params: { id: task.id } }));
    const download = (file: Attachment) => createButton("plain", file.name, run(() => save(client, file)));
    files.replaceChildren(...attachments.map(download));
    if (attachments.length === 0) files.append("No files yet");
  });
  return createElement(
    "li",
    task.done ? "done" : "",
    createCheckbox(client, task, actions),
    ...task.tags.map((tag) => createButton("tag", tag, () => filterBy(tag))),
    createButton("plain", "Files", showFiles),
    createFileInput(client, task, actions),
    files,
  );
}

function createCheckbox(client: TasksClient, task: Task, { run, tell }: TaskActions): HTMLElement {
  const box = createElement("input", "");
  box.type = "checkbox";
  box.checked = task.done;
  box.onchange = run(async () => {
    const headers = { "if-match": `"${task.version}"` };
    const result = await client.tasks.update({ params: { id: task.id }, headers, body: { done: box.checked } });
    if (result.status !== 200) tell(result.body.detail ?? "It cannot be changed");
  });
  return createElement("label", "title", box, createElement("span", "", task.title));
}

function createFileInput(client: TasksClient, task: Task, { run, tell }: TaskActions): HTMLElement {
  const input = createElement("input", "");
  input.type = "file";
  input.onchange = run(async () => {
    for (const file of input.files ?? []) {
      const result = await client.tasks.attachments.upload({ params: { id: task.id }, body: { file } });
      if (result.status !== 201) tell(result.body.title ?? "It cannot be attached");
    }
    input.value = "";
  });
  return createElement("label", "file", "Attach", input);
}

/** Saves an attachment. A plain link would not do, for it shows no token. */
async function save(client: TasksClient, { id, task, name }: Attachment): Promise<void> {
  const bytes = unwrap(await client.tasks.attachments.download({ params: { id: task, attachment: id } }));
  const link = createElement("a", "");
  link.href = URL.createObjectURL(await new Response(bytes).blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
