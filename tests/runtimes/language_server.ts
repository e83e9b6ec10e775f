/** A client of a language server that speaks the Language Server Protocol, as editors do. */
import type { Call } from "./command.ts";

/** What a language server shows in a file of its folder. */
export interface LanguageServer extends AsyncDisposable {
  /** Replaces the text of the file. */
  readonly open: (text: string) => Promise<void>;
  /** The names that it offers at an offset, without keywords and globals. */
  readonly complete: (offset: number) => Promise<readonly string[]>;
  /** The type that it shows for the name at an offset. */
  readonly hover: (offset: number) => Promise<string>;
  /** The parameters of the call at an offset. */
  readonly parameters: (offset: number) => Promise<readonly string[]>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
}

interface CompletionItem {
  readonly label: string;
  readonly sortText?: string;
}

interface Signature {
  readonly label: string;
  readonly parameters?: readonly { readonly label: string | readonly [start: number, end: number] }[];
}

/** Globals and keywords are sorted after all other entries. */
const globals = "15";

/** Starts a language server for a file of a folder, which does not have to be on the disk. */
export async function startLanguageServer({ command, args, cwd }: Call, file: string): Promise<LanguageServer> {
  const process = new Deno.Command(command, { args: [...args], cwd, stdin: "piped", stdout: "piped", stderr: "null" })
    .spawn();
  const input = process.stdin.getWriter();
  const waiting = new Map<number, (result: unknown) => void>();
  const write = async (message: object): Promise<void> => {
    const content = new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }));
    await input.write(new TextEncoder().encode(`Content-Length: ${content.length}\r\n\r\n`));
    await input.write(content);
  };
  const ended = readMessages(process.stdout, async ({ id, method, params, result }) => {
    if (id === undefined) return;
    if (method === undefined) waiting.get(id)?.(result);
    else await write({ id, result: params?.items?.map(() => null) ?? null }); // it asks for settings
  });
  let lastId = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(++lastId, resolve);
    await write({ id: lastId, method, params });
    return await promise;
  };
  const uri = `file://${cwd}/${file}`;
  let opened = "";
  let version = 0;
  const position = (offset: number): object => {
    const before = opened.slice(0, offset).split("\n");
    return { line: before.length - 1, character: before.at(-1)!.length };
  };
  const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } };
  await ask("initialize", { processId: Deno.pid, rootUri: `file://${cwd}`, capabilities });
  await write({ method: "initialized", params: {} });
  return {
    open: async (text) => {
      opened = text;
      const textDocument = { uri, languageId: "typescript", version: ++version };
      if (version === 1) {
        await write({ method: "textDocument/didOpen", params: { textDocument: { ...textDocument, text } } });
      } else await write({ method: "textDocument/didChange", params: { textDocument, contentChanges: [{ text }] } });
    },
    complete: async (offset) => {
      const result = await ask("textDocument/completion", { textDocument: { uri }, position: position(offset) });
      const { items } = (result ?? { items: [] }) as { readonly items: readonly CompletionItem[] };
      return items.filter(({ sortText = "" }) => sortText < globals)
        .map(({ label }) => label.replace(/\?$/, "").replaceAll('"', ""));
    },
    hover: async (offset) => {
      const result = await ask("textDocument/hover", { textDocument: { uri }, position: position(offset) });
      const { contents } = (result ?? { contents: { value: "" } }) as { readonly contents: { readonly value: string } };
      return contents.value.match(/```\w*\n([^]*?)\n```/)?.[1] ?? "";
    },
    parameters: async (offset) => {
      const result = await ask("textDocument/signatureHelp", { textDocument: { uri }, position: position(offset) });
      const { signatures: [first] } = (result ?? { signatures: [] }) as { readonly signatures: readonly Signature[] };
      return first?.parameters?.map(({ label }) => typeof label === "string" ? label : first.label.slice(...label)) ??
        [];
    },
    [Symbol.asyncDispose]: async () => {
      await ask("shutdown", {});
      await write({ method: "exit" }); // the server itself may be a child of the process
      await input.close();
      await Promise.all([ended, process.status]);
    },
  };
}

/** Reads messages, each after a header with its length. */
async function readMessages(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  receive: (message: Message) => Promise<void>,
): Promise<void> {
  let rest = new Uint8Array();
  for await (const bytes of stream) {
    rest = new Uint8Array([...rest, ...bytes]);
    for (let next = splitMessage(rest); next; next = splitMessage(rest)) {
      rest = next.rest;
      await receive(JSON.parse(new TextDecoder().decode(next.content)));
    }
  }
}

/** The first message of some bytes, and the bytes after it. `undefined` if it has not arrived. */
function splitMessage(
  bytes: Uint8Array,
): { readonly content: Uint8Array; readonly rest: Uint8Array<ArrayBuffer> } | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const [header, length] = head.match(/^[^]*?Content-Length: (\d+)[^]*?\r\n\r\n/) ?? [];
  if (header === undefined) return undefined;
  const end = header.length + Number(length);
  return bytes.length < end ? undefined : { content: bytes.subarray(header.length, end), rest: bytes.slice(end) };
}
