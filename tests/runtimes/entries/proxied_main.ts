/** Calls through a proxy on Deno, Node and Bun: `proxied_main.ts <base URL> <proxy's URL> <how>`. */
import { argv } from "node:process";
import { type ClientOptions, createClient, unwrap } from "@scope/api/client";
import { contract } from "../contract.ts";

const [, , baseUrl = "", proxy = "", how = ""] = argv;

/** How one client uses a proxy, as docs/runtimes.md has it. */
const ways: Readonly<Record<string, () => Promise<Partial<ClientOptions>> | Partial<ClientOptions>>> = {
  environment: () => ({}),
  dispatcher: async () => {
    const name = "undici"; // which only Node looks for
    const { ProxyAgent } = await import(name);
    return { init: { dispatcher: new ProxyAgent(proxy) } as RequestInit };
  },
  client: () => {
    const { Deno } = globalThis as unknown as { readonly Deno: { createHttpClient: (options: object) => unknown } };
    return { init: { client: Deno.createHttpClient({ proxy: { url: proxy } }) } as RequestInit };
  },
  init: () => ({ init: { proxy } as RequestInit }),
};

async function* produce(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3);
  yield new Uint8Array(4);
}

const client = createClient(contract, { baseUrl, ...await ways[how]?.() });
const lines: number[] = [];
for await (const { line } of unwrap(await client.lines({ params: { kind: "three", id: crypto.randomUUID() } }))) {
  lines.push(line);
}
console.log(JSON.stringify([
  unwrap(await client.echo({ params: { value: "x" } })).value,
  unwrap(await client.upload({ body: produce() })),
  lines,
]));
