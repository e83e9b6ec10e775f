/** The life of a connection: one WebSocket after the other, until it ends. */
import { attempt, ignore, joinSignals, untilAborted, wait, whenReady } from "../../awaitable.ts";
import { ClientError } from "../../client/error.ts";
import { isInstance } from "../../mark.ts";
import { describeValue, messageOf, routeLabel } from "../../messages.ts";
import { isNeverEmpty } from "../../representation/socket.ts";
import { nextWait, quietTime, type Reconnection, usualWait } from "../retry/wait.ts";
import { findPassing, findRefusal, type Handshake, toHandshake } from "./handshake.ts";
import { Inbox } from "./inbox.ts";
import { ClientOutbox } from "./outbox.ts";
import { openSocket } from "./options.ts";
import { type ConnectPlan, toError } from "./plan.ts";
import { abnormal, type ConnectionEnding, Transport } from "./transport.ts";
import { failAt } from "../../options.ts";

/** How a connection ended for good: with a code that both sides know, or with an error. */
type FinalEnd = { readonly closing: ConnectionEnding } | { readonly error: unknown };

/** A connection that ended and may be followed by another one. */
interface Lost {
  readonly code: number;
  readonly error?: ClientError;
}

/** Close codes after which the next connection may succeed (RFC 6455, section 7.4.1, and IANA's registry). */
const temporary: readonly number[] = [1001, abnormal, 1011, 1012, 1013, 1014];

/** The most bytes of a reason. A close frame has 125 bytes, two of which are the code. */
const maxReasonBytes = 123;

/** What `connect()` returns, without the types of the route. */
export class OpenedConnection {
  readonly closed: Promise<ConnectionEnding>;
  readonly #plan: ConnectPlan;
  readonly #inbox: Inbox;
  readonly #outbox = new ClientOutbox();
  /** Aborts when the connection has ended for good. */
  readonly #over = new AbortController();
  readonly #release: () => void;
  readonly #next: Reconnection = { reconnectionTime: usualWait, failures: 0 };
  #settleClosed!: (outcome: FinalEnd) => void;
  #outcome: FinalEnd | undefined;
  /** How this side closes the connection, once it does. */
  #closing: ConnectionEnding | undefined;
  #transport: Transport | undefined;
  #isOpen = false;
  #wasOpen = false;
  #isHidden = false;
  /** Aborts when it is not worth waiting any longer for the next connection. */
  #awake = new AbortController();

  constructor(plan: ConnectPlan) {
    this.#plan = plan;
    this.closed = new Promise((resolve, reject) => {
      this.#settleClosed = (outcome) => "closing" in outcome ? resolve(outcome.closing) : reject(outcome.error);
    });
    this.closed.catch(() => {}); // the loop reports the error too
    const { signal } = plan.options;
    this.#inbox = new Inbox(plan, (error) => this.#end({ error }));
    this.#release = this.#listen(signal);
    if (signal?.aborted) this.#abort(signal);
    else this.#run();
  }

  next(): Promise<IteratorResult<unknown, undefined>> {
    return this.#inbox.next();
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    this.#inbox.discard();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  send(message: unknown): Promise<void> {
    const sent = new Promise<void>((resolve) => resolve(this.#add(message)));
    sent.catch(() => {}); // callers need not await it
    return sent;
  }

  close(code = 1000, reason = ""): void {
    this.#checkClosing(code, reason);
    if (this.#closing || this.#outcome) return;
    const closing = this.#closing = { code, reason };
    const transport = this.#transport;
    if (!transport || !this.#isOpen) return this.#end({ closing });
    this.#outbox.finish(() => transport.close(code, reason));
    this.#endLoop(undefined);
  }

  #checkClosing(code: number, reason: string): void {
    const { facts: { closes }, route } = this.#plan;
    const where = `Cannot close ${routeLabel(route)}`;
    if (code !== 1000 && (typeof code !== "number" || !Object.hasOwn(closes, code))) {
      failAt(where, `the code must be ${[1000, ...Object.keys(closes)].join(", ")}, got ${describeValue(code)}`);
    }
    if (typeof reason !== "string" || new TextEncoder().encode(reason).length > maxReasonBytes) {
      failAt(where, `the reason must be a string of at most ${maxReasonBytes} bytes of UTF-8`);
    }
  }

  /** Encodes a message and adds it to those that wait. Throws if that is not possible. */
  #add(message: unknown): Promise<void> {
    const { route, encode, options: { maxQueued } } = this.#plan;
    if (this.#outcome || this.#closing) throw this.#toClosed();
    const frame = attempt(() => encode(message), (cause): never => {
      throw this.#toInvalidInput("the message cannot be sent", cause);
    });
    return this.#outbox.add(frame, maxQueued, () => toError(route, "network", `${maxQueued} messages wait to be sent`));
  }

  #toInvalidInput(what: string, cause: unknown): ClientError {
    return toError(this.#plan.route, "invalid-input", `${what}: ${messageOf(cause)}`, { cause });
  }

  /** Returns the error of messages that cannot be sent any more. */
  #toClosed(): unknown {
    const outcome = this.#outcome;
    if (outcome && "error" in outcome) return outcome.error;
    const { code } = outcome?.closing ?? this.#closing!;
    return toError(this.#plan.route, "network", `it was closed with code ${code}`, { closeCode: code });
  }

  /**
   * Listens to the caller's signal and to the page (HTML Standard, section 7.4.2.3). An open connection would keep
   * browsers from caching the page when it is left. Returns a function that stops.
   */
  #listen(signal: AbortSignal | undefined): () => void {
    const abort = (): void => this.#abort(signal!);
    const ofPage: readonly (readonly [type: string, listener: (event: { readonly persisted?: boolean }) => void])[] = [
      ["pagehide", () => {
        this.#isHidden = true;
        this.#transport?.leave();
      }],
      ["pageshow", ({ persisted }) => {
        if (!persisted) return;
        this.#isHidden = false;
        this.#awake.abort();
      }],
      ["online", () => this.#awake.abort()],
    ];
    signal?.addEventListener("abort", abort);
    for (const [type, listener] of ofPage) globalThis.addEventListener?.(type, listener as EventListener);
    return () => {
      signal?.removeEventListener("abort", abort);
      for (const [type, listener] of ofPage) globalThis.removeEventListener?.(type, listener as EventListener);
    };
  }

  #abort({ reason }: AbortSignal): void {
    this.#inbox.discard();
    this.#inbox.end({ error: reason });
    this.#end({ error: reason });
  }

  /** Ends the connection for good. Only the first call has an effect. */
  #end(outcome: FinalEnd): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    this.#release();
    this.#transport?.leave();
    this.#over.abort();
    this.#endLoop("error" in outcome ? outcome : undefined);
    this.#outbox.end(this.#toClosed());
    this.#settleClosed(outcome);
  }

  /** Ends the loop after the messages that have arrived. */
  #endLoop(failure: { readonly error: unknown } | undefined): void {
    whenReady(this.#inbox.decoded(), () => this.#inbox.end(failure));
  }

  /** Opens one connection after the other. */
  async #run(): Promise<void> {
    const { onDisconnect } = this.#plan.options;
    try {
      while (!this.#outcome) {
        const lost = await this.#connect();
        if (!lost) return;
        const milliseconds = this.#isHidden ? Infinity : nextWait(this.#next, lost.error?.response);
        attempt(() => onDisconnect?.({ wait: milliseconds, ...lost }), ignore);
        await this.#rest(milliseconds);
      }
    } catch (error) {
      this.#end({ error });
    }
  }

  /** Waits for the next connection, and as long as the page is left. */
  async #rest(milliseconds: number): Promise<void> {
    do {
      this.#awake = new AbortController();
      await wait(this.#isHidden ? Infinity : milliseconds, joinSignals(this.#over.signal, this.#awake.signal));
    } while (this.#isHidden && !this.#outcome);
  }

  /**
   * Opens a connection and resolves when it has ended: to what may be followed by another one, or to `undefined` if it
   * has ended for good. Rejects with the error that ends it for good.
   */
  async #connect(): Promise<Lost | undefined> {
    const { signal } = this.#over;
    this.#next.failures++; // reset by a message
    let input: unknown;
    let handshake: Handshake;
    try {
      input = await untilAborted(signal, this.#plan.toInput(this.#inbox.last));
      handshake = await toHandshake(this.#plan, input, signal);
    } catch (cause) {
      const error = findPassing(cause);
      if (error) return this.#retry({ code: abnormal, error }, error);
      throw isInstance(cause, ClientError) ? cause : this.#toInvalidInput("its input is not available", cause);
    }
    if (this.#outcome) return undefined;
    if (this.#isHidden) return left;
    const { wasOpen, ending } = await this.#converse(handshake);
    if (this.#closing) this.#end({ closing: this.#closing });
    else if (wasOpen && this.#isFinal(ending)) this.#end({ closing: ending });
    if (this.#outcome) return undefined;
    if (this.#isHidden) return left;
    if (wasOpen) return this.#retry({ code: ending.code }, this.#toUnexpectedClose(ending));
    const error = await findRefusal(this.#plan, input, signal);
    return this.#retry({ code: abnormal, error }, error);
  }

  /** Returns a connection that ended. Throws the error instead if no other connection may follow. */
  #retry(lost: Lost, error: ClientError): Lost {
    if (this.#plan.options.reconnect && temporary.includes(lost.code)) return lost;
    throw error;
  }

  /** Opens a WebSocket and resolves when it has ended and its messages are decoded. */
  async #converse(handshake: Handshake): Promise<{ readonly wasOpen: boolean; readonly ending: ConnectionEnding }> {
    const start = performance.now();
    const transport = this.#transport = this.#open(handshake);
    const ending = await transport.ended;
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#transport = undefined;
    this.#outbox.attach(undefined);
    await untilAborted(this.#over.signal, this.#inbox.decoded());
    if ((wasOpen && performance.now() - start > quietTime) || this.#isHidden) this.#next.failures = 0;
    return { wasOpen, ending };
  }

  #open({ url, protocols, headers }: Handshake): Transport {
    const { facts: { fromServer }, options: { open, silence, onConnect } } = this.#plan;
    const onOpen = (): void => {
      this.#isOpen = true;
      const reconnected = this.#wasOpen;
      this.#wasOpen = true;
      attempt(() => onConnect?.({ reconnected }), ignore);
      this.#outbox.attach(this.#transport);
    };
    const onMessage = (data: unknown): void => {
      if (data === "" && isNeverEmpty(fromServer)) return; // it keeps the connection alive
      this.#next.failures = 0;
      this.#inbox.receive(data);
    };
    try {
      return new Transport(openSocket(open, url, protocols, { headers }), { onOpen, onMessage, silence });
    } catch (cause) {
      throw this.#toInvalidInput("no WebSocket can be opened", cause);
    }
  }

  #isFinal({ code }: ConnectionEnding): boolean {
    return code === 1000 || Object.hasOwn(this.#plan.facts.closes, code);
  }

  #toUnexpectedClose({ code, reason }: ConnectionEnding): ClientError {
    const given = reason === "" ? "" : ` (${reason})`;
    return toError(this.#plan.route, "unexpected-close", `it was closed with code ${code}${given}`, {
      closeCode: code,
    });
  }
}

/** A page that was left, whose connection this side closed. */
const left: Lost = { code: 1000 };
