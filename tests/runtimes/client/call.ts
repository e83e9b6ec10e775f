/** How the client's cases call. */
import { defineContract, response, route, security } from "@scope/api";
import {
  type CallOptions,
  type Client,
  type ClientCredentials,
  ClientError,
  createClient,
  unwrap,
} from "@scope/api/client";
import { contract } from "../contract.ts";

/** A client of the suite's contract. */
export function clientOf(baseUrl: string): ReturnType<typeof createClient<typeof contract>> {
  return createClient(contract, { baseUrl });
}

const schemes = [
  security.basic("login"),
  security.apiKey("partner", { header: "x-api-key" }),
  security.cookie("session", { cookie: "sid" }),
] as const;

/** The route of the suite that responds with its cookies, for callers with a credential. */
const secured = defineContract({
  routes: { cookie: route.get("/api/cookie", { security: schemes, responses: { 200: response.text() } }) },
});

/** A client that has credentials. */
export function callerOf(
  baseUrl: string,
  credentials: ClientCredentials<typeof secured.routes>,
): Client<typeof secured.routes> {
  return createClient(secured, { baseUrl, credentials });
}

/** The compared parts of a call that rejects. */
export async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: JSON.stringify(await call) };
  } catch (error) {
    if (!(error instanceof ClientError)) return { threw: String(error) };
    return { code: error.code, ...(error.status !== undefined && { status: error.status }) };
  }
}

/** Reads a whole stream of lines, if it ends, and reports each. */
export async function readLines(
  baseUrl: string,
  kind: string,
  options: CallOptions = {},
  onLine = (): void => {},
): Promise<number> {
  let count = 0;
  const result = await clientOf(baseUrl).lines({ params: { kind, id: crypto.randomUUID() } }, options);
  for await (const _ of unwrap(result)) {
    count++;
    onLine();
  }
  return count;
}
