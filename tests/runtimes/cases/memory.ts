import type { Case } from "../case.ts";
import { parseAnswer, writeText } from "../exchange.ts";

/** The most MiB that a server may grow by. Deno collects the buffers of released chunks after about 200 MiB of them. */
const allowed = 400;

async function memoryOf(baseUrl: string): Promise<number> {
  return await (await fetch(`${baseUrl}/api/memory`)).json();
}

export const memory: readonly Case[] = [
  {
    name: "a body in 60,000 chunks of one byte takes memory for its bytes",
    run: async (baseUrl) => {
      const { hostname, port } = new URL(baseUrl);
      using connection = await Deno.connect({ hostname, port: Number(port) });
      const before = await memoryOf(baseUrl);
      const head = "POST /api/text HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\n";
      await writeText(connection, `${head}Transfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(60_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const grown = await memoryOf(baseUrl) - before;
      await writeText(connection, "0\r\n\r\n");
      const answer = await new Response(connection.readable).text();
      return { status: parseAnswer(answer).status, grown: grown < allowed ? "little" : `${Math.round(grown)} MiB` };
    },
    gives: { status: 200, grown: "little" },
  },
];
