import type { Awaitable } from "../../awaitable.ts";
import { describeConfidential, describeValue } from "../../messages.ts";
import { isCount } from "../../mark.ts";
import { aFunction, checkRule, failAt, type OptionRules, readPlainOptions, type ValueRule } from "../../options.ts";
import { isBytes } from "../../wire/read_bytes.ts";

/** The options of {@linkcode standardWebhooks}. */
export interface StandardWebhooksOptions {
  /**
   * The secrets, at least one: `whsec_` and 24 to 64 bytes in Base64. A sender signs with each, so that a receiver can
   * change its secret; a receiver accepts each.
   */
  readonly secrets: readonly string[];
  /** How old, or how far in the future, an accepted message may be, in seconds. Default: 300. */
  readonly tolerance?: number | undefined;
  /** Returns the time in milliseconds, for tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A message whose signature was verified. */
export interface VerifiedWebhook {
  /** The id, which stays the same when a message is sent again. */
  readonly id: string;
  /** When it was sent, in seconds since 1970. */
  readonly timestamp: number;
}

/** Signs and verifies webhooks. {@linkcode standardWebhooks} returns it. */
export interface StandardWebhooks {
  /** Returns the header fields of a message: its id, the time, and a signature for each secret. */
  sign(id: string, content: Uint8Array<ArrayBuffer>): Promise<Record<string, string>>;
  /** Returns who sent a message, or `undefined` if no secret has signed it, or not within the tolerance. */
  verify(headers: HeaderSource, content: Uint8Array<ArrayBuffer>): Promise<VerifiedWebhook | undefined>;
}

/** The header fields of a request. */
export interface HeaderSource {
  /** Returns the value of a field, or `null`. */
  get(name: string): string | null;
}

/**
 * Signs the exact bytes of a message. `createSender()` takes it as its option `sign`.
 *
 * @internal
 */
export type SignWebhook = (id: string, content: Uint8Array<ArrayBuffer>) => Awaitable<Readonly<Record<string, string>>>;

/** The headers of a signed message, for `security.signature()`. */
export const standardWebhookHeaders = ["webhook-signature", "webhook-id", "webhook-timestamp"] as const;

/** More signatures are not compared: a sender has few secrets at a time. */
const maxSignatures = 8;

/**
 * Signs and verifies messages as [Standard Webhooks](https://www.standardwebhooks.com) does: HMAC with SHA-256 over the
 * id, the time and the exact bytes.
 *
 * @example A message that was signed and verified
 * ```ts
 * import { standardWebhooks } from "@scope/api/webhooks";
 * import { assertEquals } from "@std/assert";
 *
 * const hooks = standardWebhooks({ secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] });
 * const content = new TextEncoder().encode('{"order":"1"}');
 * const headers = new Headers(await hooks.sign("msg_1", content));
 *
 * assertEquals((await hooks.verify(headers, content))?.id, "msg_1");
 * assertEquals(await hooks.verify(headers, new TextEncoder().encode('{"order":"2"}')), undefined);
 * ```
 *
 * @throws {TypeError} If a secret or an option is invalid. The message never contains a secret.
 */
export function standardWebhooks(options: StandardWebhooksOptions): StandardWebhooks {
  const read = readPlainOptions(options, rules, where) as StandardWebhooksOptions; // missing secrets are refused
  const { secrets, tolerance = 300, now = Date.now } = read;
  checkRule(secrets, '"secrets"', someSecrets, where, describeConfidential);
  const raw = Array.from(secrets, readSecret); // also what an array leaves out
  let imported: Promise<readonly CryptoKey[]> | undefined; // crypto is not used before the first message
  const importKeys = (): Promise<readonly CryptoKey[]> =>
    imported ??= Promise.all(
      raw.map((secret) => crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, usages)),
    );
  return Object.freeze(
    {
      async sign(id, content): ReturnType<StandardWebhooks["sign"]> {
        checkId(id);
        const timestamp = String(toSeconds(now()));
        const signed = join(id, timestamp, content);
        const signatures = (await importKeys()).map(async (key) =>
          `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)))}`
        );
        const all = await Promise.all(signatures);
        return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": all.join(" ") };
      },
      async verify(headers, content): ReturnType<StandardWebhooks["verify"]> {
        if (typeof Object(headers).get !== "function") {
          throw new TypeError(`the headers must have get(), as Headers has, got ${describeConfidential(headers)}`);
        }
        const id = headers.get("webhook-id") ?? "";
        const timestamp = headers.get("webhook-timestamp") ?? "";
        if (!idPattern.test(id) || !/^[1-9]\d{0,14}$/.test(timestamp)) return undefined;
        if (Math.abs(toSeconds(now()) - Number(timestamp)) > tolerance) return undefined;
        const signed = join(id, timestamp, content);
        const keys = await importKeys();
        const texts = (headers.get("webhook-signature") ?? "").split(" ", maxSignatures);
        for (
          const signature of texts.flatMap((text) => text.startsWith("v1,") ? fromBase64(text.slice(3)) ?? [] : [])
        ) {
          for (const key of keys) {
            if (await crypto.subtle.verify("HMAC", key, signature, signed)) return { id, timestamp: Number(timestamp) };
          }
        }
        return undefined;
      },
    } satisfies StandardWebhooks,
  );
}

const where = "standardWebhooks()";

const someSecrets: ValueRule = ["an array of at least one secret", (value) => Array.isArray(value) && value.length > 0];

const rules: OptionRules = { secrets: undefined, tolerance: ["a number of seconds", isCount], now: aFunction };

const usages: readonly KeyUsage[] & KeyUsage[] = ["sign", "verify"];

/** An id of visible ASCII characters without a dot, which separates it from the time in what is signed. */
const idPattern = /^[!-\-/-~]{1,256}$/;

/** Throws an error if an id cannot be signed and sent. */
export function checkId(id: unknown, toError = (state: string): Error => new TypeError(state)): asserts id is string {
  if (typeof id === "string" && idPattern.test(id)) return;
  throw toError(`the id must have 1 to 256 visible ASCII characters, and no dot, got ${describeValue(id)}`);
}

function readSecret(secret: unknown, index: number): Uint8Array<ArrayBuffer> {
  const [, base64] = typeof secret === "string" ? /^whsec_([\w+/]+={0,2})$/.exec(secret) ?? [] : [];
  const bytes = base64 === undefined ? undefined : fromBase64(base64);
  if (bytes && bytes.length >= 24 && bytes.length <= 64) return bytes;
  failAt(
    where,
    `"secrets[${index}]" must be "whsec_" and 24 to 64 bytes in Base64, got ${describeConfidential(secret)}`,
  );
}

/** Returns the seconds of a time in milliseconds. Throws if it is not a number, since no message would be too old then. */
function toSeconds(milliseconds: number): number {
  const seconds = Math.floor(milliseconds / 1000);
  if (isCount(seconds)) return seconds;
  throw new TypeError(
    `standardWebhooks(): "now" must return milliseconds since 1970, got ${describeValue(milliseconds)}`,
  );
}

/** Returns what is signed. The characters of a text would become zeros. */
function join(id: string, timestamp: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  if (!isBytes(content)) {
    throw new TypeError(`the content must be a Uint8Array of the exact bytes, got ${describeConfidential(content)}`);
  }
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);
  return signed;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Returns the bytes of Base64. `undefined` if it is malformed. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
