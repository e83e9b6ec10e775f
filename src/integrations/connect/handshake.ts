/** The handshake of a connection: what it sends, and why a server refused it. */
import { ClientError } from "../../client/error.ts";
import { toUnsuccessful } from "../../client/result.ts";
import { isInstance, markAs } from "../../mark.ts";
import { routeLabel } from "../../messages.ts";
import { isPassing, passing } from "../retry/wait.ts";
import { type ConnectPlan, toError } from "./plan.ts";

/** What a handshake sends. */
export interface Handshake {
  /** The URL, with the scheme `ws:` or `wss:`. */
  readonly url: string;
  /** The subprotocols that it offers. */
  readonly protocols: string[];
  /** The header fields of the call, which a browser's `WebSocket` cannot send. */
  readonly headers: Record<string, string>;
}

/** Returns the handshake of a call with this input. Rejects with a `ClientError` if it cannot be sent. */
export async function toHandshake(plan: ConnectPlan, input: unknown, signal: AbortSignal): Promise<Handshake> {
  const { call, declared, facts, route, options } = plan;
  const { url, headers } = await call.request(...toArguments(plan, input, { signal }));
  const [, token] = /^bearer +([^ ,]+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  for (const { scheme: { name, credential } } of declared.security.flat()) {
    const isSent = options.sendsHeaders || (token !== undefined && credential?.field === "authorization");
    if (isSent || !credential?.read(headers)) continue;
    throw toError(
      route,
      "invalid-input",
      `a WebSocket cannot send the header of the credential "${name}"; pass "open", which can`,
    );
  }
  const { protocols = token === undefined ? [] : ["json"] } = facts;
  return {
    url: url.replace(/^http/, "ws"),
    protocols: token === undefined ? [...protocols] : [...protocols, `bearer.${toBase64Url(token)}`],
    headers: Object.fromEntries(headers),
  };
}

/** A token has ASCII characters only. */
function toBase64Url(token: string): string {
  return btoa(token).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
}

/**
 * Makes the call of a refused handshake, because browsers hide the response to that. Returns an error after which the
 * next connection may succeed, and rejects with any other. A call would spend a credential that can be used once, which
 * a custom scheme may have.
 */
export async function findRefusal(plan: ConnectPlan, input: unknown, signal: AbortSignal): Promise<ClientError> {
  const { call, declared, route, options: { silence } } = plan;
  const refused = toError(route, "network", "no connection opened");
  if (declared.security.flat().some(({ scheme }) => !scheme.credential)) return refused;
  const answered = new AbortController();
  try {
    const ending = AbortSignal.any([signal, answered.signal]);
    const result = await call(...toArguments(plan, input, markAs("follow", { signal: ending, timeout: silence })));
    if (result.status === upgradeRequired) return refused;
    const error = toUnsuccessful(`connect to ${routeLabel(route)}`, result, route);
    if (passing.includes(result.status)) return error;
    throw error;
  } catch (cause) {
    if (!isInstance(cause, ClientError) || cause.code === "unsuccessful") throw cause;
    if (cause.status === upgradeRequired) return refused;
    if (isPassing(cause)) return cause;
    throw cause;
  } finally {
    answered.abort(); // closes a body that is read later
  }
}

/** The status with which a server would accept the call as a handshake. */
const upgradeRequired = 426;

/** Returns the arguments of the call. */
function toArguments({ declared: { slots } }: ConnectPlan, input: unknown, options: object): unknown[] {
  return slots.length > 0 ? [input, options] : [options];
}

/** Returns the failure of a call that made the input impossible, if the next one may succeed. */
export function findPassing(cause: unknown): ClientError | undefined {
  let error = cause;
  for (let depth = 0; depth < 10 && isInstance(error, Error); depth++) { // causes can be circular
    if (isInstance(error, ClientError)) {
      const { code, status = 0 } = error;
      if (isPassing(error) || (code === "unsuccessful" && passing.includes(status))) return error;
    }
    error = error.cause;
  }
  return undefined;
}
