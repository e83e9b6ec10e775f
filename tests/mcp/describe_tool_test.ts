import { defineContract, request, response, route } from "@scope/api";
import { type McpObjectSchema, mcpTools } from "@scope/api/mcp";
import { assert, assertEquals } from "@std/assert";
import * as z from "zod";
import { tools } from "./fixture.ts";

function schemasOf(name: string): { readonly input: McpObjectSchema; readonly output: McpObjectSchema | undefined } {
  const tool = tools.list.find((each) => each.name === name);
  assert(tool);
  return { input: tool.inputSchema, output: tool.outputSchema };
}

const User = {
  type: "object",
  properties: { id: { type: "string" }, name: { type: "string" } },
  required: ["id", "name"],
} satisfies McpObjectSchema;

Deno.test("inputSchema has a property for each slot except headers", () => {
  assertEquals(schemasOf("users_rename").input, {
    type: "object",
    properties: {
      params: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
      body: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
    },
    required: ["params", "body"],
    additionalProperties: false,
  });
  assertEquals(schemasOf("users_me").input, { type: "object", properties: {}, additionalProperties: false });
});

Deno.test("inputSchema requires a query and a body only if the route does", () => {
  assertEquals(schemasOf("users_list").input.required, undefined);
  assertEquals(schemasOf("fail").input.required, ["query"]);
  assertEquals(schemasOf("either").input.required, undefined);
  assertEquals(schemasOf("users_create").input.required, ["body"]);
});

Deno.test("inputSchema contains the description of a body", () => {
  assertEquals(schemasOf("users_create").input.properties?.body, { description: "The new user.", ...User });
  assertEquals(schemasOf("either").input.properties?.body, { type: "string" });
});

Deno.test("inputSchema has exactly the parameters of the path, whatever the schema declares", () => {
  const responses = { 200: response.text() };
  const Number = z.coerce.number<string | number>().int().min(1);
  const routes = {
    none: route.get("/none/:a/:b", { responses }),
    more: route.get("/more/:a", { params: z.looseObject({ a: Number }), responses }),
    record: route.get("/record/:a/:b", { params: z.record(z.string(), z.string().max(3)), responses }),
    proto: route.get("/proto/:__proto__", { responses }),
  };
  const { list } = mcpTools(defineContract({ routes }), {
    fetch: () => new Response(),
    tools: { none: "1", more: "2", record: "3", proto: "4" },
  });
  const text = { type: "string" };
  const short = { type: "string", maxLength: 3 };
  const parameters = list.map(({ inputSchema }) => inputSchema.properties?.params as unknown as McpObjectSchema);
  assertEquals(parameters.slice(0, 3).map(({ properties }) => properties), [
    { a: text, b: text },
    { a: { type: "integer", minimum: 1, maximum: 9007199254740991 } },
    { a: short, b: short },
  ]);
  assertEquals(Object.entries(parameters[3]?.properties ?? {}), [["__proto__", text]]);
  assertEquals(parameters.map(({ required }) => required), [["a", "b"], ["a"], ["a", "b"], ["__proto__"]]);
});

Deno.test("outputSchema is the schema of the JSON body of a successful response", () => {
  assertEquals(schemasOf("users_me").output, { ...User, additionalProperties: false });
  assertEquals(schemasOf("users_create").output, { ...User, additionalProperties: false });
});

Deno.test("outputSchema is absent if a success may lack a JSON body", () => {
  for (const name of ["users_replace", "users_rename", "users_remove", "exists"]) {
    assertEquals(schemasOf(name).output, undefined, name);
  }
  const routes = {
    untyped: route.get("/untyped", { responses: { 200: response.json<{ id: string }>() } }),
    sometimes: route.get("/sometimes", { responses: { 200: response.json(z.object({})), 204: response.empty() } }),
    never: route.get("/never", { responses: { 303: response.empty() } }),
  };
  const { list } = mcpTools(defineContract({ routes }), {
    fetch: () => new Response(),
    tools: { untyped: "1", sometimes: "2", never: "3" },
  });
  assertEquals(list.map((tool) => "outputSchema" in tool), [false, false, false]);
});

Deno.test("outputSchema wraps a result that may not be an object", () => {
  assertEquals(schemasOf("users_list").output, {
    type: "object",
    properties: { result: { type: "array", items: { $ref: "#/$defs/User" } } },
    required: ["result"],
    $defs: { User: { ...User, additionalProperties: false } },
  });
});

Deno.test("outputSchema has an alternative for each successful response", () => {
  const job = {
    type: "object",
    properties: { job: { type: "string" } },
    required: ["job"],
    additionalProperties: false,
  };
  assertEquals(schemasOf("either").output, {
    type: "object",
    anyOf: [{ ...User, additionalProperties: false }, job],
  });
});

Deno.test("outputSchema of a union of objects is not wrapped, and of any other union is", () => {
  const One = z.object({ type: z.literal("one") });
  const Two = z.object({ type: z.literal("two") });
  const unions = {
    objects: z.discriminatedUnion("type", [One, Two]),
    both: z.intersection(One.loose(), z.looseObject({ more: z.string() })),
    nullable: One.nullable(),
    any: z.any(),
  };
  const shapes = Object.entries(unions).map(([name, union]) => {
    const contract = defineContract({ routes: { one: route.get("/", { responses: { 200: response.json(union) } }) } });
    const { list } = mcpTools(contract, { fetch: () => new Response(), tools: { one: "One." } });
    return [name, list[0]?.outputSchema?.type, "result" in (list[0]?.outputSchema?.properties ?? {})];
  });
  assertEquals(shapes, [
    ["objects", "object", false],
    ["both", "object", false],
    ["nullable", "object", true],
    ["any", "object", true],
  ]);
});

Deno.test("outputSchema is not wrapped for an object behind a reference or an intersection", () => {
  const object = { type: "object", properties: { a: { type: "string" } } };
  const cases: readonly [schema: Record<string, unknown>, isWrapped: boolean][] = [
    [{ allOf: [{ minProperties: 1 }, object] }, false],
    [{ allOf: [{ $ref: "#/$defs/Object" }], $defs: { Object: object } }, false],
    [{ oneOf: [object, { anyOf: [object] }] }, false],
    [{ oneOf: [object, {}] }, true],
    [{ anyOf: [] }, true],
    [{ allOf: [{ minProperties: 1 }] }, true],
    [{ type: ["object", "null"] }, true],
    [{ allOf: [{ $ref: "#/$defs/Loop" }], $defs: { Loop: { allOf: [{ $ref: "#/$defs/Loop" }] } } }, true],
  ];
  for (const [schema, isWrapped] of cases) {
    const contract = defineContract({ routes: { one: route.get("/", { responses: { 200: response.json() } }) } });
    const { list } = mcpTools(contract, {
      fetch: () => new Response(),
      tools: { one: "One." },
      schema: () => schema,
    });
    const output = list[0]?.outputSchema;
    assertEquals(
      [output?.type, output?.properties?.result !== undefined],
      ["object", isWrapped],
      JSON.stringify(schema),
    );
  }
});

Deno.test("a recursive schema is in the $defs of each tool that uses it", () => {
  const { input, output } = schemasOf("tree");
  const definition = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
    required: ["name", "children"],
  };
  assertEquals([input.properties?.body, input.$defs], [definition, { Tree: definition }]);
  const closed = { ...definition, additionalProperties: false };
  assertEquals(output, { ...closed, $defs: { Tree: closed } } as unknown as McpObjectSchema);
});

Deno.test("a reference into a definition, or to one that is not an object, stays a reference", () => {
  const $defs = { User: { type: "object", properties: { name: { type: "string" } } }, Any: true };
  const declared = route.post("/", { body: request.json(), responses: { 200: response.json() } });
  const bodies = ["#/$defs/User/properties/name", "#/$defs/Any", "#/$defs/User"].map(($ref) => {
    const { list } = mcpTools(defineContract({ routes: { one: declared } }), {
      fetch: () => new Response(),
      tools: { one: "One." },
      schema: (_, slot) => slot === "body" ? { $ref, $defs } : undefined,
    });
    const { properties, $defs: definitions = {} } = list[0]!.inputSchema;
    return [properties?.body, Object.keys(definitions)];
  });
  assertEquals(bodies, [
    [{ $ref: "#/$defs/User/properties/name" }, ["User"]],
    [{ $ref: "#/$defs/Any" }, ["Any"]],
    [$defs.User, []],
  ]);
});

Deno.test("an unused definition is omitted", () => {
  assertEquals("$defs" in schemasOf("users_me").output!, false);
  assertEquals("$defs" in schemasOf("users_create").input, false);
});

Deno.test("definitions with one name are kept separate, from two slots and from two libraries", () => {
  const schemas = {
    query: { type: "object", properties: { a: { $ref: "#/$defs/Part" } }, $defs: { Part: { type: "string" } } },
    body: {
      type: "object",
      properties: { a: { $ref: "#/definitions/Part" } },
      definitions: { Part: { type: "number" } },
    },
  };
  const declared = route.post("/", {
    query: z.object({}),
    body: request.json(z.object({})),
    responses: { 200: response.text() },
  });
  const { list } = mcpTools(defineContract({ routes: { one: declared } }), {
    fetch: () => new Response(),
    tools: { one: "One." },
    schema: (_, slot) => slot === "query" || slot === "body" ? schemas[slot] : undefined,
  });
  const { properties, $defs } = list[0]!.inputSchema;
  assertEquals([properties?.query?.properties, properties?.body?.properties, $defs], [
    { a: { $ref: "#/$defs/Part" } },
    { a: { $ref: "#/$defs/Part2" } },
    { Part: { type: "string" }, Part2: { type: "number" } },
  ]);
});

Deno.test("codecs are described by their wire schema", () => {
  const { input, output } = schemasOf("move");
  const { at } = input.properties?.body?.properties as Record<string, McpObjectSchema>;
  assertEquals([at?.type, at?.format], ["string", "date-time"]);
  assertEquals(output?.properties?.at?.format, "date-time");
});
