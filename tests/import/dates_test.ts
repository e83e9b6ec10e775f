/** Imports whose dates are `Date` objects. */
import { contractTests } from "@scope/api/testing";
import { createClient, unwrap } from "@scope/api/client";
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";
import { importContract, writeContract, type WriteContractOptions } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { assert, assertEquals, assertInstanceOf, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  components as randomComponents,
  documentOf as randomDocument,
  schemas as randomSchemas,
} from "./random_schemas.ts";
import { routesOf } from "../../src/contract/node.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

const root = new URL("../../", import.meta.url);
const dateTime = { type: "string", format: "date-time" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const schemas = {
  Moment: dateTime,
  Place: { type: "object", required: ["at"], properties: { at: reference("Moment"), name: { type: "string" } } },
  Tree: {
    type: "object",
    required: ["at", "children"],
    properties: { at: dateTime, place: reference("Place"), children: { type: "array", items: reference("Tree") } },
  },
  Order: {
    type: "object",
    required: ["at", "day", "log", "either"],
    properties: {
      at: reference("Moment"),
      day: { type: "string", format: "date" },
      shipped: { type: ["string", "null"], format: "date-time" },
      log: { type: "object", additionalProperties: dateTime },
      either: {
        oneOf: [
          { type: "object", required: ["at"], properties: { at: dateTime } },
          { type: "object", required: ["never"], properties: { never: { type: "boolean" } } },
        ],
      },
      short: { ...dateTime, maxLength: 25 },
      utc: { ...dateTime, pattern: "Z$" },
      tree: reference("Tree"),
    },
  },
  Loose: {
    allOf: [
      { type: "object", additionalProperties: true, required: ["at"], properties: { at: dateTime } },
      { anyOf: [{ type: "object", additionalProperties: true, properties: { b: {} } }, reference("Place")] },
    ],
  },
  Kept: {
    allOf: [
      { type: "object", additionalProperties: true, required: ["at"], properties: { at: dateTime } },
      {
        anyOf: [
          { type: "object", additionalProperties: true, required: ["b"], properties: { b: {} } },
          { type: "object", additionalProperties: true, properties: { c: {} } },
        ],
      },
    ],
  },
  Differing: {
    allOf: [
      { type: "object", required: ["at"], properties: { at: dateTime } },
      {
        anyOf: [
          { type: "object", required: ["at", "b"], properties: { at: { type: "string" }, b: {} } },
          { type: "object", required: ["c"], properties: { c: {} } },
        ],
      },
    ],
  },
  Mixed: {
    type: "object",
    required: ["at"],
    properties: { at: dateTime },
    additionalProperties: { type: "string" },
  },
  Joined: {
    allOf: [
      { type: "object", required: ["at"], properties: { at: dateTime } },
      {
        anyOf: [
          { type: "object", required: ["from"], properties: { from: dateTime } },
          { type: "object", required: ["until"], properties: { until: dateTime } },
        ],
      },
    ],
  },
};

const ok = (schema: object) => ({ responses: { 200: { description: "", ...json(schema) } } });

/** Operations with dates in all slots. */
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1.0.0" },
  paths: {
    "/orders": {
      post: {
        tags: ["orders"],
        operationId: "create",
        parameters: [{ name: "since", in: "query", schema: reference("Moment") }],
        requestBody: { required: true, ...json(reference("Order")) },
        responses: {
          200: {
            description: "",
            headers: { "X-At": { required: true, schema: reference("Moment") } },
            ...json(reference("Order")),
          },
          400: { $ref: "#/components/responses/Bad" },
        },
      },
      get: { tags: ["orders"], operationId: "list", ...ok({ type: "array", items: reference("Order") }) },
      put: {
        tags: ["orders"],
        operationId: "form",
        requestBody: {
          required: true,
          content: { "application/x-www-form-urlencoded": { schema: reference("Place") } },
        },
        responses: {
          200: { description: "", ...json(reference("Place")) },
          400: { $ref: "#/components/responses/Bad" },
        },
      },
    },
    "/tree": { get: { tags: ["orders"], operationId: "tree", ...ok(reference("Tree")) } },
    "/loose": { get: { tags: ["orders"], operationId: "loose", ...ok(reference("Loose")) } },
    "/kept": { get: { tags: ["orders"], operationId: "kept", ...ok(reference("Kept")) } },
    "/differing": { get: { tags: ["orders"], operationId: "differing", ...ok(reference("Differing")) } },
    "/mixed": { get: { tags: ["orders"], operationId: "mixed", ...ok(reference("Mixed")) } },
    "/joined": { get: { tags: ["orders"], operationId: "joined", ...ok(reference("Joined")) } },
    "/date": { get: { tags: ["orders"], operationId: "date", ...ok({ type: "string", format: "date" }) } },
    "/items": {
      get: {
        tags: ["orders"],
        operationId: "items",
        responses: { 200: { description: "", content: { "application/x-ndjson": { schema: reference("Place") } } } },
      },
    },
    "/plain": { get: { tags: ["orders"], operationId: "plain", ...ok({ type: "string" }) } },
  },
  components: {
    schemas,
    responses: {
      Bad: { description: "Bad", ...json({ type: "object", required: ["at"], properties: { at: dateTime } }) },
    },
  },
};

/** A part of the client of the document. */
interface Client {
  readonly orders: Readonly<Record<"tree" | "loose" | "kept" | "differing" | "joined", () => Promise<Result>>>;
}

interface Result {
  readonly status: 200;
  readonly headers: object;
  readonly body: { readonly at: unknown; readonly children: readonly { readonly at: unknown }[] };
}

/** Writes the modules of a document, and returns the URL of its contract. */
async function write(folder: string, from: object, options: WriteContractOptions = { dates: true }): Promise<string> {
  for (const { path, text } of writeContract(from, options).files) {
    const file = `${folder}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  return `file://${folder}/contract.ts`;
}

function textOf(path: string, options: WriteContractOptions = { dates: true }): string {
  return writeContract(document, options).files.find((file) => file.path === path)!.text;
}

Deno.test("writeContract() converts the dates of bodies with dates: true, and writes what parameters share with them twice", () => {
  const routes = textOf("orders.ts");
  assertStringIncludes(routes, 'import { date, dated } from "./dates.ts";');
  assertStringIncludes(routes, "query: z.object({ since: MomentText.optional() })");
  assertStringIncludes(routes, "body: request.json(dated(Order))");
  assertStringIncludes(routes, "body: request.form(z.object({ at: MomentText, name: z.string().optional() }))");
  assertStringIncludes(routes, "200: response.ndjson(dated(Place))");
  assertStringIncludes(routes, "200: response.json(dated(date))");
  assertStringIncludes(routes, "200: response.json(z.string())");
  assertStringIncludes(textOf("responses.ts"), "response.json(dated(z.object({ at: dateTime })))");
  assertStringIncludes( // declarations need it
    textOf("dates.ts"),
    "): Codec<Schema<z.input<Declared>>, Schema<z.output<Declared>>> {",
  );
  const written = textOf("schemas/orders.ts");
  assertStringIncludes(written, 'import { date, dateTime } from "../dates.ts";');
  assertStringIncludes(written, "export const Moment = dateTime;");
  assertStringIncludes(written, "export const MomentText = z.iso.datetime({ offset: true });");
  assertStringIncludes(written, "type TreeJson = {");
  assertStringIncludes(written, "short: z.iso.datetime({ offset: true }).max(25).optional()");
});

Deno.test("an import without dates keeps text, and one with dates writes nothing more if there are none", () => {
  const files = (from: object, options: WriteContractOptions) => writeContract(from, options).files;
  for (const { text } of files(document, {})) assertEquals(/\bdated\(|dateTime|Json\b/.test(text), false, text);
  const plain = {
    ...document,
    paths: { "/updated": { get: { ...ok({ type: "string" }), operationId: "updated", description: "See dated()." } } },
  };
  assertEquals(files(plain, { dates: true }), files(plain, {}));
});

Deno.test("writeContract() refuses dates for schemas that convert in one direction", () => {
  for (const name of ["valibot", "arktype", "none"] as const) {
    assertThrows(
      () => writeContract(document, { schemas: name, dates: true }),
      TypeError,
      `writeContract(): "dates" requires "schemas" to be zod, because only Zod's schemas convert in both directions; got "${name}"`,
    );
    assertEquals(
      writeContract(document, { schemas: name, dates: false }),
      writeContract(document, { schemas: name }),
    );
  }
  assertThrows(
    () => writeContract(document, { dates: "yes" as never }),
    TypeError,
    'writeContract(): "dates" must be a boolean, got "yes"',
  );
});

Deno.test("a contract with dates is described as in the document, except for what the report names", () =>
  inTemporaryFolder(async (folder) => {
    const { contract } = await import(await write(folder, document));
    const [without, unchecked] = [false, true].map((dates) => writeContract(document, { dates }).report.unchecked);
    const more = {
      place: "#/components/schemas/Mixed",
      message: "additionalProperties of another type than properties",
    };
    assertEquals(
      unchecked!.filter((each) => !without!.some((other) => other.place === each.place)),
      [more],
    );
    const info = { title: "Imported", version: "1.0.0" };
    const written = openApiDocument(contract, { info, refusals: false }) as AnyOpenApiDocument;
    const original = document as unknown as AnyOpenApiDocument;
    const direct = openApiDocument(importContract(document).contract, { info, refusals: false });
    for (const other of [original, direct]) {
      const changes = [
        ...diffContracts(other, written, { samples: 20 }),
        ...diffContracts(written, other, { samples: 20 }),
      ];
      assertEquals(
        changes.filter(({ verdict }) => verdict === "breaking").filter(({ route }) => route !== "mixed"),
        [],
      );
    }
  }));

Deno.test("a mock of a contract with dates passes its contract tests, and its clients receive Date objects", () =>
  inTemporaryFolder(async (folder) => {
    const { contract } = await import(await write(folder, document));
    const mock = mockContract(contract);
    for (const { name, run } of contractTests(contract, { target: mock, runs: 5, warn: () => {} })) {
      await run().catch((error) => Promise.reject(new Error(`${name}: ${error.message}`, { cause: error })));
    }
    const client = createClient(contract, { baseUrl: "http://localhost", fetch: mock }) as never as Client;
    const { at, children } = unwrap(await client.orders.tree());
    assertInstanceOf(at, Date);
    for (const child of children) assertInstanceOf(child.at, Date);
    for (const name of ["loose", "kept", "differing"] as const) {
      assertEquals(typeof unwrap(await client.orders[name]()).at, "string", name);
    }
    assertInstanceOf(unwrap(await client.orders.joined()).at, Date);
  }));

/** A program that serves and calls the contract. */
const program = `
import { createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contract } from "./contract.ts";
import type { Order, Tree } from "./schemas/orders.ts";

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends (<T>() => T extends Other ? 1 : 2) ? true : never;
const isSame = <One, Other>(_same: Same<One, Other>) => {};

const at = new Date("2026-01-31T10:20:30.456Z");
const day = new Date("2026-01-31");
const implementation = defineServer(contract).implement({
  orders: {
    create: ({ body, query, response }) => {
      isSame<typeof body, Order>(true);
      isSame<typeof body.at, Date>(true);
      isSame<typeof body.day, Date>(true);
      isSame<typeof body.shipped, Date | null | undefined>(true);
      isSame<typeof body.log, Record<string, Date>>(true);
      isSame<typeof body.short, string | undefined>(true);
      isSame<typeof body.utc, string | undefined>(true);
      isSame<typeof query.since, string | undefined>(true);
      isSame<Tree, { at: Date; place?: { at: Date; name?: string | undefined } | undefined; children: Tree[] }>(true);
      if (body.log.bad) return response(400, { at });
      return response(200, body, { "x-at": at.toISOString() });
    },
    list: ({ response }) => response(200, []),
    form: ({ body, response }) => response(200, { at: new Date(body.at) }),
    tree: ({ response }) => response(200, { at, children: [{ at, children: [], place: { at } }] }),
    loose: ({ response }) => response(200, { at: at.toISOString() }),
    kept: ({ response }) => response(200, { at: at.toISOString(), b: 1 }),
    differing: ({ response }) => response(200, { at: at.toISOString(), c: 1 }),
    mixed: ({ response }) => response(200, { at, note: "a" }),
    joined: ({ response }) => response(200, { at, from: at }),
    date: ({ response }) => response(200, at), // not midnight
    items: ({ response }) => response(200, [{ at }]),
    plain: ({ response }) => response(200, "a"),
  },
});
// @ts-expect-error: a date is not text
export const misuse = () => defineServer(contract).implement(contract.routes.orders.tree, ({ response }) => response(200, { at: "", children: [] }));

const handler = createFetchHandler(implementation, { onError: () => {} });
let sent = "";
const fetch = async (request: Request) => {
  sent = await request.clone().text();
  return await handler(request);
};
const { orders } = createClient(contract, { baseUrl: "http://localhost", fetch });
const order = { at, day, shipped: null, log: { a: at }, either: { at }, tree: { at, children: [{ at, children: [] }] } };
const created = await orders.create({ body: order });
const wire = sent;
if (created.status !== 200) throw new Error(String(created.status));
isSame<typeof created.body, Order>(true);
const refused = await orders.create({ body: { ...order, log: { bad: at } } });
if (refused.status !== 400) throw new Error(String(refused.status));
isSame<typeof refused.body, { at: Date }>(true);
const items: Date[] = [];
for await (const item of unwrap(await orders.items())) items.push(item.at);
const codes: string[] = [];
for (const bad of [{ ...order, day: at }, { ...order, at: new Date(NaN) }, { ...order, at: new Date(8e15) }]) {
  codes.push(await orders.create({ body: bad }).then(() => "sent", ({ code }) => code));
}
const post = (at: string) =>
  handler(new Request("http://localhost/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...JSON.parse(wire), at }),
  }));
const withOffset = await post("2026-01-31T11:20:30.456789+01:00");
const invalid = await post("2026-02-30T00:00:00Z");
console.log(JSON.stringify({
  wire: JSON.parse(wire),
  isEqual: created.body.at.getTime() === at.getTime() && created.body.tree?.children[0]?.at.getTime() === at.getTime(),
  at: refused.body.at.getTime() === at.getTime(),
  items: items.map((item) => item.getTime() - at.getTime()),
  codes,
  form: unwrap(await orders.form({ body: { at: at.toISOString() } })).at.getTime() - at.getTime(),
  joined: unwrap(await orders.joined()).at.getTime() - at.getTime(),
  tree: await (await handler(new Request("http://localhost/tree"))).json(),
  notMidnight: (await handler(new Request("http://localhost/date"))).status,
  withOffset: (await withOffset.json()).at,
  invalid: [invalid.status, (await invalid.json()).issues.map(({ pointer }: { pointer: string }) => pointer)],
}));
`;

Deno.test("servers and clients of a contract with dates pass Date objects", () =>
  inTemporaryFolder(async (folder) => {
    await write(folder, document);
    await Deno.writeTextFile(`${folder}/program.ts`, program);
    const args = ["run", "--quiet", "--no-check", "-A", `--config=${new URL("deno.json", root).pathname}`];
    const ran = await new Deno.Command(Deno.execPath(), { args: [...args, `${folder}/program.ts`] }).output();
    const [stdout, stderr] = [ran.stdout, ran.stderr].map((bytes) => new TextDecoder().decode(bytes));
    assertEquals([ran.code, stderr], [0, ""]);
    const text = "2026-01-31T10:20:30.456Z";
    assertEquals(JSON.parse(stdout!), {
      wire: {
        at: text,
        day: "2026-01-31",
        shipped: null,
        log: { a: text },
        either: { at: text },
        tree: { at: text, children: [{ at: text, children: [] }] },
      },
      isEqual: true,
      at: true,
      items: [0],
      codes: ["invalid-input", "invalid-input", "invalid-input"],
      form: 0,
      joined: 0,
      tree: { at: text, children: [{ at: text, children: [], place: { at: text } }] },
      notMidnight: 500,
      withOffset: text,
      invalid: [400, ["/at"]],
    });
  }));

/** A schema in which texts are dates, without their other rules, which may contradict that. */
function withFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withFormats);
  if (typeof schema !== "object" || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, withFormats(each)]));
  const { type, minLength } = parts;
  const isText = [type].flat().includes("string") && !("enum" in parts || "const" in parts);
  return isText ? { type, format: minLength === undefined ? "date-time" : "date" } : parts;
}

Deno.test("modules with dates have exact types, and convert what a mock makes up, whatever the schemas are", () =>
  inTemporaryFolder(async (folder) => {
    const drawn = [
      ...Object.keys(randomComponents).map(reference),
      ...fc.sample(randomSchemas, { numRuns: 150, seed: 12 }),
    ];
    const operations = drawn.map((schema) => ok(schema as object)).filter((operation) => {
      try {
        return mockContract(importContract(toDated([operation])).contract);
      } catch {
        return false; // no value matches
      }
    });
    const url = await write(`${folder}/random`, toDated(operations));
    await write(folder, document);
    await Deno.writeTextFile(`${folder}/program.ts`, program);
    const config = new URL("deno.json", root).pathname;
    const args = ["check", "--quiet", `--config=${config}`, url, `${folder}/program.ts`];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
    assert(success, new TextDecoder().decode(stderr));
    const { contract } = await import(url);
    const errors: unknown[] = [];
    for (let seed = 0; seed < 5; seed++) {
      const mock = mockContract(contract, { seed, onError: ({ error }) => void errors.push(error) });
      for (const { method, path } of routesOf(contract.routes)) {
        await (await mock(new Request(`http://localhost${path}`, { method }))).text();
      }
    }
    assertEquals(errors, []);
  }));

/** A document of operations in whose schemas texts are dates. */
function toDated(operations: readonly object[]): object {
  return withFormats(randomDocument(operations)) as object;
}
