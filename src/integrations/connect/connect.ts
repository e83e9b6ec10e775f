/** `connect()`: messages in both directions, over as many WebSockets as it takes. */
import { type Awaitable, isPromise } from "../../awaitable.ts";
import type { CallInput, MarkedRoute } from "../../client/client.ts";
import { toDeclared } from "../../client/result.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { ContentOf } from "../../contract/response.ts";
import type { EachScheme, SecurityEntry } from "../../contract/security_scheme.ts";
import { routeLabel } from "../../messages.ts";
import { socketFactsOf } from "../../representation/socket.ts";
import type { ApiKeyCredential, BasicCredential } from "../../wire/credentials.ts";
import { OpenedConnection } from "./connection.ts";
import { checkConnectOptions, connectName, type ConnectOptions, type OpenWebSocket } from "./options.ts";
import { type ConnectPlan, planDecoding, planEncoding, type SocketCall } from "./plan.ts";
import { checkKeys, failAt } from "../../options.ts";

/**
 * A connection, over one WebSocket after the other. Its loop yields the messages of the server, and ends when either
 * side closes the connection with 1000 or with a code that the contract declares. Leaving the loop closes it. The loop
 * rejects once with a {@linkcode ClientError} if the connection fails for good.
 */
export interface Connection<Received, Sent, Code extends number = never>
  extends AsyncIterableIterator<Received, undefined, unknown> {
  /** Resolves to the next message. */
  next(): Promise<IteratorResult<Received, undefined>>;
  /** Closes the connection with 1000, and drops the messages that have not been read. */
  return(): Promise<IteratorReturnResult<undefined>>;
  /** Returns the connection itself. */
  [Symbol.asyncIterator](): Connection<Received, Sent, Code>;
  /**
   * Sends a message. Resolves when it is written to an open WebSocket, for which it waits. That does not mean that the
   * server has handled it: a message is written to at most one WebSocket, and never repeated. Rejects with a
   * `ClientError` if the message cannot be encoded, too many wait, or the connection has ended. A rejection that nothing
   * handles is not an unhandled rejection.
   */
  send(message: Sent): Promise<void>;
  /**
   * Closes the connection, after the messages that wait if it is open. The loop yields the messages that have arrived,
   * and ends.
   *
   * @param code 1000, or a code that the contract declares. Default: 1000.
   * @param reason At most 123 bytes of UTF-8. Default: none.
   * @throws {TypeError} If the code is not declared, or the reason is too long.
   */
  close(code?: 1000 | Code, reason?: string): void;
  /** Resolves when the connection has ended for good, to how. Rejects with the error of the loop if it failed. */
  readonly closed: Promise<Closed<Code>>;
}

/** How a connection was closed. */
export interface Closed<Code extends number = never> {
  /** The close code: 1000, or one that the contract declares. */
  readonly code: 1000 | Code;
  /** The reason, or an empty text. */
  readonly reason: string;
}

/** The {@linkcode Connection} of a call, such as `ConnectionOf<typeof client.room>`. */
export type ConnectionOf<Call> = [MarkedRoute<Call>] extends [never] ? never : RouteConnection<MarkedRoute<Call>>;

/** Where a connection continues: the argument of a function that returns its input. */
export interface ConnectionState<Received> {
  /**
   * The last message that arrived, whether the loop has read it or not, and that the option `remember` accepts.
   * `undefined` before the first one.
   */
  readonly last: Received | undefined;
}

/** The types of a route's connections, on the client's side; `never` if it has none. */
type SocketTypes<Route extends RouteNode> = ContentOf<Route["responses"][101]>["received"] extends
  { readonly "~socket"?: infer Types } ? Extract<Types, AnySocketTypes> : never;

/** The types of connections. */
interface AnySocketTypes {
  readonly sent: unknown;
  readonly received: unknown;
  readonly code: number;
}

/**
 * The connection of a route.
 *
 * @internal
 */
type RouteConnection<Route extends RouteNode> = SocketTypes<Route> extends infer Types extends AnySocketTypes
  ? Connection<Types["received"], Types["sent"], Types["code"]>
  : never;

/**
 * The compiler's message for a call that `connect()` does not accept.
 *
 * @internal
 */
type ConnectCheck<Call> = [MarkedRoute<Call>] extends [never] ? NotConnected
  : [SocketTypes<MarkedRoute<Call>>] extends [never] ? NotConnected
  : unknown;

/** The message. */
type NotConnected = "connect(): the route must declare response.socket() for the status 101";

/**
 * The arguments of `connect()` after the call.
 *
 * @internal
 */
type ConnectArguments<Route extends RouteNode> = [Route] extends [never] ? unknown[]
  : NeedsHeaders<Route> extends true
    ? [input: ConnectInput<Route>, options: ConnectRouteOptions<Route> & { readonly open: OpenWebSocket }]
  : Record<never, never> extends CallInput<Route> ? [input?: ConnectInput<Route>, options?: ConnectRouteOptions<Route>]
  : [input: ConnectInput<Route>, options?: ConnectRouteOptions<Route>];

/** The options of a route's connections. */
type ConnectRouteOptions<Route extends RouteNode> = ConnectOptions<SocketTypes<Route>["received"]>;

/** The input of a connection: that of the call, a promise of it, or a function that returns it for each WebSocket. */
type ConnectInput<Route extends RouteNode> =
  | Awaitable<SlotInput<CallInput<Route>>>
  | ((state: ConnectionState<SocketTypes<Route>["received"]>) => Awaitable<SlotInput<CallInput<Route>>>);

/** The input of a call, which has no members if the route declares no slots. */
type SlotInput<Input> = keyof Input extends never ? Readonly<Record<string, never>> : Input;

/** Whether each credential that a route accepts is in a header that a browser's `WebSocket` cannot send. */
type NeedsHeaders<Route extends RouteNode> = NonNullable<Route["security"]>[number] extends
  infer Entry extends SecurityEntry
  ? [Entry] extends [never] ? false : [SentByBrowser<Entry>] extends [never] ? true : false
  : false;

/** The entries whose credentials a browser's `WebSocket` can send. */
type SentByBrowser<Entry> = Entry extends unknown ? true extends IsHeader<EachScheme<Entry>> ? never : Entry
  : never;

/** Whether a credential is in a header of its own. */
type IsHeader<Scheme> = Scheme extends SecurityEntry<string, infer Credential> ? [Credential] extends [never] ? false // `security.none`
  : Credential extends ApiKeyCredential | BasicCredential ? true
  : false
  : false;

/**
 * Opens the connection of a route that declares `response.socket()`, and keeps it open: it reconnects when a WebSocket
 * breaks off, the server shuts down or restarts. A refused handshake rejects with the typed result of the route, such as
 * a declared 404, also in browsers, which hide it: `connect()` then makes the call by `fetch`.
 *
 * @example A chat that misses no message
 * ```ts
 * import { defineContract, response, route } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { connect } from "@scope/api/connect";
 * import { type } from "arktype";
 *
 * const contract = defineContract({
 *   routes: {
 *     room: route.get("/rooms/:room", {
 *       query: type({ "after?": "string" }),
 *       responses: {
 *         101: response.socket({
 *           fromClient: type({ text: "string" }),
 *           fromServer: type({ id: "string", text: "string" }),
 *           closes: { 4001: "The room was closed" },
 *         }),
 *       },
 *     }),
 *   },
 * });
 * const client = createClient(contract, { baseUrl: "https://api.example.com" });
 *
 * export async function follow(room: string, signal: AbortSignal): Promise<void> {
 *   const input = { params: { room } };
 *   const chat = connect(client.room, ({ last }) => ({ ...input, query: { after: last?.id } }), { signal });
 *   chat.send({ text: "Hello!" });
 *   for await (const { text } of chat) console.log(text);
 *   const { code } = await chat.closed; // 1000 or 4001
 *   console.log(code === 4001 ? "The room was closed" : "Goodbye");
 * }
 * ```
 *
 * @param input The input of the call, a promise of it, or a function that returns it for each WebSocket. The function
 * receives the last message, so that a server which sends ids can continue after it.
 * @throws {TypeError} If the call does not have a socket, or an option is invalid.
 */
export function connect<Call extends (...args: never) => unknown>(
  call: Call & ConnectCheck<Call>,
  ...[input, options]: ConnectArguments<MarkedRoute<Call>>
): RouteConnection<MarkedRoute<Call>> {
  const plan = planConnection(call, input, options);
  // the types of the route are those of the connection
  return new OpenedConnection(plan) as unknown as RouteConnection<MarkedRoute<Call>>;
}

/** Checks the arguments of `connect()`. */
function planConnection(call: unknown, input: unknown, given: unknown): ConnectPlan {
  const declared = toDeclared(call, "connect");
  const { key, method, path, responses } = declared;
  const response = responses.get(101);
  const facts = response && socketFactsOf(response.representation);
  if (!facts) failAt(connectName, `${routeLabel(declared)} must declare response.socket() for the status 101`);
  const options = checkConnectOptions(given);
  if (typeof input !== "function" && !isPromise(input)) checkKeys(input, declared.slots, "slot", connectName);
  return {
    call: call as SocketCall, // toDeclared() has checked it
    declared,
    route: Object.freeze({ key, method, path }),
    facts,
    options,
    toInput: (last) => typeof input === "function" ? input({ last }) : input,
    encode: planEncoding(facts),
    decode: planDecoding(facts, response.decode),
  };
}
