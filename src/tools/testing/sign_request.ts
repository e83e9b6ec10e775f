/** Signatures of requests: by the functions of the option `sign`, over the bytes that are sent. */
import type { Awaitable } from "../../awaitable.ts";
import { requirementsOf, type SecurityScheme } from "../../contract/security_scheme.ts";
import type { RouteNode } from "../../contract/node.ts";
import { describeValue } from "../../messages.ts";
import type { SendToTarget } from "./target.ts";
import type { WireRequest } from "./wire_request.ts";

/**
 * Signs the bytes of a request, and returns the header fields to send, as `standardWebhooks(…).sign` does.
 *
 * @param id A new id for each request.
 *
 * @internal
 */
export type SignContent = (id: string, content: Uint8Array<ArrayBuffer>) => Awaitable<Readonly<Record<string, string>>>;

interface Signer {
  readonly scheme: SecurityScheme;
  readonly sign: SignContent;
}

export type Signers = ReadonlyMap<string, Signer>;

/** Tests whether a scheme is a signature of content: it alone has several headers. */
export function isSignature({ options: { headers } }: SecurityScheme): boolean {
  return headers !== undefined;
}

export function readSigners(sign: unknown, nodes: readonly RouteNode[], fail: (state: string) => never): Signers {
  if (sign === undefined) return new Map();
  if (typeof sign !== "object" || sign === null || Array.isArray(sign)) {
    fail(`"sign" must be an object of functions by the names of schemes, got ${describeValue(sign)}`);
  }
  const schemes = nodes.flatMap(({ security = [] }) => requirementsOf(security)).map(({ scheme }) => scheme);
  const known = new Map(schemes.filter(isSignature).map((scheme) => [scheme.name, scheme]));
  return new Map(
    Object.entries(sign).filter(([, each]) => each !== undefined).map(([name, each]: [string, unknown]) => {
      const scheme = known.get(name);
      if (!scheme) {
        const names = [...known.keys()].join(", ") || "none";
        fail(`"sign" has ${JSON.stringify(name)}, which is not a signature of the contract (signatures: ${names})`);
      }
      if (typeof each !== "function") fail(`"sign.${name}" must be a function, got ${describeValue(each)}`);
      return [name, { scheme, sign: each as SignContent }] as const;
    }),
  );
}

export async function signRequest(request: WireRequest, signers: Signers): Promise<WireRequest> {
  let { headers, secrets } = request;
  for (const name of request.signedBy ?? []) {
    const { scheme, sign } = signers.get(name)!; // the request was encoded with these signers
    const signed: unknown = await sign(crypto.randomUUID(), request.body ?? new Uint8Array());
    const fields = Object.fromEntries(
      Object.entries(Object(signed)).map(([field, value]) => [field.toLowerCase(), String(value)]),
    );
    const missing = scheme.options.headers?.find((field) => !Object.hasOwn(fields, field));
    if (missing !== undefined) {
      const got = Object.keys(fields).join(", ") || "none";
      throw new TypeError(`contractTests(): "sign.${name}" must return the header ${missing}, got ${got}`);
    }
    headers = { ...headers, ...fields };
    secrets = [...new Set([...secrets, ...Object.keys(fields)])];
  }
  return headers === request.headers ? request : { ...request, headers, secrets };
}

/** Returns a function that signs each request when it is sent, because its content or the time may have changed. */
export function signing(send: SendToTarget, signers: Signers): SendToTarget {
  return async (request, reading) => await send(await signRequest(request, signers), reading);
}

/** Returns a signed request whose content was changed after that: its last byte, or one that is added. */
export function changeContent({ signedBy: _, ...request }: WireRequest): WireRequest {
  const { body = new Uint8Array() } = request;
  const changed = body.length === 0 ? new Uint8Array([32]) : body.slice();
  if (body.length > 0) changed[changed.length - 1]! ^= 1;
  return { ...request, body: changed };
}
