/**
 * Measures the round trip of a client to its own server in memory. It is compared with handwritten `fetch` code for the
 * same server, and with `direct`. Then it measures calls whose responses come from elsewhere: from code in memory that is
 * no server of the system, and over a socket.
 */
import { isDeepStrictEqual } from "node:util";
import { compare, type Comparison, type Lap, type Pace } from "../measure/compare.ts";
import { loadSystem, type SystemName } from "../systems/load.ts";
import type { BenchClient, ClientTarget, Handler, System } from "../systems/system.ts";

export interface ClientInput {
  readonly system: SystemName;
  readonly pace: Pace;
  /** The port of a server of `direct`. */
  readonly port: number;
}

export interface ClientOutput {
  readonly title: string;
  /** Compared with handwritten `fetch` code for the same server; absent if the server has its own protocol. */
  readonly sameServer: Readonly<Record<Call, Comparison>> | undefined;
  /** Compared with handwritten `fetch` code for `direct`: client and server together. */
  readonly direct: Readonly<Record<Call, Comparison>>;
  /** Calls of other servers, compared with handwritten `fetch` code; absent if the client has its own protocol. */
  readonly foreign: Readonly<Record<ForeignCase, Readonly<Record<Call, Comparison>>>> | undefined;
}

/** Where the responses of a foreign server come from, and whether calls have a signal. */
export type ForeignCase = "memory" | "memory, signal" | "socket" | "socket, signal";

export type Call = keyof typeof calls;

const calls = {
  find: (client: BenchClient) => client.findUser("42"),
  rename: (client: BenchClient) => client.renameUser("42", "Grace"),
};

const callNames = Object.keys(calls) as Call[];

async function measure({ system: name, pace, port }: ClientInput): Promise<ClientOutput | undefined> {
  const [system, direct] = await Promise.all([loadSystem(name), loadSystem("direct")]);
  if (!system.createClient || !direct.createClient) return undefined;
  const baseUrl = `http://127.0.0.1:${port}`;
  const request: Handler = (request) => fetch(request);
  const { signal } = new AbortController();
  const handler = system.create();
  const client = await system.createClient(handler, local);
  await prove(client);
  return {
    title: system.title,
    sameServer: system.protocol
      ? undefined
      : await compareCalls(client, await direct.createClient(handler, local), pace),
    direct: await compareCalls(client, await direct.createClient(direct.create(), local), pace),
    foreign: system.protocol ? undefined : {
      "memory": await compareForeign(system, direct, answerAsOthers, local, pace),
      "memory, signal": await compareForeign(system, direct, answerAsOthers, { ...local, signal }, pace),
      "socket": await compareForeign(system, direct, request, { ...local, baseUrl }, pace),
      "socket, signal": await compareForeign(system, direct, request, { baseUrl, signal }, pace),
    },
  };
}

const local: ClientTarget = { baseUrl: "http://localhost", signal: undefined };

/** Answers like any server that is written by hand: what it returns has no mark of a system. */
async function answerAsOthers(request: Request): Promise<Response> {
  const user = { id: "42", name: "Ada", ...(request.method === "PATCH" ? await request.json() : {}) };
  return new Response(JSON.stringify(user), { headers: { "content-type": "application/json" } });
}

async function compareForeign(
  system: System,
  direct: System,
  fetch: Handler,
  target: ClientTarget,
  pace: Pace,
): Promise<Record<Call, Comparison>> {
  const [client, byHand] = await Promise.all([system, direct].map(({ createClient }) => createClient!(fetch, target)));
  await prove(client!);
  return await compareCalls(client!, byHand!, pace);
}

async function prove(client: BenchClient): Promise<void> {
  const answers = [await calls.find(client), await calls.rename(client)];
  if (isDeepStrictEqual(answers, [{ id: "42", name: "Ada" }, { id: "42", name: "Grace" }])) return;
  throw new Error(`Cannot measure the client: it gives ${JSON.stringify(answers)}`);
}

async function compareCalls(client: BenchClient, byHand: BenchClient, pace: Pace): Promise<Record<Call, Comparison>> {
  const comparisons: Partial<Record<Call, Comparison>> = {};
  for (const call of callNames) comparisons[call] = await compare(callLap(client, call), callLap(byHand, call), pace);
  return comparisons as Record<Call, Comparison>;
}

const batch = 200;

/** Times the whole round trip: creating the request, handling it and reading the body of the response. */
function callLap(client: BenchClient, call: Call): Lap {
  return async () => {
    const start = performance.now();
    for (let count = 0; count < batch; count++) await calls[call](client);
    return (performance.now() - start) * 1e6 / batch;
  };
}

if (import.meta.main) console.log(JSON.stringify(await measure(JSON.parse(Deno.args[0] ?? "{}")) ?? null));
