/// <reference lib="dom" />
/**
 * One task on the page, with its actions.
 *
 * @module
 */
import { type Client, unwrap } from "@scope/api/client";
import { type UploadProgress, xhrFetch } from "@scope/api/xhr";
import type { contract } from "./contract.ts";
import { createButton, createElement } from "./elements.ts";
import type { Attachment, Task } from "./schemas.ts";

export type TasksClient = Client<typeof contract.routes>;
export type Fetch = (request: Request) => Promise<Response>;

export interface TaskActions {
  /** Runs the action of an event, and shows its errors. */
  readonly run: (step: () => Promise<void>) => () => void;
  readonly tell: (text: string) => void;
  readonly filterBy: (tag: string) => void;
  /** Creates a client that sends its requests with this `fetch`. */
  readonly connect: (fetch: Fetch) => TasksClient;
}

export function createTaskItem(client: TasksClient, task: Task, actions: TaskActions): HTMLElement {
  const { run, filterBy } = actions;
  const files = createElement("span", "files");
  const uploads = createElement("span", "files");
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
    createFileInput((file) => attach(task, file, uploads, actions), actions),
    uploads,
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
    if (result.status !== 200) tell(result.body.detail ?? "The task cannot be changed");
  });
  return createElement("label", "title", box, createElement("span", "", task.title));
}

function createFileInput(attach: (file: File) => Promise<void>, { run }: TaskActions): HTMLElement {
  const input = createElement("input", "");
  input.type = "file";
  input.onchange = run(async () => {
    const files = [...input.files ?? []];
    input.value = ""; // lets the user choose the same file again
    for (const file of files) await attach(file);
  });
  return createElement("label", "file", "Attach", input);
}

/** Uploads a file, and shows its progress in `place`, with a button to cancel it. */
async function attach(task: Task, file: File, place: HTMLElement, { connect, tell }: TaskActions): Promise<void> {
  const bar = createElement("progress", "");
  const canceling = new AbortController();
  const row = createElement("span", "", file.name, " ", bar, createButton("plain", "Cancel", () => canceling.abort()));
  const onUploadProgress = ({ loaded, total }: UploadProgress): void => {
    bar.max = total;
    bar.value = loaded;
  };
  const { upload } = connect(xhrFetch({ onUploadProgress })).tasks.attachments;
  place.append(row);
  try {
    const result = await upload({ params: { id: task.id }, body: { file } }, { signal: canceling.signal });
    if (result.status !== 201) tell(result.body.title ?? "The file cannot be attached");
  } catch (error) {
    if (!canceling.signal.aborted) throw error;
    tell(`${file.name} was not attached`);
  } finally {
    row.remove();
  }
}

/** Saves an attachment. A plain link would not work, because it sends no token. */
async function save(client: TasksClient, { id, task, name }: Attachment): Promise<void> {
  const bytes = unwrap(await client.tasks.attachments.download({ params: { id: task, attachment: id } }));
  const link = createElement("a", "");
  link.href = URL.createObjectURL(await new Response(bytes).blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
