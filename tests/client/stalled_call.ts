/** Calls that get no response, or only the beginning of one, for tests of how they end. */
import { defineContract, response, route } from "@scope/api";
import { type CallOptions, ClientError, type ClientOptions, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assertRejects } from "@std/assert";
import { watchBody } from "../support/watched_body.ts";

export const baseUrl = "https://a.example";
export const contract = defineContract({
  routes: {
    text: route.get("/text", { responses: { 200: response.text(), 204: response.empty() } }),
  },
});

/** A server whose handlers never respond. */
export const silent = createFetchHandler(
  defineServer(contract).implement({
    text: () => new Promise<never>(() => {}),
  }),
);

/** Calls a server that never responds, or the one in the settings. */
export function call(options: CallOptions, settings: Partial<ClientOptions> = {}): ReturnType<typeof client.text> {
  const client = createClient(contract, { baseUrl, fetch: silent, ...settings });
  return client.text(options);
}

/** The error of such a call. */
export function errorOf(options: CallOptions, settings: Partial<ClientOptions> = {}): Promise<ClientError> {
  return assertRejects(() => call(options, settings), ClientError, "Cannot call GET /text (text): ");
}

/** A response whose body begins and never goes on. */
export function stalledAnswer(): { readonly fetch: () => Response; readonly state: () => string } {
  const { stream, state } = watchBody(["it began"], { stalls: true });
  return { fetch: () => new Response(stream, { headers: { "content-type": "text/plain" } }), state };
}
