/**
 * The command line, which uses the typed client: `deno task tasks help` lists the commands. The environment variables TASKS_URL and
 * TASKS_TOKEN are the URL of the server and its token.
 *
 * @module
 */
import { ClientError, createClient, unwrap } from "@scope/api/client";
import { follow } from "@scope/api/retry";
import { parseArgs } from "node:util";
import { contract } from "./contract.ts";
import { showProgress } from "./progress.ts";
import type { Task, TaskPage } from "./schemas.ts";

const help = `deno task tasks <command>

  list [--search <text>] [--tag <tag>]… [--project <id>] [--open]
  add <title> [--tag <tag>]… [--project <id>] [--notes <text>]
  done <task>
  remove <task>
  attach <task> <file>
  files <task>
  download <task> <attachment> <file>
  project <name>
  watch`;

const baseUrl = Deno.env.get("TASKS_URL") ?? "http://localhost:8000";
const client = createClient(contract, { baseUrl, credentials: { bearer: Deno.env.get("TASKS_TOKEN") } });

const { values: options, positionals: [command = "help", ...args] } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    search: { type: "string" },
    tag: { type: "string", multiple: true },
    project: { type: "string" },
    notes: { type: "string" },
    open: { type: "boolean" },
  },
});

const commands: Readonly<Record<string, (...args: readonly string[]) => Promise<void>>> = {
  list: async () => {
    const { search, tag, project, open } = options;
    const query = { search, tag, project, done: open ? "false" : undefined };
    let after: number | undefined;
    do {
      const page: TaskPage = unwrap(await client.tasks.list({ query: { ...query, after } }));
      for (const task of page.items) printTask(task);
      after = page.next ?? undefined;
    } while (after !== undefined);
  },
  add: async (...title) => {
    const { tag, project, notes } = options;
    const body = {
      title: title.join(" "),
      tags: tag,
      notes,
      project: project === undefined ? undefined : Number(project),
    };
    printTask(unwrap(await client.tasks.create({ body })));
  },
  done: async (id = "") => {
    const { version } = unwrap(await client.tasks.byId({ params: { id } }));
    const headers = { "if-match": `"${version}"` };
    printTask(unwrap(await client.tasks.update({ params: { id }, headers, body: { done: true } })));
  },
  remove: async (id = "") => {
    unwrap(await client.tasks.remove({ params: { id }, headers: { "if-match": "*" } }));
  },
  attach: async (id = "", path = "") => {
    using file = await Deno.open(path);
    const { size } = await file.stat();
    const screen = {
      isTerminal: Deno.stdout.isTerminal(),
      write: (text: string) => void Deno.stdout.writeSync(new TextEncoder().encode(text)),
    };
    const params = { id, name: path.replace(/^.*[/\\]/s, "") };
    const body = showProgress(file.readable, size, screen);
    const attachment = unwrap(await client.tasks.attachments.send({ params, body }));
    console.log(`attachment ${attachment.id}: ${attachment.name}, ${attachment.size} bytes`);
  },
  files: async (id = "") => {
    for (const file of unwrap(await client.tasks.attachments.list({ params: { id } }))) {
      console.log(`${file.id}\t${file.size} bytes\t${file.name}`);
    }
  },
  download: async (id = "", attachment = "", path = "") => {
    const bytes = unwrap(await client.tasks.attachments.download({ params: { id, attachment } }));
    await Deno.writeFile(path, bytes, { createNew: true });
  },
  project: async (...name) => {
    const project = unwrap(await client.projects.create({ body: { name: name.join(" ") } }));
    console.log(`project ${project.id}: ${project.name}`);
  },
  watch: async () => {
    for await (const { data } of follow(client.changes)) console.log(JSON.stringify(data));
  },
  help: () => Promise.resolve(console.log(help)),
};

function printTask({ id, done, title, tags }: Task): void {
  console.log([id, done ? "[x]" : "[ ]", title, ...tags.map((tag) => `#${tag}`)].join(" "));
}

/** Explains an error to the user, with the server's message if there is one. */
function explain({ message, problem }: ClientError): string {
  const issues = problem?.issues?.map((issue) => `${issue.pointer} ${issue.message}`) ?? [];
  return [problem?.detail ?? problem?.title ?? message, ...issues].join("\n  ");
}

try {
  await (commands[command] ?? commands.help)?.(...args);
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.error(explain(error));
  Deno.exit(1);
}
