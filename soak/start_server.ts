import type { Figures } from "./control.ts";

export type Runtime = "deno" | "node";

/** A server in its own process. */
export interface Served {
  readonly port: number;
  readonly figures: () => Promise<Figures>;
  /** Stops the server and returns whether it exited by itself, so that nothing was left that keeps it alive. */
  readonly stop: () => Promise<boolean>;
}

// a server's stderr goes nowhere: runtimes print each stream that fails, which thousands do here on purpose

/** How long a server may take to end, in milliseconds. */
const patience = 15_000;

const here = new URL(".", import.meta.url).pathname;

/** Starts the soak's server on a runtime. */
export async function startServer(runtime: Runtime): Promise<Served> {
  const folder = await Deno.makeTempDir({ prefix: "soak-" });
  const command = runtime === "deno" ? denoCommand() : await nodeCommand(folder);
  const process = command.spawn();
  const input = process.stdin.getWriter();
  const lines = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const readLine = async (): Promise<string> => {
    while (!rest.includes("\n")) {
      const { value, done } = await lines.read();
      if (done) throw new Error(`Cannot go on: the server on ${runtime} ended`);
      rest += value;
    }
    const [line = "", ...others] = rest.split("\n");
    rest = others.join("\n");
    return line;
  };
  return {
    port: Number(await readLine()),
    figures: async () => {
      await input.write(new TextEncoder().encode("figures\n"));
      return JSON.parse(await readLine());
    },
    stop: async () => {
      const timer = setTimeout(() => process.kill("SIGKILL"), patience);
      await input.close();
      const { success } = await process.status;
      clearTimeout(timer);
      await lines.cancel();
      await Deno.remove(folder, { recursive: true });
      return success;
    },
  };
}

function denoCommand(): Deno.Command {
  const args = ["run", "--quiet", "--v8-flags=--expose-gc", "--allow-net=127.0.0.1", "--allow-env", "serve_deno.ts"];
  return new Deno.Command(Deno.execPath(), { args, cwd: here, stdin: "piped", stdout: "piped", stderr: "null" });
}

/** The server for Node, bundled into a folder. */
async function nodeCommand(folder: string): Promise<Deno.Command> {
  const bundle = `${folder}/serve_node.mjs`;
  await run(Deno.execPath(), ["bundle", "--quiet", "--platform=deno", `--output=${bundle}`, "serve_node.ts"], here);
  const args = ["--expose-gc", bundle];
  return new Deno.Command("node", { args, cwd: folder, stdin: "piped", stdout: "piped", stderr: "null" });
}

async function run(command: string, args: string[], cwd: string): Promise<void> {
  const { success } = await new Deno.Command(command, { args, cwd, stdin: "null", stdout: "null" }).output();
  if (!success) throw new Error(`Cannot start a server: ${command} ${args[0]} failed`);
}
