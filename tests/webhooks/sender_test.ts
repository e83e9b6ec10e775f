/** Webhooks from their declaration to a receiver. */
import { codec, type Contract, defineContract, request, response, route, security, webhooks } from "@scope/api";
import { ClientError } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { diffContracts } from "@scope/api/diff";
import { retry } from "@scope/api/retry";
import { defineServer, verify } from "@scope/api/server";
import {
  createSender,
  isPublicUrl,
  standardWebhookHeaders,
  standardWebhooks,
  webhookEvents,
} from "@scope/api/webhooks";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as z from "zod";
import { rejectionsOf } from "../support/rejections.ts";

const Day = codec(z.object({ day: z.iso.date() }), z.object({ day: z.date() }), {
  decode: ({ day }) => ({ day: new Date(day) }),
  encode: ({ day }) => ({ day: day.toISOString().slice(0, 10) }),
});
const responses = { 204: response.empty(), 410: response.problem() };
const routes = { health: route.get("/health", { responses: { 204: response.empty() } }) };

const contract = defineContract({
  routes,
  webhooks: webhooks({
    orderPaid: route.post("/", {
      body: request.json(z.object({ type: z.literal("order.paid"), total: z.number() })),
      responses,
    }),
    dayClosed: route.put("/", { headers: z.object({ "x-shop": z.string() }), body: Day, responses }),
  }),
});
const hooks = standardWebhooks({ secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] });
const message = { url: "https://shop.example/hooks?a=1&b=%20#c", id: "msg_1" };
const paid = { type: "order.paid", total: 3 } as const;

/** What arrived, and the statuses that the next messages are answered with. */
interface Receiver {
  readonly received: Request[];
  readonly fetch: (request: Request) => Promise<Response>;
}

function receive(...statuses: number[]): Receiver {
  const received: Request[] = [];
  return {
    received,
    fetch: async (request) => {
      received.push(request.clone());
      await request.arrayBuffer();
      return new Response(null, { status: statuses[received.length - 1] ?? 204 });
    },
  };
}

Deno.test("createSender() sends the output of the schema to the URL of the message, signed", async () => {
  const { received, fetch } = receive();
  const send = createSender(contract, { sign: hooks.sign, fetch });
  const { status } = await send.orderPaid({ ...message, body: { ...paid, secret: "undeclared" } as typeof paid });
  assertEquals(status, 204);
  const [request] = received as [Request];
  assertEquals(
    [request.method, request.url, request.redirect, request.headers.get("content-type")],
    ["POST", "https://shop.example/hooks?a=1&b=%20", "manual", "application/json"],
  );
  const content = new Uint8Array(await request.arrayBuffer());
  assertEquals(new TextDecoder().decode(content), '{"type":"order.paid","total":3}');
  assertEquals((await hooks.verify(request.headers, content))?.id, "msg_1");
});

Deno.test("createSender() sends declared headers, encodes codecs, and needs no signature", async () => {
  const { received, fetch } = receive();
  const send = createSender(contract, { fetch });
  await send.dayClosed({ ...message, headers: { "x-shop": "7" }, body: { day: new Date("2026-01-02") } });
  const [request] = received as [Request];
  assertEquals([request.method, request.headers.get("x-shop"), request.headers.get("webhook-id")], ["PUT", "7", null]);
  assertEquals(await request.text(), '{"day":"2026-01-02"}');
});

Deno.test("createSender() repeats a message with the same id, each attempt with its own time and signature", async () => {
  const { received, fetch } = receive(503, 503);
  let seconds = 1_700_000_000;
  const { sign } = standardWebhooks({
    secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    now: () => seconds++ * 1000,
  });
  const send = createSender(contract, { sign, fetch, around: retry({ attempts: 3, maxWait: 0 }) });
  assertEquals((await send.orderPaid({ ...message, body: paid })).status, 204);
  assertEquals(received.map(({ headers }) => headers.get("webhook-id")), ["msg_1", "msg_1", "msg_1"]);
  assertEquals(new Set(received.map(({ headers }) => headers.get("webhook-timestamp"))).size, 3);
  assertEquals(new Set(received.map(({ headers }) => headers.get("webhook-signature"))).size, 3);
});

Deno.test("createSender() returns declared results, and follows no redirect", async () => {
  const gone = createSender(contract, {
    fetch: () =>
      Promise.resolve(Response.json({}, { status: 410, headers: { "content-type": "application/problem+json" } })),
  });
  assertEquals((await gone.orderPaid({ ...message, body: paid })).status, 410);
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    await request.text();
    return new Response(null, { status: 308, headers: { location: "/elsewhere" } });
  });
  const send = createSender(contract, { allows: () => true });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const error = await assertRejects(() => send.orderPaid({ ...message, url, body: paid }), ClientError);
  assertEquals([error.code, error.status], ["unexpected-status", 308]);
  assertEquals(
    error.message,
    'Cannot call POST / (orderPaid): status 308 is not declared (declared: 204, 410); it redirects to "/elsewhere"; ' +
      "declare it",
  );
});

Deno.test("createSender() sends nothing once a call is aborted, also while it is signed", async () => {
  const { received, fetch } = receive();
  const caller = new AbortController();
  const signed: string[] = [];
  const sign = async (id: string): Promise<Record<string, string>> => {
    caller.abort(new Error("left"));
    await Promise.resolve();
    signed.push(id);
    return { "x-signature": "1" };
  };
  const send = createSender(contract, { sign, fetch, around: retry() });
  const rejections = await rejectionsOf(async () => {
    const call = send.orderPaid({ ...message, body: paid }, { signal: caller.signal });
    assertEquals((await assertRejects(() => call, ClientError)).code, "aborted");
  });
  assertEquals([signed, received, rejections], [["msg_1"], [], []]);
});

Deno.test("createSender() refuses options of a call that do not fit a webhook", async () => {
  const { received, fetch } = receive();
  const send = createSender(contract, { fetch });
  for (const options of [{ init: { redirect: "follow" } }, { maxBodyBytes: 1 }, null]) {
    const error = await assertRejects(() => send.orderPaid({ ...message, body: paid }, options as never), ClientError);
    assertEquals([error.code, error.message], [
      "invalid-input",
      options === null
        ? "Cannot send orderPaid: the options must be an object, got null"
        : `Cannot send orderPaid: unknown option "${Object.keys(options)}" (allowed: signal, timeout, headers)`,
    ]);
  }
  assertEquals(received, []);
});

Deno.test("createSender() calls `fetch` without a receiver, as the fetch of a platform requires", async () => {
  const receivers: unknown[] = [];
  const send = createSender(contract, {
    fetch(this: unknown): Promise<Response> {
      receivers.push(this);
      return Promise.resolve(new Response(null, { status: 204 }));
    },
  });
  await send.orderPaid({ ...message, body: paid });
  assertEquals(receivers, [undefined]);
});

Deno.test("createSender() rejects a wrong message before anything is sent", async () => {
  const { received, fetch } = receive();
  const send = createSender(contract, { fetch });
  const rows: [message: object, state: string][] = [
    [{ ...message, body: { ...paid, total: "3" } }, "body does not fit its schema"],
    [{ ...message }, "body does not fit its schema"],
    [{ ...message, body: paid, query: {} }, 'unknown slot "query"'],
    [{ ...message, id: "a.b", body: paid }, "the id must have 1 to 256 visible ASCII characters"],
    [{ ...message, id: undefined, body: paid }, "the id must have 1 to 256 visible ASCII characters"],
    [{ ...message, url: "/hooks", body: paid }, '"url" must be an absolute URL'],
    [{ ...message, url: undefined, body: paid }, '"url" must be an absolute URL'],
    [
      { ...message, url: "http://shop.example/", body: paid },
      "the URL must be https: and public, got one of http://shop.example",
    ],
    [{ ...message, url: "https://u:secret@shop.example/", body: paid }, "got one of https://shop.example"],
    [{ ...message, url: "https://localhost/", body: paid }, "got one of https://localhost"],
  ];
  for (const [wrong, state] of rows) {
    const error = await assertRejects(() => send.orderPaid(wrong as never), ClientError);
    assertEquals([error.code, error.route?.key], ["invalid-input", "orderPaid"]);
    assert(error.message.includes(state) && !error.message.includes("secret"), error.message);
  }
  assertEquals(received, []);
});

Deno.test("createSender() sends nothing if `allows` does not return true, or `sign` returns no fields", async () => {
  const { received, fetch } = receive();
  const rows: [options: object, code: string, state: string][] = [
    [
      { allows: () => false },
      "invalid-input",
      'the URL must be one that "allows" accepts, got one of https://shop.example',
    ],
    [
      { allows: () => Promise.reject(new Error("private")) },
      "invalid-input",
      '"allows" must return a boolean, got an object',
    ],
    [{ allows: () => undefined }, "invalid-input", '"allows" must return a boolean, got undefined'],
    [{ allows: () => [].reduce((none) => none) }, "invalid-input", '"allows" threw: Reduce of empty array'],
    [{ sign: () => new Headers({ "x-signature": "1" }) }, "invalid-input", '"sign" must return header fields like {'],
    [
      { sign: () => {} },
      "invalid-input",
      '"sign" must return header fields like { "x-signature": "…" }, got undefined',
    ],
    [{ sign: () => ({ "x-signature": undefined }) }, "invalid-input", '"sign" must return header fields like {'],
    [{ sign: () => ({ "x-signature": "" }) }, "invalid-input", '"sign" must return header fields like {'],
    [{ sign: () => ({ "x-signature": NaN }) }, "invalid-input", '"sign" must return header fields like {'],
    [{ sign: () => ({ "x-signature": "a\r\nb" }) }, "invalid-input", 'got a field "x-signature" that cannot be sent'],
    [{ sign: () => ({ "x-signature": "漢" }) }, "invalid-input", 'got a field "x-signature" that cannot be sent'],
    [{ sign: () => ({ "x-signature": " \n" }) }, "invalid-input", 'got a field "x-signature" that cannot be sent'],
    [{ sign: () => ({ "x signature": "1" }) }, "invalid-input", 'got a field "x signature" that cannot be sent'],
    [{ sign: () => [].reduce((none) => none) }, "network", "Reduce of empty array"],
  ];
  for (const [options, code, state] of rows) {
    const send = createSender(contract, { fetch, ...options });
    const error = await assertRejects(() => send.orderPaid({ ...message, body: paid }), ClientError);
    assertEquals(error.code, code);
    assert(`${error.message} ${error.cause}`.includes(state), `${error.message} ${error.cause}`);
  }
  assertEquals(received, []);
});

Deno.test("createSender() does not repeat a message whose `sign` is wrong, and repeats one whose `sign` fails", async () => {
  const { received, fetch } = receive();
  const counts = await Promise.all(
    [() => ({}), () => ({ "x-signature": "\r" }), () => Promise.reject(new Error("no key server"))].map(
      async (result) => {
        let asked = 0;
        const sign = (): never => {
          asked++;
          return result() as never;
        };
        const send = createSender(contract, { sign, fetch, around: retry({ attempts: 3, maxWait: 0 }) });
        await assertRejects(() => send.orderPaid({ ...message, body: paid }), ClientError);
        return asked;
      },
    ),
  );
  assertEquals(counts, [1, 1, 3]);
  assertEquals(received, []);
});

Deno.test("isPublicUrl() refuses addresses that are not of the public internet", () => {
  const refused = [
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[fc00::1]",
    "[fdff::1]",
    "[fe80::1]",
    "[ff02::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::1]",
    "[2001:db8::1]",
    "[2001::1]",
    "localhost",
    ".com",
    ".example.com",
    "localhost.",
    "LOCALHOST",
    "a.localhost",
    "a.localhost..",
    "127.0.0.1..",
    "a..example",
    "localhost.localdomain",
    "db",
    "printer.local",
    "api.internal",
    "router.home.arpa",
  ];
  const accepted = [
    "example.com",
    "example.com.",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "[2606:4700::1111]",
    "[2002:808:808::1]",
    "münchen.example",
  ];
  assertEquals(refused.filter((host) => isPublicUrl(new URL(`https://${host}/`))), []);
  assertEquals(accepted.filter((host) => !isPublicUrl(new URL(`https://${host}:8443/`))), []);
  assertEquals(
    ["http://example.com", "ftp://example.com", "https://u@example.com"].filter((url) => isPublicUrl(new URL(url))),
    [],
  );
});

Deno.test("a receiver verifies a webhook, and narrows its body by the event", async () => {
  const signed = security.signature("shop", { headers: standardWebhookHeaders, maxBytes: 10_000 });
  const partner = defineContract({
    routes: {
      shop: route.post("/hooks/shop", {
        security: [signed],
        body: request.json(webhookEvents(contract.webhooks)),
        responses: { 200: response.text() },
      }),
    },
  });
  const server = defineServer(partner, {
    security: [verify(signed, ({ headers, content }) => hooks.verify(headers, content))],
  });
  const handler = createFetchHandler(server.implement({
    shop: ({ body, caller, response }) => {
      if (body.event === "orderPaid") return response(200, `${caller.id}: paid ${body.data.total}`);
      return response(200, `${caller.id}: closed ${body.data.day.toISOString()}`);
    },
  }));
  const answers: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    answers.push(await (await handler(request)).text());
    return new Response(null, { status: 204 });
  };
  const send = createSender(contract, { sign: hooks.sign, fetch });
  await send.orderPaid({ ...message, url: "https://shop.example/hooks/shop", body: paid });
  assertEquals(answers, ["msg_1: paid 3"]);
  const unsigned = await handler(
    new Request("http://localhost/hooks/shop", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    }),
  );
  assertEquals(unsigned.status, 401);
  const content = new TextEncoder().encode('{"type":"unknown"}');
  const headers = { "content-type": "application/json", ...await hooks.sign("msg_2", content) };
  const unknown = await handler(new Request("http://localhost/hooks/shop", { method: "POST", body: content, headers }));
  assertEquals(unknown.status, 400);
  const { issues } = await unknown.json();
  assertEquals(issues[0].message.startsWith("not orderPaid: "), true);
});

Deno.test("webhookEvents() tries the schemas in order, and describes all of them", async () => {
  const events = webhookEvents(contract.webhooks);
  const outcome = await events["~standard"].validate({ day: "2026-01-02" });
  assertEquals(outcome.issues ? [] : outcome.value, { event: "dayClosed", data: { day: new Date("2026-01-02") } });
  const { jsonSchema } = events["~standard"] as unknown as {
    readonly jsonSchema: {
      readonly input: (options: object) => { readonly anyOf: readonly { readonly type: string }[] };
    };
  };
  assertEquals(jsonSchema.input({ target: "draft-2020-12" }).anyOf.map(({ type }) => type), ["object", "object"]);
  assertThrows(
    () => webhookEvents({} as never),
    TypeError,
    "webhookEvents(): the argument must be made by webhooks({ … })",
  );
});

Deno.test("webhooks() refuses routes that a receiver cannot have at a URL of its own", () => {
  const body = request.json(z.string());
  const token = security.bearer("token");
  const rows: [declared: Record<string, unknown>, state: string][] = [
    [{}, "declare at least one webhook"],
    [{ a: z.string() }, "a must be a route, got"],
    [{ a: route.post("/a", { body, responses }) }, 'a must have the path "/", got "/a"'],
    [{ a: route.get("/", { responses }) }, "a must have a body; write request.json(…)"],
    [{ a: route.post("/", { body: request.stream(), responses }) }, "a must have a body that is sent as a whole"],
    [{ a: route.post("/", { body, query: z.object({}), responses }) }, 'a must not declare "params" or "query"'],
    [{ a: route.post("/", { body, security: [token], responses }) }, 'a must not declare "security" or "refusals"'],
  ];
  for (const [declared, state] of rows) {
    const error = assertThrows(() => webhooks(declared as never), TypeError);
    assert(error.message.startsWith(`webhooks(): ${state}`), error.message);
  }
  assertThrows(
    () => defineContract({ routes, webhooks: { a: route.post("/", { body, responses }) } as never }),
    TypeError,
    '"webhooks" must be made by webhooks()',
  );
});

Deno.test("createSender() refuses contracts without webhooks, and options that it cannot use", () => {
  const rows: [create: () => unknown, state: string][] = [
    [() => createSender({} as never), "the contract must be made by defineContract()"],
    [() => createSender(defineContract({ routes }) as never), "the contract declares no webhooks; add webhooks"],
    [() => createSender(contract, { signs: 1 } as never), 'unknown option "signs"'],
    [() => createSender(contract, { sign: "secret" } as never), '"sign" must be a function'],
  ];
  for (const [create, state] of rows) {
    const error = assertThrows(create, TypeError);
    assert(error.message.startsWith(`createSender(): ${state}`), error.message);
  }
  // @ts-expect-error -- the contract has no webhooks
  assertThrows(() => createSender(defineContract({ routes })), TypeError);
});

Deno.test("createSender() has the types of its webhooks", () => {
  const send = createSender(contract, {});
  // @ts-expect-error -- not a webhook
  assertEquals(send.orderSent, undefined);
  // @ts-expect-error -- the total is a number
  const wrongBody = () => send.orderPaid({ ...message, body: { type: "order.paid", total: "3" } });
  // @ts-expect-error -- the id is missing
  const noId = () => send.orderPaid({ url: "https://shop.example", body: paid });
  // @ts-expect-error -- the declared header is missing
  const noHeaders = () => send.dayClosed({ ...message, body: { day: new Date() } });
  assertEquals([wrongBody, noId, noHeaders].length, 3);
});

Deno.test("diffContracts() compares webhooks as those who receive them meet them", () => {
  const shop = (total: z.ZodType<unknown, number>) =>
    defineContract({ routes, webhooks: webhooks({ paid: route.post("/", { body: z.object({ total }), responses }) }) });
  const [any, whole] = [shop(z.number()), shop(z.int())];
  const list = (before: Contract, after: Contract) =>
    diffContracts(before, after).map(({ verdict, rule, route, where }) => `${verdict} ${rule} ${route} ${where}`);

  assertEquals(list(any, whole), ["compatible response-narrowed webhooks.paid body /total"]);
  assertEquals(list(whole, any), ["breaking response-widened webhooks.paid body /total"]);
  assertEquals(list(any, defineContract({ routes })), ["breaking webhook-removed webhooks.paid "]);
  assertEquals(list(any, shop(z.number())), []);
});
