/** Starts an example like a user: with its task, on a free port of 127.0.0.1. */

const root = `${import.meta.dirname}/../..`;

/** A running example. */
export interface Example extends AsyncDisposable {
  readonly baseUrl: string;
  /** Its output so far. */
  readonly printed: () => string;
  /** Asks it to stop, like Ctrl+C, and waits until it has exited. */
  readonly stop: () => Promise<void>;
}

/** @param greeted The last lines of the greeting, or part of them. */
export async function startExample(task: string, env: Record<string, string>, greeted: string): Promise<Example> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", task],
    cwd: root,
    env: { DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0", NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let printed = "";
  const { promise: ready, resolve } = Promise.withResolvers<string | undefined>();
  const reading = read(process.stdout, (text) => {
    printed += text;
    if (printed.includes(greeted)) resolve(printed.match(/http:\/\/localhost:\d+/)?.[0]);
  });
  const stop = async (): Promise<void> => {
    process.kill("SIGINT");
    await Promise.all([process.status, reading]);
  };
  const baseUrl = await Promise.race([ready, reading]);
  if (baseUrl) return { baseUrl, printed: () => printed, stop, [Symbol.asyncDispose]: stop };
  const { code } = await process.status;
  throw new Error(`Cannot start the example: it ended with ${code} after ${JSON.stringify(printed)}`);
}

/**
 * Sends bytes that `fetch` would not send to a server on 127.0.0.1. Returns the response up to the end of the
 * connection.
 */
export async function askRaw(baseUrl: string, message: string): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(baseUrl).port) });
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(message));
  writer.releaseLock();
  return await new Response(connection.readable).text();
}

async function read(stream: ReadableStream<Uint8Array<ArrayBuffer>>, take: (text: string) => void): Promise<undefined> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
}
