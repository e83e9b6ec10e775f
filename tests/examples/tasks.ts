/** The running tasks example, and what tests do with it. */
import { type Client, createClient } from "@scope/api/client";
import { assert } from "@std/assert";
import { contract } from "../../examples/tasks/contract.ts";
import type { NewTask, Task } from "../../examples/tasks/schemas.ts";
import { type Example, startExample } from "../support/start_example.ts";

export type TasksClient = Client<typeof contract.routes>;

export const token = "a-token-of-the-test";

/** `deno task start`, with a database of the test's own. */
export function startTasks(database: string): Promise<Example> {
  return startExample("start", { TASKS_DB: database, TASKS_TOKEN: token }, "task tasks help");
}

export function connect(baseUrl: string, shown: string = token): TasksClient {
  return createClient(contract, { baseUrl, credentials: { bearer: shown } });
}

export async function createTask(client: TasksClient, task: Partial<NewTask> & { title: string }): Promise<Task> {
  const result = await client.tasks.create({ body: task });
  assert(result.status === 201);
  return result.body;
}

/** Something of every byte, so long that it arrives in many pieces. */
export function createBytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => index * 31 + (index >> 8));
}
