import { defineContract, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { connect } from "@scope/api/connect";
import { type } from "arktype";
import type { Case } from "../case.ts";

/** The connections of the odd server. */
export const connectionsContract = defineContract({
  basePath: "/odd/connect",
  routes: {
    numbers: route.get("/numbers/:how", {
      query: type({ "after?": "string.integer.parse" }),
      responses: {
        101: response.socket({ fromClient: type("number"), fromServer: type("number"), closes: { 4001: "Complete" } }),
        410: response.text(),
      },
    }),
  },
});

/** Reads the numbers of a connection to its end, and sends each back. */
async function readNumbers(baseUrl: string, how: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  const client = createClient(connectionsContract, { baseUrl });
  const numbers = connect(client.numbers, { params: { how } }, { reconnect: false });
  try {
    for await (const number of numbers) {
      seen.push(number);
      await numbers.send(how === "wrong" ? "wrong" as never : number);
    }
    const { code, reason } = await numbers.closed;
    return [...seen, code, reason];
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return [...seen, error.code, error.status ?? error.closeCode ?? ""];
  }
}

/** Connections, on which both sides send messages. */
export const connections: readonly Case[] = [
  {
    name: "connect() sends, receives, and ends as the server says: with a code, a refusal or an error",
    run: (baseUrl) => Promise.all(["echo", "gone", "broken", "wrong"].map((how) => readNumbers(baseUrl, how))),
    gives: [
      [1, 2, 3, 4001, "complete"],
      ["unsuccessful", 410],
      [1, "unexpected-close", 1011],
      [1, "unexpected-close", 1007],
    ],
    differences: [{
      on: ["node 20.3", "node 20"],
      gives: {
        threw: 'TypeError: connect(): this runtime has no WebSocket; pass "open", for example with the package ws',
      },
      why:
        "Node has a global `WebSocket` since version 22. On Node 20, pass that of the package `ws` as the option `open`.",
    }],
  },
];
