/** The script of a page of `mock.ts`: MSW answers the page's own `fetch` with a mock, in a service worker. */
import { defineContract, response, route, security } from "@scope/api";
import { createClient, unwrap } from "@scope/api/client";
import { mockContract } from "@scope/api/mock";
import { http } from "msw";
import { setupWorker } from "msw/browser";
import { contract } from "../../examples/users/contract.ts";

async function callMock(): Promise<unknown> {
  const mock = mockContract(contract, { seed: 7 });
  const worker = setupWorker(http.all("https://api.example.com/*", ({ request }) => mock(request)));
  await worker.start({ quiet: true });
  const client = createClient(contract, { baseUrl: "https://api.example.com" });
  const params = { id: "42" };
  const found = unwrap(await client.users.byId({ params }));
  const renamed = unwrap(await client.users.rename({ params, body: { name: "Grace" } }));
  const refused = await fetch("https://api.example.com/api/users/42", { method: "PATCH", body: "{}" });
  worker.stop();
  return [found, renamed, refused.status];
}

const secured = defineContract({
  security: [security.cookie("session", { cookie: "sid" })],
  routes: { me: route.get("/me", { responses: { 200: response.text() } }) },
});

/** Calls a mock without MSW. Returns the statuses without and with the option `caller`. */
async function callInPage(): Promise<readonly number[]> {
  const statusOf = async (fetch: ReturnType<typeof mockContract>): Promise<number> =>
    (await fetch(new Request("https://api.example.com/me", { headers: { cookie: "sid=1" } }))).status;
  return [await statusOf(mockContract(secured)), await statusOf(mockContract(secured, { caller: { name: "Ada" } }))];
}

Object.assign(globalThis, { callMock, callInPage });
