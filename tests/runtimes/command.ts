/** Programs that tests run, to their end or as servers. */

/** A program, its arguments and its folder. */
export interface Call {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A server that was started. */
export interface Server {
  /** Its URL, without a slash at the end. */
  readonly baseUrl: string;
  /** The id of its process. */
  readonly pid: number;
  /** Stops it and all that it started. */
  readonly stop: () => Promise<void>;
}

/** How long a program may take to its end, in milliseconds. */
const patience = 180_000;
/** How long a server may take until it responds, in milliseconds. */
const startPatience = 60_000;

/** Runs a program to its end and returns its output; throws everything that it wrote if it failed. */
export async function run({ command, args, cwd, env }: Call): Promise<string> {
  const options = { args: [...args], cwd, env: { NO_COLOR: "1", ...env }, signal: AbortSignal.timeout(patience) };
  const { success, stdout, stderr } = await new Deno.Command(command, options).output();
  const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`Cannot run ${command} ${args.join(" ")}:\n${output}\n${errors}`);
  return output ?? "";
}

/** Starts a server that prints its URL, or its port as JSON. */
export async function startPrinting(call: Call): Promise<Server> {
  const { child, stop } = spawn(call, "piped");
  let printed = "";
  const timer = setTimeout(stop, startPatience);
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream()).values({ preventCancel: true })) {
    printed += text;
    const [, port] = printed.match(/(?:http:\/\/127\.0\.0\.1:|"port":)(\d+)/) ?? [];
    if (port === undefined) continue;
    clearTimeout(timer);
    return { baseUrl: `http://127.0.0.1:${port}`, pid: child.pid, stop };
  }
  throw new Error(`Cannot serve with ${call.command} ${call.args.join(" ")}: it printed ${JSON.stringify(printed)}`);
}

/** Starts a server at a known URL, and waits until it responds. */
export async function startAt(baseUrl: string, call: Call): Promise<Server> {
  const { child, stop } = spawn(call, "null");
  const ended = child.status.then(({ code }) => `it ended with ${code}`);
  for (const start = Date.now(); Date.now() - start < startPatience;) {
    const answer = fetch(baseUrl).then((response) => response.body?.cancel()).then(() => true, () => false);
    const state = await Promise.race([answer, ended]);
    if (state === true) return { baseUrl, pid: child.pid, stop };
    if (state !== false) throw new Error(`Cannot serve with ${call.command} ${call.args.join(" ")}: ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`Cannot serve with ${call.command} ${call.args.join(" ")}: nothing answers at ${baseUrl}`);
}

/** A program in its own process group, so that the processes that it starts end with it. */
function spawn({ command, args, cwd, env }: Call, stdout: "piped" | "null"): {
  readonly child: Deno.ChildProcess;
  readonly stop: () => Promise<void>;
} {
  const options = {
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout,
    stderr: "null",
    detached: true,
  } as const;
  // some print their URL to the one stream, some to the other
  const child = new Deno.Command("sh", { args: ["-c", 'exec "$0" "$@" 2>&1', command, ...args], ...options }).spawn();
  const stop = async (): Promise<void> => {
    try {
      Deno.kill(-child.pid, "SIGKILL");
    } catch { /* it has ended */ }
    if (stdout === "piped" && !child.stdout.locked) await child.stdout.cancel();
    await child.status;
  };
  return { child, stop };
}

/** A port of 127.0.0.1 that nothing listens on. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
