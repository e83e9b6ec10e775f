/** Starts and stops processes for tests: a Redis or Valkey server, and servers that share it. */

/** A process that has printed the expected output. */
export interface Started extends AsyncDisposable {
  /** The match of the pattern in its output. */
  readonly found: RegExpMatchArray;
  /** All its output so far. */
  readonly printed: () => string;
  /** Sends it a signal and waits until it has exited. It is killed after 20 seconds. */
  readonly end: (signal: Deno.Signal) => Promise<Deno.CommandStatus>;
}

/** Starts a command and waits until its output matches. */
export async function start(
  command: string,
  args: string[],
  pattern: RegExp,
  env: Record<string, string> = {},
): Promise<Started> {
  const process = new Deno.Command(command, { args, env, stdin: "null", stdout: "piped", stderr: "inherit" }).spawn();
  let printed = "";
  const { promise: ready, resolve } = Promise.withResolvers<RegExpMatchArray | null>();
  const reading = (async () => {
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const found = printed.match(pattern);
      if (found) resolve(found);
    }
    resolve(null);
  })();
  const found = await ready;
  let isRunning = found !== null;
  const end = async (signal: Deno.Signal): Promise<Deno.CommandStatus> => {
    if (isRunning) process.kill(signal);
    isRunning = false;
    const timer = setTimeout(() => process.kill("SIGKILL"), 20_000);
    const [status] = await Promise.all([process.status, reading]);
    clearTimeout(timer);
    return status;
  };
  const stop = async (): Promise<void> => {
    await end("SIGTERM");
  };
  if (found !== null) return { found, printed: () => printed, end, [Symbol.asyncDispose]: stop };
  await stop();
  throw new Error(`${command} ended early: ${printed}`);
}

/** The command of a server for Redis's protocol, if one is installed. */
export function findRedis(): string | undefined {
  return ["valkey-server", "redis-server"].find((command) => {
    try {
      return new Deno.Command(command, { args: ["--version"], stdout: "null" }).outputSync().success;
    } catch {
      return false;
    }
  });
}

/**
 * Starts such a server on its own socket, because a free port may be taken before the server binds it. It stores
 * nothing on disk.
 */
export async function startRedis(command: string): Promise<Started & { readonly url: string }> {
  const folder = await Deno.makeTempDir();
  const socket = `${folder}/redis.sock`;
  const args = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder];
  const started = await start(command, args, /[Rr]eady to accept connections/);
  const stop = async (): Promise<void> => {
    await started[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  };
  return { ...started, url: `unix://${socket}`, [Symbol.asyncDispose]: stop };
}
