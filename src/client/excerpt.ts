import { readJson } from "../wire/read_json.ts";
import { type Problem } from "../wire/problem_document.ts";
import { isProblem, toProblem } from "../wire/problem.ts";
import { readBody } from "../wire/read_bytes.ts";
import { type ClientErrorDetails } from "./error.ts";
import { joinSignals } from "../signals.ts";

/** The most bytes of a body that an error keeps. */
const textBytes = 8 * 1024;
/** The most bytes of a problem document that are read. Part of one is of no use. */
const problemBytes = 256 * 1024;
/** The longest wait for a body that is read only for an error, in milliseconds. */
const patience = 1000;

/** Returns the details of an error about a response. Reads the beginning of its body and cancels the rest. */
export async function readExcerpt(response: Response, signal: AbortSignal | undefined): Promise<ClientErrorDetails> {
  const mayBeProblem = isProblem(response);
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), patience);
  try {
    const limits = {
      maxBytes: mayBeProblem ? problemBytes : textBytes,
      signal: joinSignals(signal, stalled.signal),
    };
    const { bytes, complete } = await readBody(response, limits);
    const problem = mayBeProblem && complete ? parseProblem(new TextDecoder().decode(bytes)) : undefined;
    return { response, text: decodeBeginning(bytes), problem };
  } catch {
    return { response }; // the body broke off, which does not change why the response is refused
  } finally {
    clearTimeout(timer);
  }
}

/** Decodes the first 8 KiB as text, without a character that is cut in two. */
export function decodeBeginning(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content.slice(0, textBytes)) : content;
  if (bytes.byteLength === 0) return ""; // empty, or transferred to another thread by the user's decoder
  return new TextDecoder().decode(bytes.subarray(0, textBytes), { stream: bytes.byteLength >= textBytes });
}

function parseProblem(text: string): Problem | undefined {
  try {
    return toProblem(readJson(text));
  } catch {
    return undefined;
  }
}
