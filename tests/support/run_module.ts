/** Programs of the package, run to their end. */

const root = new URL("../../", import.meta.url);

/** What a program printed, and the code it ended with. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a module of the project as a program, at the root of the project. */
export async function runModule(module: string, ...args: readonly string[]): Promise<Ran> {
  return await runDeno(["run", "-A", "--no-check", "--quiet", module, ...args]);
}

/** Runs Deno at the root of the project. */
export async function runDeno(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}
