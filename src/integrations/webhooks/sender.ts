import { attempt, ignore, whenReady } from "../../awaitable.ts";
import { createCall } from "../../client/call.ts";
import type { CallPromise } from "../../client/client.ts";
import { type CalledRoute, ClientError } from "../../client/error.ts";
import type { ClientResult } from "../../client/result.ts";
import {
  type CallOptions,
  type ClientOptions,
  type ClientSettings,
  readClientOptions,
  toSettings,
} from "../../client/settings.ts";
import { type Coder, coderOf, type RouteCall, toCall } from "../../contract/call.ts";
import type { Contract } from "../../contract/contract.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { ClientSlot, DeclaredSlot } from "../../contract/slots.ts";
import type { Webhooks } from "../../contract/router.ts";
import { isInstance, isMarked } from "../../mark.ts";
import { describeConfidential, messageOf } from "../../messages.ts";
import { acceptedValue, type Schema, toCheck } from "../../schema.ts";
import { isPublicUrl } from "./public_url.ts";
import { checkId, type SignWebhook } from "./standard_webhooks.ts";
import {
  aFunction,
  checkKeys,
  checkRule,
  failAt,
  isPlainObject,
  type OptionRules,
  readPlainOptions,
} from "../../options.ts";

/** The options of {@linkcode createSender}. */
export interface SenderOptions extends Pick<ClientOptions<never>, "fetch" | "around" | "maxBodyBytes"> {
  /**
   * Signs the exact bytes of each attempt, and returns the header fields to send, at least one: `standardWebhooks(…).sign`,
   * or a function of your own. Default: none, and messages are not signed.
   */
  readonly sign?: SignWebhook | undefined;
  /**
   * Whether messages may be sent to a URL, as a synchronous function. Default: `https:` without credentials, to a host of
   * the public internet. Loopback, private and link-local addresses and names such as `localhost` are refused. A name
   * whose address is private is not recognized: send through a proxy that refuses these.
   */
  readonly allows?: ((url: URL) => boolean) | undefined;
}

/** A message to one receiver. */
export type WebhookMessage<Route extends RouteNode> = {
  /** The URL of the receiver, which is called as it is. */
  readonly url: string | URL;
  /**
   * The id of the message, by which a receiver recognizes one that is sent again. Attempts share it. 1 to 256 visible
   * ASCII characters, and no dot.
   */
  readonly id: string;
} & { readonly [Slot in DeclaredSlot<Route>]: ClientSlot<Route>[Slot] };

/** The functions that send webhooks, by name. {@linkcode createSender} returns it. */
export type Sender<Hooks> = {
  readonly [Name in Exclude<keyof Hooks, "~scope/api">]: Hooks[Name] extends RouteNode ? SendWebhook<Hooks[Name]>
    : never;
};

/** Sends one webhook. It resolves to the declared result of the receiver, and rejects with a `ClientError`. */
export type SendWebhook<Route extends RouteNode> = (
  message: WebhookMessage<Route>,
  options?: Pick<CallOptions, "signal" | "timeout" | "headers">,
) => CallPromise<keyof Route["responses"] & number, ClientResult<Route>, never>;

/**
 * Creates the functions that send the webhooks of a contract. A message is validated, and the output of its schema is
 * sent, so undeclared fields are not. A wrong one rejects with a `ClientError` (`invalid-input`) before anything is sent.
 * Redirects are not followed.
 *
 * @example A message that arrives
 * ```ts
 * import { defineContract, request, response, route, webhooks } from "@scope/api";
 * import { createSender, standardWebhooks } from "@scope/api/webhooks";
 * import { assertEquals } from "@std/assert";
 * import * as z from "zod";
 *
 * const contract = defineContract({
 *   routes: { health: route.get("/health", { responses: { 204: response.empty() } }) },
 *   webhooks: webhooks({
 *     orderPaid: route.post("/", {
 *       body: request.json(z.object({ order: z.string() })),
 *       responses: { 204: response.empty() },
 *     }),
 *   }),
 * });
 * const { sign } = standardWebhooks({ secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] });
 * const send = createSender(contract, {
 *   sign,
 *   fetch: async (request) => {
 *     assertEquals([request.url, await request.json()], ["https://shop.example/hooks?a=1", { order: "7" }]);
 *     return new Response(null, { status: 204 });
 *   },
 * });
 *
 * const { status } = await send.orderPaid({ url: "https://shop.example/hooks?a=1", id: "msg_1", body: { order: "7" } });
 * assertEquals(status, 204);
 * ```
 *
 * @throws {TypeError} If the contract declares no webhooks, or an option is invalid.
 */
export function createSender<Hooks extends Webhooks>(
  contract: Pick<Contract, "routes"> & { readonly webhooks: Hooks },
  options: SenderOptions = {},
): Sender<Hooks> {
  checkRule(contract, "the contract", ["made by defineContract()", (value) => isMarked(value, "contract")], where);
  const { webhooks } = contract as { readonly webhooks?: Readonly<Record<string, RouteNode>> };
  if (webhooks === undefined) failAt(where, "the contract declares no webhooks; add webhooks: webhooks({ … })");
  const { sign, allows = isPublicUrl, ...own }: SenderOptions = readPlainOptions(options, rules, where);
  const calls = Object.values(webhooks).map((node) => toCall(node, [], toSendingCoder));
  const general = readClientOptions({ baseUrl: "https://webhook.invalid", ...own }); // each message has its own URL
  const settings = toSettings(general, calls);
  const { fetch: deliver } = settings; // called without a receiver, which the `fetch` of a platform may refuse
  const repeating = settings.around.map((each): typeof each => (next, call) =>
    each(next, { ...call, idempotent: true })
  );
  const around = [...repeating, refuseWrongSign];
  const toSend = (call: RouteCall) => async (message: object, callOptions?: CallOptions): Promise<unknown> => {
    attempt(() => checkKeys(callOptions, ownOptions, "option", ""), (cause) => {
      throw toInvalid(call, messageOf(cause), cause);
    });
    const { url, id, ...input }: Partial<AnyMessage> = Object(message);
    const target = readUrl(url, allows, call);
    checkId(id, (state) => toInvalid(call, state));
    const fetch = async (request: Request): Promise<Response> => { // signs each attempt, and sends it to its own URL
      const body = new Uint8Array(await request.arrayBuffer());
      const headers = new Headers(request.headers);
      if (sign) checkSigned(await sign(id, body)).forEach(([name, value]) => headers.set(name, value));
      const { method, signal } = request;
      signal.throwIfAborted(); // a function may not look at the signal
      return deliver(new Request(target, { method, headers, body, redirect: "manual", signal }));
    };
    return await createCall(call, [], { ...settings, init: { redirect: "manual" }, around, fetch })(input, callOptions);
  };
  return Object.freeze(Object.fromEntries(calls.map((call) => [call.key, toSend(call)]))) as unknown as Sender<Hooks>; // each sends what its type says
}

/** The options of a call that fit a webhook. The client checks their values. */
const ownOptions = ["signal", "timeout", "headers"];

/** A message of any webhook. */
interface AnyMessage {
  readonly url: unknown;
  readonly id: unknown;
}

const where = "createSender()";

/** The rules of its own options. Those of a client are checked by the client. */
const rules: OptionRules = {
  fetch: undefined,
  around: undefined,
  maxBodyBytes: undefined,
  sign: aFunction,
  allows: aFunction,
};

/** Validates what is sent, and returns the output of the schema. A codec encodes it. */
function toSendingCoder(schema: unknown): Coder {
  if (!schema) return {};
  const check = toCheck(schema as Schema); // those of a contract are Standard Schemas
  return {
    encode: (value, slot) =>
      whenReady(check(value), (checked) => acceptedValue(checked, `${slot} does not fit its schema: `)),
    ...coderOf(schema),
  };
}

/** Returns the fields that `sign` has returned. Without any, a message would be sent as if it needed no signature. */
function checkSigned(signed: unknown): [name: string, value: string][] {
  const fields = isPlainObject(signed) ? Object.entries(signed) : [];
  const wrong = fields.find(([name, value]) => !isField(name, value));
  if (fields.length > 0 && !wrong) return fields as [string, string][]; // a number is sent as its digits
  const got = wrong ? `a field ${JSON.stringify(wrong[0])} that cannot be sent` : describeConfidential(signed);
  throw new WrongSign(`"sign" must return header fields like { "x-signature": "…" }, got ${got}`);
}

/** Returns whether a header can carry a value, and something of it is left. */
function isField(name: string, value: unknown): boolean {
  if (typeof value !== "string" && !Number.isFinite(value)) return false;
  try {
    return new Headers([[name, String(value)]]).get(name) !== "";
  } catch {
    return false;
  }
}

/** What `sign` has returned is wrong, as it will be at each attempt. */
class WrongSign extends TypeError {}

/** Makes an attempt that is not repeated if `sign` is wrong. One that throws, such as for a key server, may be. */
const refuseWrongSign: ClientSettings["around"][number] = async (next, { route }) => {
  try {
    return await next();
  } catch (error) {
    const { cause } = Object(error) as { readonly cause?: unknown };
    throw isInstance(cause, WrongSign) ? createInvalid(route, cause.message, cause) : error;
  }
};

function readUrl(url: unknown, allows: (url: URL) => unknown, call: RouteCall): URL {
  const text = typeof url === "string" || url instanceof URL ? String(url) : "";
  if (!URL.canParse(text)) throw toInvalid(call, `"url" must be an absolute URL, got ${describeConfidential(url)}`);
  const target = new URL(text);
  target.hash = "";
  if (isAllowed(target, allows, call)) return target;
  const expected = allows === isPublicUrl ? "https: and public" : 'one that "allows" accepts';
  throw toInvalid(call, `the URL must be ${expected}, got one of ${target.protocol}//${target.host}`);
}

/** Asks the option `allows`. A promise does not allow anything: it may be one of `false`. */
function isAllowed(target: URL, allows: (url: URL) => unknown, call: RouteCall): boolean {
  let allowed: unknown;
  try {
    allowed = allows(target);
  } catch (cause) {
    throw toInvalid(call, `"allows" threw: ${messageOf(cause)}`, cause);
  }
  if (typeof allowed === "boolean") return allowed;
  if (isInstance(allowed, Promise)) allowed.catch(ignore); // the error below replaces its rejection
  throw toInvalid(call, `"allows" must return a boolean, got ${describeConfidential(allowed)}`);
}

function toInvalid({ key, method, path }: CalledRoute, state: string, cause?: unknown): ClientError {
  return createInvalid({ key, method, path }, state, cause);
}

/** Returns the error for what cannot be sent. Functions of `around` throw one with the very route that they received. */
function createInvalid(route: CalledRoute, state: string, cause: unknown): ClientError {
  const details = cause === undefined ? { route } : { route, cause };
  return new ClientError("invalid-input", `Cannot send ${route.key}: ${state}`, details);
}
