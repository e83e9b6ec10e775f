import { type Contract, defineContract, request, response, route } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { importContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { type JsonSchemaObject, openApiDocument } from "@scope/api/openapi";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import * as z from "zod";
import { assertValid } from "../support/validate_document.ts";

/** How one schema refers to another one. */
type Kind = "optional" | "nullable" | "list" | "map" | "union" | "inner";

interface Edge {
  readonly kind: Kind;
  readonly to: number;
  readonly other: number;
}

/** Returns the references of each schema to others, which form many cycles. They are the same each time. */
function createEdges(count: number, references = 5): readonly (readonly Edge[])[] {
  let state = 1;
  const next = (limit: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor(state / 2 ** 32 * limit);
  };
  const kinds: readonly Kind[] = ["optional", "nullable", "list", "map", "union", "inner"];
  return Array.from(
    { length: count },
    () => Array.from({ length: references }, () => ({ kind: kinds[next(6)]!, to: next(count), other: next(count) })),
  );
}

/** Converts counts, if it counts conversions: a schema that each conversion of a library meets. */
interface Counter {
  count: number;
}

function createZod(graph: ReturnType<typeof createEdges>, isNamed: boolean, counter: Counter): z.ZodType[] {
  const nodes: z.ZodObject[] = [];
  const refer = ({ kind, to, other }: Edge): z.ZodType => {
    const target = nodes[to]!;
    switch (kind) {
      case "nullable":
        return target.nullable();
      case "list":
        return z.array(target);
      case "map":
        return z.record(z.string(), target);
      case "union":
        return z.union([z.string(), target, nodes[other]!]);
      case "inner":
        return z.object({ data: z.array(target), more: z.boolean() }).optional();
      default:
        return target.optional();
    }
  };
  for (const [index, edges] of graph.entries()) {
    const id = z.string().max(5000);
    const convert = id._zod.processJSONSchema;
    id._zod.processJSONSchema = (...parts) => {
      counter.count++;
      convert?.(...parts);
    };
    const shape: Record<string, z.ZodType> = { object: z.literal(`s${index}`), id };
    edges.forEach((edge, place) =>
      Object.defineProperty(shape, `f${place}`, { enumerable: true, get: () => refer(edge) })
    );
    const node = z.object(shape);
    nodes.push(isNamed ? node.meta({ id: `S${index}` }) : node);
  }
  return nodes;
}

function createValibot(graph: ReturnType<typeof createEdges>): v.GenericSchema[] {
  const nodes: v.GenericSchema[] = [];
  const lazies = graph.map((_, index) => v.lazy(() => nodes[index]!));
  const refer = ({ kind, to, other }: Edge): v.GenericSchema => {
    const target = lazies[to]!;
    switch (kind) {
      case "nullable":
        return v.nullable(target);
      case "list":
        return v.array(target);
      case "map":
        return v.record(v.string(), target);
      case "union":
        return v.union([v.string(), target, lazies[other]!]);
      case "inner":
        return v.optional(v.object({ data: v.array(target), more: v.boolean() }));
      default:
        return v.optional(target);
    }
  };
  for (const [index, edges] of graph.entries()) {
    const members = edges.map((edge, place) => [`f${place}`, refer(edge)] as const);
    nodes.push(v.object({ object: v.literal(`s${index}`), ...Object.fromEntries(members) }));
  }
  return nodes;
}

/** Two routes for each schema, which refer to it and to another one. */
function createContract(schemas: readonly unknown[]): Contract {
  const routes = schemas.flatMap((schema, index) => [
    [`get${index}`, route.get(`/${index}`, { responses: { 200: response.json(schema as z.ZodType) } })] as const,
    [
      `post${index}`,
      route.post(`/${index}`, {
        body: request.json(schema as never),
        responses: { 200: response.json(schemas[(7 * index) % schemas.length] as z.ZodType) },
      }),
    ] as const,
  ]);
  return defineContract({ routes: Object.fromEntries(routes) as never }) as never;
}

/** An OpenAPI document whose schemas refer to each other. */
function createDocument(graph: ReturnType<typeof createEdges>, routes: number): object {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
  const refer = ({ kind, to, other }: Edge): object => {
    if (kind === "nullable") return { anyOf: [ref(to), { type: "null" }] };
    if (kind === "list") return { type: "array", items: ref(to) };
    if (kind === "map") return { type: "object", additionalProperties: ref(to) };
    if (kind === "union") return { anyOf: [{ type: "string" }, ref(to), ref(other)] };
    return kind === "inner" ? { type: "object", properties: { data: { type: "array", items: ref(to) } } } : ref(to);
  };
  const schemas = graph.map((edges, index) => {
    const members = edges.map((edge, place) => [`f${place}`, refer(edge)] as const);
    const properties = { object: { type: "string", enum: [`s${index}`] }, ...Object.fromEntries(members) };
    return [`S${index}`, { type: "object", properties, required: ["object"] }] as const;
  });
  const content = (index: number) => ({ "application/json": { schema: ref(index % graph.length) } });
  const operations = Array.from({ length: routes }, (_, index) => {
    const responses = { 200: { description: "", content: content(index * 3) } };
    const body = {
      requestBody: { content: content(index) },
      responses: { 200: { description: "", content: content(0) } },
    };
    return [`/r${index}`, {
      get: { operationId: `get${index}`, tags: ["t"], responses },
      post: { operationId: `post${index}`, tags: ["t"], ...body },
    }] as const;
  });
  return {
    openapi: "3.1.0",
    info: { title: "Graph", version: "1" },
    paths: Object.fromEntries(operations),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

const info = { title: "Graph", version: "1" };

/** The seconds of processor time that a computation takes, which a busy machine does not prolong. */
function timeOf(run: () => unknown): number {
  const spent = () => {
    const { user, system } = cpuUsage();
    return (user + system) / 1e6;
  };
  const start = spent();
  run();
  return spent() - start;
}

const { cpuUsage } = await import("node:process");

Deno.test("openApiDocument() converts each Zod schema once for each direction, however many routes lead to it", async () => {
  for (const [isNamed, count] of [[false, 160], [true, 160], [false, 320]] as const) {
    const counter = { count: 0 };
    const contract = createContract(createZod(createEdges(count, 3), isNamed, counter));
    const document = openApiDocument(contract, { info });

    assertLessOrEqual(counter.count, 2 * count + 20); // small ones outside of cycles are parts of those that contain them
    assertEquals(Object.keys(document.paths).length, count);
    const text = JSON.stringify(document);
    assertLessOrEqual(text.length, 6_500 * count);
    const names = new Set(Object.keys(document.components?.schemas ?? {}));
    const targets = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) => name);
    assertEquals(targets.filter((name) => !names.has(name)), []);
    if (isNamed) assert(names.has("S1") && !names.has("S1Output"), [...names].slice(0, 20).join());
    if (count === 160) await assertValid(document);
  }
});

Deno.test("the definitions of a Zod schema in a document accept what Zod accepts alone", () => {
  const Base = z.object({ id: z.string() }).meta({ id: "Base", description: "A base." });
  const Tree = z.object({
    value: Base.describe("The value."),
    get children() {
      return z.array(Tree);
    },
    get mirror(): z.ZodOptional<z.ZodNullable<typeof Leaf>> {
      return Leaf.nullable().optional();
    },
  }).meta({ id: "Tree" });
  const Leaf = z.object({
    get tree() {
      return Tree.optional();
    },
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.int().default(1) })),
  });
  const document = openApiDocument(
    defineContract({
      routes: {
        put: route.put("/", {
          body: request.json(Tree as never),
          responses: { 200: response.json(Leaf as z.ZodType) },
        }),
      },
    }),
    { info, refusals: false },
  );
  const { schemas = {} } = document.components ?? {};

  assertEquals(document.paths["/"]?.put?.requestBody?.content["application/json"]?.schema, {
    $ref: "#/components/schemas/Tree",
  });
  assertEquals(schemas["Tree"], {
    type: "object",
    properties: {
      value: { $ref: "#/components/schemas/Base", description: "The value." },
      children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
      mirror: { anyOf: [{ $ref: "#/components/schemas/Tree2" }, { type: "null" }] },
    },
    required: ["value", "children"],
  });
  assertEquals((schemas["Tree2"] as JsonSchemaObject).properties, {
    tree: { $ref: "#/components/schemas/Tree" },
    both: {
      type: "object",
      properties: {
        a: { type: "string" },
        b: { default: 1, type: "integer" },
      },
      required: ["a"],
    },
  });
  assertEquals(schemas["Base"], {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
    description: "A base.",
  });
});

Deno.test("a Zod schema that contains the same objects again and again is not written out exponentially", () => {
  let schema: z.ZodType = z.object({ end: z.string() });
  for (let level = 0; level < 40; level++) schema = z.object({ left: schema, right: schema });
  const contract = defineContract({
    routes: { one: route.get("/one", { responses: { 200: response.json(schema) } }) },
  });

  assertLessOrEqual(JSON.stringify(openApiDocument(contract, { info })).length, 500_000);
});

Deno.test("schemas of Valibot that refer to each other are documented once", () => {
  const schemas = createValibot(createEdges(150)).map((schema) => toStandardJsonSchema(schema as never));
  const document = openApiDocument(createContract(schemas), { info });

  assertLessOrEqual(Object.keys(document.components?.schemas ?? {}).length, 2 * 150 + 2 * 150 + 1);
  assertLessOrEqual(JSON.stringify(document).length, 6_000 * 150);
});

Deno.test("a contract of a thousand schemas that refer to each other is documented, mocked, tested and compared in seconds", async () => {
  const work = async (count: number): Promise<number> => {
    const { contract } = importContract(createDocument(createEdges(count), 300));
    let handler: ReturnType<typeof mockContract> | undefined;
    let size = 0;
    const taken = timeOf(() => {
      size = JSON.stringify(openApiDocument(contract, { info })).length;
      handler = mockContract(contract);
      contractTests(contract, { target: () => new Response() });
      assertEquals(diffContracts(contract, contract), []);
    });
    assertLessOrEqual(size, 1_500 * count + 600_000);
    for (const index of [0, 1, 2]) {
      assertEquals((await handler!(new Request(`http://localhost/r${index}`))).status, 200);
    }
    return taken;
  };
  await work(100); // warms up
  assertLessOrEqual(await work(1_000), 8); // 1 s on a fast machine; each took minutes when schemas were converted for each use
});

Deno.test("a contract of deep unions is mocked in seconds", async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const objects = Array.from({ length: 600 }, (_, index) => {
    const properties = {
      name: { type: "string" },
      next: ref(`U${index % 60}`),
      more: { anyOf: [{ type: "number" }, { type: "null" }, ref(`U${(7 * index) % 60}`)] },
    };
    return [`O${index}`, { type: "object", properties }] as const;
  });
  const unions = Array.from({ length: 60 }, (_, index) => {
    const members = Array.from({ length: 8 }, (_, place) => ref(`O${(index * 8 + place * 71) % 600}`));
    const below = index > 0 ? [ref(`U${index - 1}`), ref(`U${Math.floor(index / 2)}`)] : [];
    return [`U${index}`, { [index % 2 === 0 ? "anyOf" : "oneOf"]: [...members, ...below] }] as const;
  });
  const paths = Object.fromEntries([10, 59].map((index) => {
    const content = { "application/json": { schema: ref(`U${index}`) } };
    return [`/u${index}`, { get: { operationId: `u${index}`, responses: { 200: { description: "", content } } } }];
  }));
  const schemas = Object.fromEntries([...objects, ...unions]);
  const { contract } = importContract({ openapi: "3.1.0", info, paths, components: { schemas } });
  const mock = mockContract(contract);
  const start = cpuUsage();
  assertEquals((await mock(new Request("http://localhost/u10"))).status, 200);
  assertEquals((await mock(new Request("http://localhost/u59"))).status, 200);
  const { user, system } = cpuUsage(start);

  assertLessOrEqual((user + system) / 1e6, 10);
});
