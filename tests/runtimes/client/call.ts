/** How the client's cases call. */
import { type CallOptions, ClientError, createClient, unwrap } from "@scope/api/client";
import { contract } from "../contract.ts";

/** A client of the suite's contract. */
export function clientOf(baseUrl: string): ReturnType<typeof createClient<typeof contract>> {
  return createClient(contract, { baseUrl });
}

/** What is compared of a call that rejects. */
export async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: JSON.stringify(await call) };
  } catch (error) {
    if (!(error instanceof ClientError)) return { threw: String(error) };
    return { code: error.code, ...(error.status !== undefined && { status: error.status }) };
  }
}

/** Reads a whole stream of lines, if it ends. */
export async function readLines(baseUrl: string, kind: string, options: CallOptions = {}): Promise<number> {
  let count = 0;
  const result = await clientOf(baseUrl).lines({ params: { kind, id: crypto.randomUUID() } }, options);
  for await (const _ of unwrap(result)) count++;
  return count;
}
