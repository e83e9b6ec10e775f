/** The folder of the benchmark. */
export const root = new URL("../", import.meta.url);

/** The flags of all processes of the benchmark. They allow only 127.0.0.1 on the network. */
export const workerArguments: readonly string[] = [
  "run",
  "--quiet",
  "--no-check",
  "--no-prompt",
  "--config=deno.json",
  "--allow-env",
  "--allow-read",
  "--allow-sys",
  "--allow-net=127.0.0.1",
];

/** Runs a worker in a new process and parses the last line of its output as JSON. */
export async function runWorker<Output>(name: string, input: unknown): Promise<Output> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...workerArguments, `workers/${name}.ts`, JSON.stringify(input)],
    cwd: root,
    stderr: "piped",
  });
  const { stdout, stderr, success } = await command.output();
  const line = new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1) ?? "";
  if (!success) {
    throw new Error(`Cannot run ${name} on ${JSON.stringify(input)}: ${new TextDecoder().decode(stderr)}`);
  }
  return JSON.parse(line);
}
