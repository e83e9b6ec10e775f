/** Documents that others wrote, on their whole way: contract, document, mock, client, contract tests, written modules. */
import { defineContract, request, response, route, webhooks } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import { importContract, type ImportReport, writeContract } from "@scope/api/import";
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { followDocument, readDocuments } from "../../scripts/import_chain.ts";
import fc from "fast-check";
import * as z from "zod";
import { components, documentOf, schemas } from "./random_schemas.ts";
import { sameTypes, withoutInterface } from "./same_types.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import petstore2 from "@readme/oas-examples/2.0/json/petstore.json" with { type: "json" };
import complexNesting from "@readme/oas-examples/3.0/json/complex-nesting.json" with { type: "json" };
import discriminators from "@readme/oas-examples/3.0/json/discriminators.json" with { type: "json" };
import fileUploads from "@readme/oas-examples/3.0/json/file-uploads.json" with { type: "json" };
import parametersStyle from "@readme/oas-examples/3.0/json/parameters-style.json" with { type: "json" };
import petstore from "@readme/oas-examples/3.0/json/petstore.json" with { type: "json" };
import readme from "@readme/oas-examples/3.0/json/readme-legacy.json" with { type: "json" };
import schemaValidation from "@readme/oas-examples/3.0/json/schema-validation.json" with { type: "json" };
import statusCodes from "@readme/oas-examples/3.0/json/http-status-codes.json" with { type: "json" };
import circular from "@readme/oas-examples/3.0/json/schema-circular.json" with { type: "json" };
import security from "@readme/oas-examples/3.1/json/security.json" with { type: "json" };
import trainTravel from "@readme/oas-examples/3.1/json/train-travel.json" with { type: "json" };

const root = new URL("../../", import.meta.url);

/** Documents by name, each with the number of its operations that cannot be declared. */
const documents: Readonly<Record<string, readonly [document: object, leftOut: number]>> = {
  "Petstore of Swagger 2.0": [petstore2, 0],
  "nested objects": [complexNesting, 0],
  discriminators: [discriminators, 0],
  "file uploads": [fileUploads, 0],
  "styles of parameters": [parametersStyle, 2], // of two paths, {matrix} and {label}, that a parameter makes the same
  Petstore: [petstore, 0],
  ReadMe: [readme, 0],
  "keywords of validation": [schemaValidation, 0],
  "status codes": [statusCodes, 0],
  "circular schemas": [circular, 0],
  "security schemes": [security, 0],
  "Train Travel": [trainTravel, 0],
};

// proves import | Twelve documents that others wrote pass through the whole chain
Deno.test("documents that others wrote are imported, described again, mocked, called and tested", async (test) => {
  for (const [name, [document, leftOut]] of Object.entries(documents)) {
    await test.step(name, async () => {
      const { report, findings, failedCalls, itself, unnamed, republish } = await followDocument(document, { runs: 1 });
      assertEquals(report.operations.filter(({ key }) => key === undefined).length, leftOut);
      for (const { key, reason } of report.operations) assertEquals(key === undefined, reason !== undefined);
      assertEquals({ failedCalls, findings }, { failedCalls: [], findings: [] });
      const republished = republish().filter(({ rule, where }) =>
        rule !== "discriminator-changed" && // of optional names
        !where.startsWith("cookies ") // an import declares none, and its report names each
      );
      assertEquals({ itself, unnamed, republished }, { itself: [], unnamed: [], republished: [] });
    });
  }
});

const libraries = ["zod", "valibot", "arktype"] as const;

/** Writes the files of an import. */
async function write(
  folder: string,
  document: object,
  schemas: (typeof libraries)[number] | "none",
): Promise<ImportReport> {
  const { files, report } = writeContract(document, { schemas });
  for (const { path, text } of files) {
    const file = `${folder}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  return report;
}

const info = { title: "Imported", version: "1.0.0" };

/** The members of objects of other types than the declared ones, which the report says are not checked. */
const unchecked = /\/(?:headers|parameterizedHeaders)\/\*/;

// proves import | The schemas of each library accept the same values as those of the document
Deno.test("written schemas accept what those of the documents do, and nothing else", async (test) => {
  for (const schemas of libraries) {
    await test.step(schemas, () => inTemporaryFolder((folder) => compareWritten(folder, schemas)));
  }
});

async function compareWritten(folder: string, schemas: (typeof libraries)[number]): Promise<void> {
  for (const [index, [document]] of Object.values(documents).entries()) {
    const report = await write(`${folder}/${index}`, document, schemas);
    const isUnchecked = report.unchecked.some(({ message }) =>
      message === "additionalProperties of another type than properties"
    );
    const { contract } = await import(`file://${folder}/${index}/contract.ts`);
    const written = openApiDocument(contract, { info, refusals: false }) as AnyOpenApiDocument;
    const direct = openApiDocument(importContract(document).contract, { info, refusals: false });
    const differences = [
      ...diffContracts(direct, written, { samples: 20 }),
      ...diffContracts(written, direct, { samples: 20 }),
    ].filter(({ verdict, where }) => verdict === "breaking" && !(isUnchecked && unchecked.test(where)));
    assertEquals(differences, [], Object.keys(documents)[index]);
  }
}

/** Operations with the schemas of a random document, and those that it refers to. */
const random = documentOf([
  ...Object.keys(components).map((name) => ({ $ref: `#/components/schemas/${name}` })),
  ...fc.sample(schemas, { numRuns: 40, seed: 78 }),
].map((schema) => ({ responses: { 200: { description: "", content: { "application/json": { schema } } } } })));

/** A document whose names collide with each other, with imported names and with files, and whose prose are directives. */
function collide(): object {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const json = (schema: object) => ({ 200: { description: "", content: { "application/json": { schema } } } });
  const animal = (kind: string) => ({
    allOf: [ref("Pet"), { type: "object", properties: { [kind]: { type: "string" } } }],
  });
  const typeNames = ["SecurityScheme", "SlimRoute", "TypedResponse", "WithStatuses", "NoSecurity", "BearerCredential"];
  const object = { type: "object", properties: { a: { type: "string" } } };
  const paths = {
    "/session": {
      get: { operationId: "session", tags: ["mod"], security: [{ session: [] }], responses: json({}) },
      post: { operationId: "token", tags: ["mod"], security: [{ token: [], session: [] }], responses: json({}) },
    },
    "/pets": {
      get: { operationId: "pets", tags: ["contract"], description: "@ts-expect-error", responses: json(ref("Pet")) },
      put: { operationId: "cats", tags: ["contract"], description: "@ts-ignore", responses: json(ref("Cat")) },
    },
    ...Object.fromEntries(
      typeNames.map((name) => [`/${name}`, { get: { operationId: `get${name}`, responses: json(ref(name)) } }]),
    ),
  };
  return {
    openapi: "3.1.0",
    info: { title: "Collisions", version: "1" },
    paths,
    components: {
      schemas: {
        Pet: {
          type: "object",
          required: ["kind"],
          properties: { kind: { type: "string" } },
          oneOf: [ref("Cat"), ref("Dog")],
          discriminator: { propertyName: "kind" },
        },
        Cat: animal("purrs"),
        Dog: animal("barks"),
        ...Object.fromEntries(typeNames.map((name) => [name, object])),
      },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "sid" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  };
}

/** A document with what both sides send: webhooks, rows and messages of sockets. */
function exchange(): object {
  const Order = z.object({ id: z.string(), total: z.number() }).meta({ id: "Order" });
  const responses = { 204: response.empty(), 410: response.json(Order) };
  const contract = defineContract({
    routes: {
      add: route.post("/orders", { body: request.ndjson(Order), responses }),
      follow: route.get("/orders", {
        responses: {
          101: response.socket({
            fromClient: z.object({ id: z.string() }),
            fromServer: Order,
            closes: { 4001: "over" },
          }),
        },
      }),
    },
    webhooks: webhooks({
      added: route.post("/", { headers: z.object({ "x-shop": z.string() }), body: Order, responses }),
      "order/paid": route.put("/", { body: z.array(Order), responses, docs: { tags: ["webhooks"] } }),
    }),
  });
  return openApiDocument(contract, { info });
}

/** Writes a program that compares the interface of a contract with its inferred type. Returns its path. */
async function writeComparison(folder: string): Promise<string> {
  const contract = await Deno.readTextFile(`${folder}/contract.ts`);
  await Deno.writeTextFile(`${folder}/inferred.ts`, withoutInterface(contract));
  await Deno.writeTextFile(`${folder}/same_types.ts`, sameTypes);
  return `${folder}/same_types.ts`;
}

// proves import | Written modules type-check, and their interfaces are the types that are inferred
Deno.test("the modules that are written type-check, and their interfaces are the types that are inferred", () =>
  inTemporaryFolder(async (folder) => {
    const written: string[] = [];
    for (
      const [index, document] of [...Object.values(documents).map(([each]) => each), random, collide(), exchange()]
        .entries()
    ) {
      for (const library of [...libraries, "none"] as const) {
        await write(`${folder}/${library}/${index}`, document, library);
        written.push(`${folder}/${library}/${index}/contract.ts`);
        if (library !== "none") written.push(await writeComparison(`${folder}/${library}/${index}`));
      }
    }
    const args = ["check", "--quiet", "--config", new URL("deno.json", root).pathname, ...written];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stderr: "piped" }).output();
    assert(success, new TextDecoder().decode(stderr));
  }));

const folder = Deno.env.get("OPENAPI_DOCUMENTS");
if (folder === undefined) {
  console.error("NOT TESTED: the import of large public documents. OPENAPI_DOCUMENTS names no folder with them.");
}

// proves import | GitHub's current document is declared to 98%, and what differs is named
Deno.test({
  name: "at least 98% of the operations of public documents are declared, and what differs is named",
  ignore: folder === undefined,
  async fn(): Promise<void> {
    let [all, declared] = [0, 0];
    for (const [name, document] of await readDocuments([folder!])) {
      const { report, itself, unnamed, failedCalls } = await followDocument(document, { runs: 0 });
      all += report.operations.length;
      declared += report.operations.filter(({ key }) => key !== undefined).length;
      assertEquals({ name, itself, unnamed, failedCalls }, { name, itself: [], unnamed: [], failedCalls: [] });
    }
    assert(declared / all >= 0.98, `${declared} of ${all}`);
  },
});
