/** A client of `tsserver`, the language server of TypeScript up to version 6, which editors talk to. */
import type { Editor } from "./editors.ts";

/** Starts it for a file of a folder. */
export function startTsserver(tsserver: string, folder: string, name: string): Promise<Editor> {
  const args = [tsserver, "--disableAutomaticTypingAcquisition", "--suppressDiagnosticEvents"];
  const options = { args, cwd: folder, stdin: "piped", stdout: "piped", stderr: "null" } as const;
  const process = new Deno.Command("node", options).spawn();
  const input = process.stdin.getWriter();
  const waiting = new Map<number, (body: unknown) => void>();
  const ended = readMessages(process.stdout, (message) => {
    if (message.type === "response") waiting.get(message.request_seq)?.(message.body);
  });
  const file = `${folder}/${name}`;
  let seq = 0;
  let opened: string | undefined;
  const send = async (command: string, values: object): Promise<number> => {
    seq++;
    await input.write(
      new TextEncoder().encode(
        JSON.stringify({ seq, type: "request", command, arguments: { file, ...values } }) + "\n",
      ),
    );
    return seq;
  };
  const ask = async (command: string, offset: number): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(await send(command, placeOf(opened!, offset)), resolve);
    return await promise;
  };
  return Promise.resolve({
    open: async (text) => {
      if (opened === undefined) await send("open", { fileContent: text });
      else {
        const { line, offset } = placeOf(opened, sameStart(opened, text));
        const end = placeOf(opened, opened.length);
        const insertString = text.slice(sameStart(opened, text));
        await send("change", { line, offset, endLine: end.line, endOffset: end.offset, insertString });
      }
      opened = text;
    },
    complete: async (offset) => {
      const { entries } = await ask("completionInfo", offset) as {
        readonly entries: readonly { readonly name: string }[];
      };
      return entries.map(({ name }) => name);
    },
    hover: async (offset) => {
      const { displayString } = await ask("quickinfo", offset) as { readonly displayString: string };
      return displayString;
    },
    [Symbol.asyncDispose]: async () => {
      process.kill();
      await Promise.all([ended, process.status]);
      await input.abort().catch(() => undefined);
    },
  });
}

/** The number of characters at their start that two texts have in common. */
function sameStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** A place in a text, counted from 1. */
function placeOf(text: string, at: number): { readonly line: number; readonly offset: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, offset: lines.at(-1)!.length + 1 };
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
