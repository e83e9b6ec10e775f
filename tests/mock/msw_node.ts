/** The program that `msw_test.ts` runs on Node: MSW answers the global `fetch` with a mock. */
import { createClient, unwrap } from "@scope/api/client";
import { mockContract } from "@scope/api/mock";
import { http } from "msw";
import { setupServer } from "msw/node";
import { contract } from "../../examples/users/contract.ts";

const mock = mockContract(contract, { seed: 7 });
let count = 0;
const server = setupServer(
  http.all("https://api.example.com/*", ({ request }) => {
    count++;
    return mock(request);
  }),
);
server.listen({ onUnhandledRequest: "error" });

const client = createClient(contract, { baseUrl: "https://api.example.com" });
const params = { id: "42" };
const found = unwrap(await client.users.byId({ params }));
const renamed = unwrap(await client.users.rename({ params, body: { name: "Grace" } }));
const refused = await fetch("https://api.example.com/api/users/42", { method: "PATCH", body: "{}" });
console.log(JSON.stringify([found, renamed, refused.status, count]));

server.close();
