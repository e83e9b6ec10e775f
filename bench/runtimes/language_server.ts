/** A client of TypeScript's language server, `tsserver`, which editors talk to. */

/** A response, with the milliseconds that it took. */
interface Answer {
  readonly body: unknown;
  readonly time: number;
}

/** An editor with files of one folder. */
interface Editor extends AsyncDisposable {
  readonly open: (file: string, content: string) => Promise<void>;
  /** Replaces a number of characters at the start of a line, counted from 1, with text. */
  readonly change: (file: string, line: number, text: string, removed?: number) => Promise<void>;
  /** Sends a request about a place in the file that was opened last. */
  readonly request: (command: string, place: { readonly line: number; readonly offset: number }) => Promise<Answer>;
}

/** Starts a language server for a folder. */
export function openEditor(tsserver: string, folder: string): Editor {
  const args = [tsserver, "--disableAutomaticTypingAcquisition", "--suppressDiagnosticEvents"];
  const options = { args, cwd: folder, stdin: "piped", stdout: "piped", stderr: "null" } as const;
  const process = new Deno.Command("node", options).spawn();
  const input = process.stdin.getWriter();
  const waiting = new Map<number, (body: unknown) => void>();
  const ended = readMessages(process.stdout, (message) => {
    if (message.type === "response") waiting.get(message.request_seq)?.(message.body);
  });
  let seq = 0;
  let opened = "";
  const send = async (command: string, values: object): Promise<number> => {
    seq++;
    await input.write(
      new TextEncoder().encode(JSON.stringify({ seq, type: "request", command, arguments: values }) + "\n"),
    );
    return seq;
  };
  const ask = async (command: string, values: object): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(await send(command, values), resolve);
    return await promise;
  };
  return {
    open: async (file, content) => {
      opened = `${folder}/${file}`;
      await send("open", { file: opened, fileContent: content });
    },
    change: async (file, line, text, removed = 0) => {
      const range = { line, offset: 1, endLine: line, endOffset: removed + 1 };
      await send("change", { file: `${folder}/${file}`, ...range, insertString: text });
    },
    request: async (command, place) => {
      const start = performance.now();
      const body = await ask(command, { file: opened, ...place });
      return { body, time: performance.now() - start };
    },
    [Symbol.asyncDispose]: async () => {
      process.kill();
      await Promise.all([ended, process.status]);
      await input.abort().catch(() => undefined);
    },
  };
}

interface Message {
  readonly type: string;
  readonly request_seq: number;
  readonly body?: unknown;
}

/** Reads messages, each on a line after its header. */
async function readMessages(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  receive: (message: Message) => void,
): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith("{")) receive(JSON.parse(line));
  }
}
