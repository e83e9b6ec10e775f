/** Runs programs of the package to completion. */

const root = new URL("../../", import.meta.url);

/** The output and the exit code of a program. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a module of the project as a program, in the root folder. */
export async function runModule(module: string, ...args: readonly string[]): Promise<Ran> {
  return await runDeno(["run", "-A", "--no-check", "--quiet", module, ...args]);
}

/** Runs Deno in the root folder. */
export async function runDeno(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}
