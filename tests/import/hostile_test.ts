/** Documents that attack whoever imports them. */
import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { importContract, readOpenApi, writeContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import fc from "fast-check";
import { syntaxErrors } from "../support/syntax_errors.ts";
import { tries } from "../support/tries.ts";
import ts from "typescript";
import { processorTime } from "../support/processor_time.ts";

fc.configureGlobal({ baseSize: "xsmall" }); // of many small documents rather than few large ones

/** Texts that would leave a literal, a comment, a regular expression or a template. */
const attacks = [
  "*/ pwned() /*",
  '"; pwned(); "',
  "'; pwned(); '",
  "`${pwned()}`",
  '\\"; pwned(); //',
  "a\n pwned()",
  "a\u2028pwned()",
  "a\r\n*/ pwned()",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "class",
  "default",
  "then",
  "../../pwned",
  "C:\\pwned",
  "</script><script>pwned()</script>",
  "{pwned()}",
  ":pwned",
  "\ud800",
  "a\u0000b",
  "",
  " ",
  "1",
  "é列🙂",
];

const attack = fc.oneof(fc.constantFrom(...attacks), fc.string(), fc.string({ unit: "binary" }));

const schema: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(true, false, null, 1, [], {}),
    fc.record({
      type: fc.oneof(fc.constantFrom("string", "integer", "object", "array", ["string", "null"]), attack),
      format: attack,
      pattern: attack,
      description: attack,
      default: fc.jsonValue(),
    }, { requiredKeys: [] }),
    fc.record({ enum: fc.array(fc.oneof(attack, fc.double(), fc.boolean(), fc.jsonValue())) }),
    fc.record({ const: fc.jsonValue() }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(attack, tie("schema")),
      required: fc.array(attack),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }, { requiredKeys: ["type", "properties"] }),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ oneOf: fc.array(tie("schema")), discriminator: fc.record({ propertyName: attack }) }, {
      requiredKeys: ["oneOf"],
    }),
    fc.record({ allOf: fc.array(tie("schema")) }),
    fc.record({
      $ref: fc.oneof(fc.constantFrom("#/components/schemas/Self", "#/components/schemas/", "#", "#/", "other"), attack),
    }),
  ),
})).schema;

const parameter = fc.record({
  in: fc.constantFrom("path", "query", "header", "cookie", "other"),
  name: attack,
  required: fc.boolean(),
  description: attack,
  style: fc.constantFrom("form", "deepObject", "pipeDelimited", "spaceDelimited", "simple", "no"),
  schema,
}, { requiredKeys: ["in", "name"] });

const content = fc.dictionary(
  fc.oneof(fc.constantFrom("application/json", "multipart/form-data", "text/event-stream", "*/*", "image/*"), attack),
  fc.record({ schema }),
  { minKeys: 1, maxKeys: 2 },
);

const operation = fc.record({
  operationId: attack,
  tags: fc.array(attack),
  summary: attack,
  description: attack,
  parameters: fc.array(parameter, { maxLength: 3 }),
  requestBody: fc.record({ content }),
  responses: fc.dictionary(
    fc.oneof(fc.constantFrom("200", "404", "4XX", "default", "204"), attack),
    fc.record({ description: attack, content }),
    { minKeys: 1 },
  ),
  security: fc.array(fc.dictionary(attack, fc.array(attack))),
}, { requiredKeys: [] });

const document = fc.record({
  openapi: fc.constant("3.1.0"),
  info: fc.record({ title: attack, version: attack, description: attack }),
  servers: fc.array(fc.record({ url: attack }), { maxLength: 1 }),
  paths: fc.dictionary(
    fc.oneof(
      fc.constantFrom("/", "/a", "/a/", "/a//", "/a/{id}", "/a/{name}", "/a/{id}/", "/a/{id}.{ext}"),
      attack.map((text) => `/${text}`),
    ),
    fc.dictionary(fc.constantFrom("get", "post", "delete", "head"), operation, { minKeys: 1 }),
    { minKeys: 1, maxKeys: 3 },
  ),
  components: fc.record({
    schemas: fc.record({ Self: schema }),
    securitySchemes: fc.dictionary(
      attack,
      fc.record({
        type: fc.constantFrom("http", "apiKey", "oauth2", "no"),
        scheme: attack,
        in: attack,
        name: attack,
        description: attack,
      }),
    ),
  }),
});
fc.resetConfigureGlobal(); // which holds for all files of a realm

/** Whether a program calls `pwned`. A binding may be named so. */
function callsPwned(source: ts.SourceFile): boolean {
  let isCalled = false;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "pwned") {
      isCalled = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return isCalled;
}

// proves import | Nothing of a document reaches the code unescaped
Deno.test("nothing of a hostile document reaches the code", async (test) => {
  for (const schemas of ["zod", "valibot", "arktype", "none"] as const) {
    await test.step(schemas, () => {
      fc.assert(
        fc.property(document, (hostile) => {
          let files;
          try {
            ({ files } = writeContract(hostile, { schemas }));
          } catch (error) {
            assert(error instanceof TypeError, String(error)); // nothing in it can be declared
            return;
          }
          for (const { path, text } of files) {
            assert(/^(?:schemas\/)?[a-z\d_]+(?:\.types)?\.ts$/.test(path), path);
            const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
            assertEquals(syntaxErrors(source), []);
            assert(!callsPwned(source), text);
          }
        }),
        tries(300),
      );
    });
  }
});

// proves import | A document that is deep, long or refers to itself does not hang or crash an import
Deno.test("a document that is nested deeply, or refers to itself, is imported or refused in time", () => {
  let deep: object = { type: "string" };
  for (let level = 0; level < 3_000; level++) deep = { type: "array", items: deep };
  const chain = Object.fromEntries(
    Array.from(
      { length: 3_000 },
      (_, index) => [`S${index}`, { allOf: [{ $ref: `#/components/schemas/S${index + 1}` }] }],
    ),
  );
  const wide = {
    oneOf: Array.from({ length: 2_000 }, (_, index) => ({ type: "object", properties: { [`p${index}`]: {} } })),
  };
  for (
    const [schema, schemas] of [
      [deep, {}],
      [{ $ref: "#/components/schemas/S0" }, chain],
      [{ $ref: "#/components/schemas/A" }, {
        A: { $ref: "#/components/schemas/B" },
        B: { $ref: "#/components/schemas/A" },
      }],
      [{ $ref: "#/components/schemas/A" }, {
        A: { allOf: [{ $ref: "#/components/schemas/A" }, { type: "object", properties: { a: {} } }] },
      }],
      [wide, {}],
    ] as const
  ) {
    const started = processorTime();
    const get = {
      operationId: "get",
      responses: { 200: { description: "", content: { "application/json": { schema } } } },
    };
    try {
      writeContract({
        openapi: "3.1.0",
        info: { title: "", version: "" },
        paths: { "/a": { get } },
        components: { schemas },
      });
    } catch (error) {
      assert(error instanceof TypeError, String(error));
    }
    assert(processorTime() - started < 5_000);
  }
});

Deno.test("a document that overflows the stack is refused with a sentence", async () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const own = { type: "object", properties: { a: {} } };
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`S${index}`, { allOf: [ref(`S${index + 1}`), own] }]),
  );
  let deep: object = { type: "string" };
  for (let level = 0; level < 100_000; level++) deep = { type: "array", items: deep };
  const chained = documentOf(ref("S0"), { ...chain, S20000: own });
  const refused = (run: () => unknown): void => {
    const { message } = assertThrows(run, TypeError);
    assertMatch(message, /^Cannot import: (?:the document is nested too deeply|its schemas repeat others too often)/);
  };
  for (const schemas of ["zod", "valibot", "arktype", "none"] as const) {
    refused(() => writeContract(chained, { schemas }));
    const { message } = assertThrows(
      () => writeContract({ swagger: "2.0", definitions: { deep } }, { schemas }),
      TypeError,
    );
    assertMatch(
      message,
      /^writeContract\(\).*; #\/definitions\/deep(?:\/items){14}: it is nested more than 1,100 levels/,
    );
  }
  refused(() => importContract(chained));
  const error = await assertRejects(
    () => readOpenApi("file:///a.json", () => Promise.resolve(documentOf(deep))),
    TypeError,
  );
  assertEquals(error.message, "Cannot import: the document is nested too deeply");
});

Deno.test("many names, patterns and slashes take no time out of proportion", () => {
  const get = { operationId: "get", tags: ["it"], responses: { 204: { description: "" } } };
  const same = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`/p${index}`, { get }]));
  const documents = [
    { ...documentOf({}), paths: same },
    documentOf({ type: "string", pattern: `(${"\\p{".repeat(50_000)}` }),
    documentOf({ allOf: Array.from({ length: 5_000 }, (_, index) => ({ type: "string", pattern: `a${index}` })) }),
    { ...documentOf({}), servers: [{ url: `http://localhost${"/".repeat(50_000)}x` }] },
  ];
  for (const [index, each] of documents.entries()) {
    const started = processorTime();
    writeContract(each);
    assert(processorTime() - started < 5_000, `document ${index}`);
  }
});

Deno.test("a text that takes too long to check is refused by an import, and not a failure", async () => {
  const name = {
    name: "name",
    in: "path",
    required: true,
    schema: { type: "string", pattern: String.raw`(?!^\d+$)^.+$` },
  };
  const { contract } = importContract({
    openapi: "3.1.0",
    info: { title: "Names", version: "1" },
    paths: { "/names/{name}": { get: { parameters: [name], responses: { 204: { description: "" } } } } },
  });
  const mock = mockContract(contract);
  const ask = async (text: string): Promise<number> =>
    (await mock(new Request(`http://localhost/names/${text}`))).status;
  assertEquals([await ask("ada"), await ask("1"), await ask("a".repeat(1_000))], [204, 400, 400]);
});

/** A document with one operation, whose query or response has a schema. */
function documentOf(schema: object, schemas: object = {}, isQuery = false): object {
  const parameters = isQuery ? [{ in: "query", name: "q", schema }] : [];
  const content = isQuery ? {} : { content: { "application/json": { schema } } };
  const get = { operationId: "get", parameters, responses: { 200: { description: "", ...content } } };
  return { openapi: "3.1.0", info: { title: "", version: "" }, paths: { "/a": { get } }, components: { schemas } };
}

Deno.test("a small document takes an import neither time nor memory out of proportion", () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const twice = (name: string): object => ({ type: "object", properties: { p: ref(name), q: ref(name) } });
  const levels = Array.from({ length: 24 }, (_, level) => level);
  const leaf = { type: "object", properties: { leaf: { type: "string" } } };
  const repeated = {
    S0: leaf,
    T0: leaf,
    ...Object.fromEntries(
      levels.map((level) => [`S${level + 1}`, { allOf: [twice(`S${level}`), twice(`T${level}`)] }]),
    ),
    ...Object.fromEntries(
      levels.map((level) => [`T${level + 1}`, { allOf: [twice(`T${level}`), twice(`S${level}`)] }]),
    ),
  };
  const chained = { S0: leaf, ...Object.fromEntries(levels.map((level) => [`S${level + 1}`, twice(`S${level}`)])) };
  const slow = { type: "string", pattern: "^(a+)+$", default: `${"a".repeat(40)}!` };
  const documents = [
    documentOf(ref("S24"), repeated),
    documentOf(ref("S24"), chained, true),
    documentOf(slow, {}, true),
  ];
  for (const [index, each] of documents.entries()) {
    for (const schemas of ["zod", "valibot", "arktype", "none"] as const) {
      const started = processorTime();
      try {
        writeContract(each, { schemas });
        assertEquals(index, 2);
      } catch (error) {
        assert(error instanceof TypeError, String(error));
        assertStringIncludes(error.message, "Cannot import: its schemas repeat others too often");
      }
      assert(processorTime() - started < 10_000, `document ${index} with ${schemas}`);
    }
  }
});

/** Documents of 24 levels, each of which refers to the next one twice. */
const doubled: Readonly<Record<string, (next: object, level: number) => object>> = {
  "keywords beside a choice": (next) => ({ oneOf: [next, { ...next, minLength: 1 }] }),
  "a wrapper in a choice": (next) => ({ anyOf: [next, { allOf: [next], description: "the same" }] }),
  "null in allOf": (next) => ({
    allOf: [{ anyOf: [next, { type: "null" }] }, { oneOf: [next, { type: "integer" }] }],
  }),
  "nullable choices": (next) => ({ nullable: true, oneOf: [next, { ...next, nullable: true }] }),
  "objects in allOf": (next, level) => ({
    anyOf: [next, { allOf: [next, { type: "object", properties: { [`p${level}`]: {} } }] }],
  }),
  "choices in properties": (next) => ({
    type: "object",
    properties: { a: { anyOf: [next, { type: "null" }] }, b: { oneOf: [next, { ...next, minItems: 1 }] } },
  }),
  "tuples": (next) => ({ type: "array", prefixItems: [next, next], minItems: 2 }),
  "discriminators": (next) => ({ oneOf: [next, { ...next, title: "" }], discriminator: { propertyName: "kind" } }),
  "inheritance": (next, level) => ({
    discriminator: { propertyName: "kind" },
    allOf: [next, { type: "object", properties: { kind: { type: "string" }, [`p${level}`]: next } }],
  }),
  "defaults": (next) => ({ default: "x", anyOf: [next, { allOf: [next], default: "y" }] }),
};

for (const [name, level] of Object.entries(doubled)) {
  Deno.test(`schemas that refer to others twice take no time out of proportion: ${name}`, () => {
    const ref = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
    const leaves = [
      { type: ["string", "null"] },
      { type: "object", required: ["kind"], properties: { kind: { type: "string", format: "date" } } },
    ];
    for (const leaf of leaves) {
      const schemas = Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [`S${index}`, index === 24 ? leaf : level(ref(index + 1), index)]),
      );
      for (const isQuery of [false, true]) {
        const document = documentOf(ref(0), schemas, isQuery);
        const runs = [
          () => importContract(document),
          () => writeContract(document, { dates: true }),
          () => writeContract(document, { schemas: "arktype" }),
        ];
        for (const run of runs) {
          const started = processorTime();
          try {
            run();
          } catch (error) {
            assert(error instanceof TypeError, String(error));
            assertStringIncludes(error.message, "Cannot import: its schemas repeat others too often");
          }
          assert(processorTime() - started < 5_000, JSON.stringify(leaf));
        }
      }
    }
  });
}

Deno.test("choices that share their members are listed once each", () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const leaf = (name: string): object => ({ type: "object", properties: { [name]: { type: "string" } } });
  const levels = Array.from({ length: 24 }, (_, level) => level);
  const shared = levels.flatMap((level) =>
    ["S", "T"].map((name) => [`${name}${level + 1}`, { oneOf: [ref(`S${level}`), ref(`T${level}`), leaf(name)] }])
  );
  const schemas = { S0: leaf("s"), T0: leaf("t"), ...Object.fromEntries(shared) };
  const document = documentOf({ allOf: [ref("S24"), ref("T24")] }, schemas);
  for (const options of [{ dates: true }, { schemas: "valibot" }, { schemas: "arktype" }] as const) {
    const started = processorTime();
    writeContract(document, options);
    assert(processorTime() - started < 5_000, JSON.stringify(options));
  }
});

Deno.test("a choice of thousands takes no time out of proportion", () => {
  const many = (create: (index: number) => object): object => ({
    oneOf: Array.from({ length: 4_000 }, (_, index) => create(index)),
  });
  const choices = [
    many((index) => ({ const: index })),
    many((index) => ({ type: "object", required: ["kind"], properties: { kind: { const: index } } })),
    many((index) => ({ type: "object", properties: { [`p${index}`]: {} } })),
    { allOf: [many((index) => ({ const: index })), many((index) => ({ const: index + 1 }))] },
  ];
  for (const [index, choice] of choices.entries()) {
    const started = processorTime();
    const { report } = writeContract(documentOf(choice));
    assert(processorTime() - started < 5_000, `choice ${index}`);
    assertEquals(
      report.unchecked.map(({ message }) => message).includes("that a value matches only one of oneOf"),
      index === 2,
    );
  }
});

Deno.test("a choice of thousands takes few steps with ArkType, which may leave one that another includes out", () => {
  const uncheckedOf = (create: (index: number) => object): string[] => {
    const choice = { anyOf: Array.from({ length: 4_000 }, (_, index) => create(index)) };
    const { report } = writeContract(documentOf(choice), { schemas: "arktype" });
    return report.unchecked.map(({ message }) => message).filter((message) => message.includes("of a union"));
  };
  const kinds = (index: number) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: `k${index}` }, [`p${index}`]: { type: "string" } },
  });

  assertEquals(uncheckedOf(kinds), []);
  assertEquals(uncheckedOf((index) => ({ type: "string", maxLength: index })), []);
  assertEquals(uncheckedOf((index) => ({ type: "object", required: [`p${index}`], properties: {} })), [
    "the properties of an object that another one of a union includes",
  ]);
});
