/// <reference lib="dom" />
/** The page of connect.ts: it connects to its own server, or to another one. */
import { ClientError, createClient } from "@scope/api/client";
import { connect, type ConnectionOf } from "@scope/api/connect";
import { contract } from "./connect_contract.ts";

const clientOf = (baseUrl: string, token?: string) => createClient(contract, { baseUrl, credentials: { token } });

let room: ConnectionOf<ReturnType<typeof clientOf>["room"]> | undefined;

/** What the page has seen: the ids of messages, its connections and their ends. */
const seen: (number | string)[] = [];

/** How a connection that ends at once ends. */
async function outcomeOf(connection: AsyncIterable<unknown> & { readonly closed: Promise<object> }): Promise<string> {
  try {
    const messages = await Array.fromAsync(connection);
    return JSON.stringify([messages, await connection.closed]);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { code, status, result } = error as ClientError<{ readonly body?: unknown } | undefined>;
    return JSON.stringify([code, status ?? null, result?.body ?? null]);
  }
}

const page = {
  /** Enters a room, and reads its messages until it ends. */
  async enter(name: string): Promise<string> {
    room = connect(
      clientOf("/").room,
      ({ last }) => ({ params: { room: name }, query: { after: last && String(last.id) } }),
      {
        onConnect: () => void seen.push("open"),
        onDisconnect: ({ code, wait }) => void seen.push(`${code} ${wait}`),
      },
    );
    for await (const { id } of room) seen.push(id);
    return JSON.stringify(await room.closed);
  },
  send: (count: number): Promise<void> => room!.send(count),
  close: (): void => room!.close(4001, "left"),
  read: (): readonly (number | string)[] => seen,
  refused: (name: string, baseUrl = "/"): Promise<string> =>
    outcomeOf(connect(clientOf(baseUrl).room, { params: { room: name } }, { reconnect: false })),
  whoami: (token: string): Promise<string> => outcomeOf(connect(clientOf("/", token).whoami)),
};

export type Page = typeof page;

Object.assign(globalThis, { page });
