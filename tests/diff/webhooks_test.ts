/** Webhooks are compared in the reverse direction: an old receiver reads what the new API sends. */
import { type Contract, defineContract, request, response, route, webhooks } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import * as z from "zod";

const done = { 204: response.empty() };

function contractWith(hooks: Parameters<typeof webhooks>[0] | undefined): Contract {
  const routes = { health: route.get("/health", { responses: done }) };
  return defineContract({ routes, ...(hooks && { webhooks: webhooks(hooks) }) }) as Contract;
}

const paid = (body: z.ZodType, responses: object = done, options: object = {}) => ({
  paid: route.post("/", {
    body: request.json(body as z.ZodType<string>),
    responses: responses as typeof done,
    ...options,
  }),
});

interface Row {
  readonly before: Parameters<typeof webhooks>[0] | undefined;
  readonly after: Parameters<typeof webhooks>[0] | undefined;
  /** Verdict, rule, place and message of each change. */
  readonly changes: readonly string[];
}

const total = z.number();

const rows: Readonly<Record<string, Row>> = {
  "a member that is sent too": {
    before: paid(z.object({ total })),
    after: paid(z.object({ total, tax: total })),
    changes: ["compatible | response-widened | body /tax | was added"],
  },
  "a member that is no longer sent": {
    before: paid(z.object({ total, tax: total })),
    after: paid(z.object({ total })),
    changes: ["breaking | response-widened | body /tax | is no longer sent"],
  },
  "a member that may be missing": {
    before: paid(z.object({ total })),
    after: paid(z.object({ total: total.optional() })),
    changes: ["breaking | response-widened | body /total | may be missing now"],
  },
  "a member with a default, which is always sent": {
    before: paid(z.object({ total })),
    after: paid(z.object({ total: total.default(0) })),
    changes: [],
  },
  "a further value": {
    before: paid(z.object({ type: z.enum(["paid"]) })),
    after: paid(z.object({ type: z.enum(["paid", "refunded"]) })),
    changes: ['breaking | response-widened | body /type | may be "refunded" now'],
  },
  "a value that is no longer sent": {
    before: paid(z.object({ type: z.enum(["paid", "refunded"]) })),
    after: paid(z.object({ type: z.enum(["paid"]) })),
    changes: ['compatible | response-narrowed | body /type | can no longer be "refunded"'],
  },
  "a header that is sent too, and one that is not": {
    before: paid(total, done, { headers: z.object({ "x-shop": z.string() }) }),
    after: paid(total, done, { headers: z.object({ "x-id": z.string() }) }),
    changes: [
      "breaking | response-widened | headers /x-shop | is no longer sent",
      "compatible | response-widened | headers /x-id | was added",
    ],
  },
  "a body that may be missing": {
    before: { paid: route.post("/", { body: request.json(total), responses: done }) },
    after: { paid: route.post("/", { body: request.json(total, { optional: true }), responses: done }) },
    changes: ["breaking | body-optional | body | the body may be missing now"],
  },
  "a body that is always sent": {
    before: { paid: route.post("/", { body: request.json(total, { optional: true }), responses: done }) },
    after: { paid: route.post("/", { body: request.json(total), responses: done }) },
    changes: ["compatible | body-required | body | the body is always sent now"],
  },
  "another media type": {
    before: { paid: route.post("/", { body: request.json(total), responses: done }) },
    after: {
      paid: route.post("/", { body: request.json(total, { contentType: "application/a+json" }), responses: done }),
    },
    changes: [
      "breaking | content-type-added | body | application/a+json was added",
      "compatible | content-type-removed | body | application/json was removed",
    ],
  },
  "a status that is no longer accepted, and one that is": {
    before: paid(total, { ...done, 410: response.empty() }),
    after: paid(total, { ...done, 202: response.empty() }),
    changes: [
      "breaking | status-removed | 410 | the status is no longer accepted",
      "compatible | status-added | 202 | the status is accepted now",
    ],
  },
  "an answer of which more is required": {
    before: paid(total, { 200: response.json(z.object({ ok: z.boolean().optional() })) }),
    after: paid(total, { 200: response.json(z.object({ ok: z.boolean() })) }),
    changes: ["breaking | request-narrowed | 200 /ok | is required now"],
  },
  "an answer of which less is required": {
    before: paid(total, { 200: response.json(z.object({ ok: z.boolean() })) }),
    after: paid(total, { 200: response.json(z.object({ ok: z.boolean().optional() })) }),
    changes: ["compatible | request-widened | 200 /ok | is no longer required"],
  },
  "a header of an answer that is required": {
    before: paid(total, { 204: response.empty({ headers: z.object({ "x-a": z.string().optional() }) }) }),
    after: paid(total, { 204: response.empty({ headers: z.object({ "x-a": z.string() }) }) }),
    changes: ["breaking | request-narrowed | 204 headers /x-a | is required now"],
  },
  "a deprecation": {
    before: paid(total),
    after: paid(total, done, { deprecated: true }),
    changes: ["compatible | deprecated | - | is deprecated now"],
  },
  "a webhook that is no longer sent": {
    before: paid(total),
    after: undefined,
    changes: ["breaking | webhook-removed | - | POST paid is no longer sent"],
  },
  "a webhook that is sent too": {
    before: undefined,
    after: paid(total),
    changes: ["compatible | webhook-added | - | POST paid may be sent now"],
  },
  "another method": {
    before: paid(total),
    after: { paid: route.put("/", { body: request.json(total), responses: done }) },
    changes: [
      "breaking | webhook-removed | - | POST paid is no longer sent",
      "compatible | webhook-added | - | PUT paid may be sent now",
    ],
  },
};

const list = (...sides: Parameters<typeof diffContracts>): string[] =>
  diffContracts(...sides).map(({ verdict, rule, route, where, message }) => {
    assertEquals(route, "webhooks.paid");
    return [verdict, rule, where || "-", message].join(" | ");
  });

// proves diff | Webhooks are compared in the reverse direction, between contracts and documents
Deno.test("diffContracts() compares webhooks as an old receiver meets them", async (test) => {
  const info = { title: "Shop", version: "1" };
  for (const [name, { before, after, changes }] of Object.entries(rows)) {
    await test.step(name, () => {
      const [one, other] = [contractWith(before), contractWith(after)];
      const documents = [one, other].map((contract) => openApiDocument(contract, { info })) as [never, never];
      assertEquals(list(one, other), changes, "of contracts");
      assertEquals(list(...documents), changes, "of documents");
      assertEquals(list(one, documents[1]), changes, "of a contract and a document");
      assertEquals(list(documents[0], other), changes, "of a document and a contract");
    });
  }
});

Deno.test("a refinement of what is sent is not a change, and one that is gone is", () => {
  const [any, even] = [z.number(), z.number().refine((each) => each % 2 === 0, "must be even")];

  assertEquals(list(contractWith(paid(any)), contractWith(paid(even))), []);
  assertEquals(list(contractWith(paid(even)), contractWith(paid(any))), [
    "breaking | response-widened | body | values that were invalid may be sent now: must be even",
  ]);
});

Deno.test("properties that are only written are not part of what a webhook sends", () => {
  const documentWith = (properties: object) => ({
    openapi: "3.1.0",
    paths: {},
    webhooks: {
      paid: {
        post: {
          requestBody: { required: true, content: { "application/json": { schema: { type: "object", properties } } } },
          responses: { 204: { description: "" } },
        },
      },
    },
  });
  const id = { type: "string", readOnly: true };
  const required = { id };

  assertEquals(
    list(documentWith({ id }), documentWith({ ...required, secret: { type: "string", writeOnly: true } })),
    [],
  );
  assertEquals(list(documentWith({}), documentWith({ id })), ["compatible | response-widened | body /id | was added"]);
});
