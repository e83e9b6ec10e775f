/** The script of a page of `mock.ts`: MSW answers the page's own `fetch` with a mock, in a service worker. */
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

Object.assign(globalThis, { callMock });
