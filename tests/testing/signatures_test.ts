/** Contract tests of receivers: routes whose requests are signed. */
import { defineContract, request, response, route, security } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { contractTests } from "@scope/api/testing";
import { standardWebhookHeaders, standardWebhooks } from "@scope/api/webhooks";
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import * as z from "zod";
import { findAll, firstLine } from "./findings.ts";

const signed = security.signature("shop", { headers: standardWebhookHeaders, maxBytes: 10_000 });
const token = security.bearer("token");
const contract = defineContract({
  routes: {
    paid: route.post("/hooks/paid", {
      security: [signed],
      body: request.json(z.object({ total: z.number() })),
      responses: { 204: response.empty() },
    }),
  },
});
const hooks = standardWebhooks({ secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] });
type Verify = (headers: Headers, content: Uint8Array<ArrayBuffer>) => ReturnType<typeof hooks.verify>;

/** A receiver whose ids arrive once, as in a store with a unique key. */
function createReceiver(verifyContent: Verify): FetchHandler {
  const server = defineServer(contract, {
    security: [verify(signed, ({ headers, content }) => verifyContent(headers as Headers, content))],
  });
  const seen = new Set<string>();
  return createFetchHandler(server.implement({
    paid: ({ caller, response }) => {
      assertEquals(seen.size, seen.add(caller.id).size - 1);
      return response(204);
    },
  }));
}

const options = { sign: { shop: hooks.sign }, runs: 20 };
const anyone = { id: "", timestamp: 0 };

// proves contract-tests | A receiver accepts what is signed, and nothing that is unsigned or was changed
Deno.test("contractTests({ sign }) signs requests, and a receiver that verifies them has no findings", async () => {
  const statuses = new Map<number, number>();
  const tests = contractTests(contract, {
    ...options,
    target: () => {
      const receive = createReceiver(hooks.verify);
      return async (request: Request) => {
        const answer = await receive(request);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        return answer;
      };
    },
  });

  assert(tests.some(({ name }) => name === "paid: credentials"));
  assertEquals(await findAll(tests), []);
  for (const status of [204, 400, 401]) assert(statuses.has(status), `${status}`);
});

const faults: Readonly<Record<string, { readonly target: () => FetchHandler; readonly found: readonly string[] }>> = {
  "that accepts any signature": {
    target: () => createReceiver(() => Promise.resolve({ ...anyone, id: crypto.randomUUID() })),
    found: [
      'paid: needs-credentials: POST /hooks/paid {"total":0| was answered 400; the contract refuses it with 401: ' +
      "its signature is of other content",
    ],
  },
  "that does not compare the signature with the content": {
    target: () => {
      return createReceiver((headers) => {
        const [, signature] = headers.get("webhook-signature")!.split(",");
        const isSigned = signature?.length === 44; // it is compared with nothing
        return Promise.resolve(isSigned ? { ...anyone, id: headers.get("webhook-id")! } : undefined);
      });
    },
    found: [
      'paid: needs-credentials: POST /hooks/paid {"total":0| was answered 400; the contract refuses it with 401: ' +
      "its signature is of other content",
    ],
  },
  "that parses the content before it verifies it": {
    target: () => {
      const receive = createReceiver(hooks.verify);
      return async (request) => {
        try {
          if (request.method === "POST") JSON.parse(await request.clone().text());
        } catch {
          return Response.json({ status: 400, code: "invalid-body" }, {
            status: 400,
            headers: { "content-type": "application/problem+json" },
          });
        }
        return await receive(request);
      };
    },
    found: [
      'paid: needs-credentials: POST /hooks/paid {"total":0| was answered 400; the contract refuses it with 401: ' +
      "its signature is of other content",
    ],
  },
  "that lets unsigned requests pass": {
    target: () => {
      const receive = createReceiver(hooks.verify);
      return async (request) =>
        request.headers.has("webhook-signature") ? await receive(request) : new Response(null, { status: 204 });
    },
    found: [
      'paid: needs-credentials: POST /hooks/paid {"total":0} was answered 204; the contract refuses it: ' +
      "it has no credential",
    ],
  },
  "that accepts a signature of a wrong form": {
    target: () =>
      createReceiver(async (headers, content) =>
        headers.get("webhook-signature")!.startsWith("v1,")
          ? await hooks.verify(headers, content)
          : { ...anyone, id: crypto.randomUUID() }
      ),
    found: [
      'paid: needs-credentials: POST /hooks/paid {"total":0} was answered 204; the contract refuses it: ' +
      "its signature is invalid",
    ],
  },
};

for (const [name, { target, found }] of Object.entries(faults)) {
  Deno.test(`contractTests({ sign }) finds a receiver ${name}`, async () => {
    const findings = await findAll(contractTests(contract, { ...options, target }));

    assertEquals(findings.map(firstLine), found);
    assert(!findings[0]!.message.includes("v1,"), "a signature is shown");
  });
}

Deno.test("contractTests({ sign }) tests signatures beside other credentials", async () => {
  const both = defineContract({
    routes: {
      all: route.post("/all", {
        security: [security.all(token, signed)],
        body: z.object({ total: z.number() }),
        responses: { 204: response.empty() },
      }),
      any: route.post("/any", {
        security: [token, signed],
        body: z.object({ total: z.number() }),
        responses: { 204: response.empty() },
      }),
    },
  });
  const accepts = (isCareless: boolean) => () =>
    createFetchHandler(
      defineServer(both, {
        security: [
          verify(token, ({ token: shown }) => shown === "secret-1" ? {} : undefined),
          verify(signed, async ({ headers, content }) => isCareless ? {} : await hooks.verify(headers, content)),
        ],
      }).implement({ all: ({ response }) => response(204), any: ({ response }) => response(204) }),
    );
  const run = (isCareless: boolean) =>
    findAll(contractTests(both, { ...options, credentials: { token: "secret-1" }, target: accepts(isCareless) }));

  assertEquals(await run(false), []);
  assertEquals((await run(true)).map(({ route, rule }) => `${route}: ${rule}`), [
    "all: needs-credentials",
    "any: needs-credentials",
  ]);
});

Deno.test("contractTests() says which signature it needs, and refuses signers of no scheme", async () => {
  const target = () => createReceiver(hooks.verify);
  const [valid] = contractTests(contract, { target, runs: 5 });

  const error = await assertRejects(() => valid!.run());
  assertStringIncludes(
    (error as Error).message,
    "paid: nothing-reached: no valid request was found, because it requires a credential; pass a function that signs " +
      'requests in the option sign: { "shop": … }',
  );
  assertThrows(
    () => contractTests(contract, { target, sign: { shp: hooks.sign } as never }),
    TypeError,
    'contractTests(): "sign" has "shp", which is not a signature of the contract (signatures: shop)',
  );
  assertThrows(
    () => contractTests(contract, { target, sign: { shop: "secret" as never } }),
    TypeError,
    'contractTests(): "sign.shop" must be a function, got "secret"',
  );
  assertThrows(
    () => contractTests(contract, { target, sign: hooks.sign as never }),
    TypeError,
    'contractTests(): "sign" must be an object of functions by the names of schemes, got a function',
  );
  const [unsigned] = contractTests(contract, { target, sign: { shop: () => ({ "webhook-id": "1" }) } });
  await assertRejects(
    () => unsigned!.run(),
    TypeError,
    'contractTests(): "sign.shop" must return the header webhook-signature, got webhook-id',
  );
});
