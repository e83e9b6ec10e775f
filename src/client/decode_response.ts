/** From a native response to the result of a call. */
import { escapeUnits } from "../messages.ts";
import type { CallFields, CallResponse } from "../contract/call.ts";
import { untilAborted } from "../signals.ts";
import { mediaTypeEssence, problemType } from "../wire/media_type.ts";
import { type Attempt, readExcerpt } from "./attempt.ts";
import type { ClientError } from "./error.ts";

/** Returns how the response of an attempt is declared; `undefined` if it is not. */
export function findDeclared({ response: { status, headers }, plan: { declared } }: Attempt): CallResponse | undefined {
  const found = declared.responses.get(status);
  return found && isOfType(found, headers.get("content-type") ?? "") ? found : undefined;
}

/**
 * Returns whether a response has the declared content type. A problem document is never an empty response, whatever its
 * status.
 */
function isOfType({ contentType, expected, isOfAnyType, representation }: CallResponse, stated: string): boolean {
  if (isOfAnyType || stated === contentType) return true;
  const received = mediaTypeEssence(stated);
  if (typeof expected === "object") return representation.ranges?.isResponseWithin(received, expected) === true;
  return expected === undefined ? received !== problemType : received === expected;
}

/** Returns the error for a response that is not declared. Reads the beginning of its body and cancels the rest. */
export async function toUnexpected(attempt: Attempt): Promise<ClientError> {
  const { response, plan: { declared, fail } } = attempt;
  const found = declared.responses.get(response.status);
  const details = await readExcerpt(attempt);
  if (!found) return fail("unexpected-status", describeStatus(response, declared.responses.keys()), details);
  const received = quoteField(mediaTypeEssence(response.headers.get("content-type") ?? ""));
  const expected = [found.expected ?? "of an empty response"].flat().join(", ");
  return fail("unexpected-content-type", `content type ${received} is not ${expected}`, details);
}

/** Decodes the declared headers: first into plain data, then by their schema if it is a codec or the client validates. */
export async function decodeHeaders(attempt: Attempt, { names, decodeFields }: CallFields): Promise<unknown> {
  const { response: { headers }, call: { signal } } = attempt;
  try {
    const fields = Object.fromEntries(names ? names.flatMap((name) => fieldOf(headers, name)) : headers);
    // cookies are a list, because joining them would make them ambiguous (RFC 6265, section 3)
    const plain = "set-cookie" in fields ? { ...fields, "set-cookie": headers.getSetCookie() } : fields;
    return decodeFields ? await untilAborted(signal, decodeFields(plain)) : plain;
  } catch (cause) {
    const { text } = await readExcerpt(attempt);
    throw attempt.toDecodeError(cause, text);
  }
}

/** Returns the field with this name as a list of at most one entry. */
function fieldOf(headers: Headers, name: string): [name: string, value: string][] {
  const value = headers.get(name);
  return value === null ? [] : [[name, value]];
}

/** The most characters of a header field that a message quotes. */
const quotedLength = 200;

/** Describes a status that is not declared. For a redirect the message includes its target, and how to follow it. */
function describeStatus(response: Response, declared: Iterable<number>): string {
  const { status, type, headers } = response;
  const isHidden = type === "opaqueredirect";
  const location = status >= 300 && status <= 399 ? headers.get("location") : null;
  const received = isHidden ? "a redirect, which the browser hides," : `status ${status}`;
  const target = location === null ? "" : `; it redirects to ${quoteField(location)}`;
  const follow = target || isHidden
    ? `${target}; declare it, or pass init: { redirect: "follow" } to follow redirects to any server`
    : "";
  return `${received} is not declared (declared: ${[...declared].join(", ")})${follow}`;
}

/** Quotes a header field from another server: at most its beginning, in printable ASCII. */
function quoteField(value: string): string {
  const text = value.length > quotedLength ? `${value.slice(0, quotedLength)}…` : value;
  return JSON.stringify(text).replace(/[^ -~…]/g, escapeUnits);
}
