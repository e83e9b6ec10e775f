/** Tools that others wrote accept the documents of contracts, in OpenAPI 3.1 and 3.0, and generate clients from them. */
import SwaggerParser from "@apidevtools/swagger-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { importContract } from "@scope/api/import";
import { openApiDocument, toOpenApi30 } from "@scope/api/openapi";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import openapiTypes, { astToString } from "openapi-typescript";
import petstore from "@readme/oas-examples/3.0/json/petstore.json" with { type: "json" };
import trainTravel from "@readme/oas-examples/3.1/json/train-travel.json" with { type: "json" };
import { contract as tasks } from "../../examples/tasks/contract.ts";
import { contract as users } from "../../examples/users/contract.ts";
import { runDeno } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

const info = { title: "Tools", version: "1.0.0" };

/** Describes a document that someone else wrote again. */
function describeAgain(document: object): object {
  const imported = importContract(document);
  return openApiDocument(imported.contract, imported.document);
}

const latest: Readonly<Record<string, object>> = {
  users: openApiDocument(users, { info }),
  tasks: openApiDocument(tasks, { info }),
  Petstore: describeAgain(petstore),
  "Train Travel": describeAgain(trainTravel),
};

const documents = Object.entries(latest).flatMap(([name, document]) => [
  [`${name}, 3.1`, document] as const,
  [`${name}, 3.0`, toOpenApi30(document as { readonly openapi: string }).document] as const,
]);

const redocly = await createConfig({ extends: ["minimal"] });

for (const [name, document] of documents) {
  Deno.test(`Redocly, Spectral and Swagger Parser find no error in the document ${name}`, async () => {
    const text = JSON.stringify(document);
    const found = await lintFromString({ source: text, absoluteRef: "openapi.json", config: redocly });
    assertEquals(found.filter(({ severity }) => severity === "error").map(({ message }) => message), []);

    const linter = new spectral.Spectral();
    const rules = { "oas3-valid-schema-example": "off" }; // the ids of Train Travel's examples are not UUIDs
    linter.setRuleset({ extends: [[rulesets.oas, "recommended"]], rules } as never);
    const results = await linter.run(text);
    assertEquals(results.filter(({ severity }) => severity === 0).map(({ code, path }) => [code, path]), []);

    await SwaggerParser.validate(JSON.parse(text));
  });
}

Deno.test("openapi-typescript generates types that compile from each document", () =>
  inTemporaryFolder(async (folder) => {
    const files = documents.map(([, document], index) => [`${folder}/types${index}.ts`, document] as const);
    for (const [file, document] of files) {
      await Deno.writeTextFile(file, astToString(await openapiTypes(JSON.parse(JSON.stringify(document)))));
    }
    const { code, stderr } = await runDeno(["check", ...files.map(([file]) => file)]);
    assertEquals({ code, stderr: code === 0 ? "" : stderr }, { code: 0, stderr: "" });
  }));

/** The package of the generator, which carries its program for Java. */
const generator = "@openapitools/openapi-generator-cli@1.0.18-4.3.1";

/** Runs a command; `undefined` if it does not exist. */
async function run(command: string, args: readonly string[], cwd?: string): Promise<Deno.CommandOutput | undefined> {
  try {
    return await new Deno.Command(command, { args: [...args], stdout: "piped", stderr: "piped", ...(cwd && { cwd }) })
      .output();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Generates a Python client of a document in the folder `out` of a folder. */
async function generate(folder: string, document: object, ...options: readonly string[]): Promise<void> {
  const installed = await run("npm", ["install", "--no-save", "--prefix", folder, generator]);
  assert(installed?.success, new TextDecoder().decode(installed?.stderr));
  await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(document));
  const jar = `${folder}/node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar`;
  const [input, output] = [`${folder}/openapi.json`, `${folder}/out`];
  const made = await run("java", ["-jar", jar, "generate", "-g", "python", "-i", input, "-o", output, ...options]);
  assert(made?.success, new TextDecoder().decode(made?.stdout) + new TextDecoder().decode(made?.stderr));
}

const java = await run("java", ["-version"]);
if (!java?.success) console.error("NOT TESTED: a generated client of another language, which needs Java");

Deno.test({
  name: "openapi-generator generates a Python client whose classes have the names of the components",
  ignore: !java?.success,
  fn: () =>
    inTemporaryFolder(async (folder) => {
      await generate(folder, toOpenApi30(latest["Train Travel"] as { readonly openapi: string }).document);
      const files = (await Array.fromAsync(Deno.readDir(`${folder}/out/openapi_client/models`))).map(({ name }) =>
        name
      );
      for (const name of ["station.py", "trip.py", "booking.py"]) assert(files.includes(name), files.join());
    }),
});

const python = await run("python3", ["-c", "import certifi, dateutil, six, urllib3"]);
if (!python?.success) console.error("NOT TESTED: calls of a generated Python client, which needs its packages");

const page = await Deno.readTextFile(new URL("../../docs/generated-clients.md", import.meta.url));

/** The first block of the page in a language. */
function codeOf(language: string): string {
  return page.match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms"))?.[1] ?? "";
}

Deno.test({
  name: "the Python client of the page on generated clients reads a response with an unknown field",
  ignore: !java?.success || !python?.success,
  fn: () =>
    inTemporaryFolder(async (folder) => {
      const program = `${folder}/program.ts`;
      await Deno.writeTextFile(program, `${codeOf("ts")}console.log(JSON.stringify(toOpenApi30(document).document));`);
      const { code: exit, stdout, stderr } = await runDeno(["run", "--quiet", "--config=deno.json", program]);
      assertEquals({ exit, stderr }, { exit: 0, stderr: "" });
      assertStringIncludes(page, `npx -y ${generator} generate -g python`);
      await generate(folder, JSON.parse(stdout), "--additional-properties=packageName=users_client");

      const asked: string[] = [];
      await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
        const { method, url, headers } = request;
        asked.push([method, new URL(url).pathname, headers.get("authorization"), await request.text()].join(" "));
        const missing = { type: "about:blank", title: "Not Found", status: 404, detail: "No such user" };
        if (url.endsWith("/7")) return Response.json(missing, { status: 404 });
        return Response.json({ id: "1", name: "Ada", addedLater: { is: "unknown" } });
      });
      const code = codeOf("python").replace(":8000", `:${server.addr.port}`);
      const called = await run("python3", ["-c", code], `${folder}/out`);
      assertEquals(new TextDecoder().decode(called?.stderr), "");
      assertEquals(
        new TextDecoder().decode(called?.stdout),
        'Ada\n404 {"type":"about:blank","title":"Not Found","status":404,"detail":"No such user"}\nAda\n',
      );
      assertEquals(asked, [
        "GET /api/users/1  ",
        "GET /api/users/7  ",
        'PATCH /api/users/1 Bearer secret {"name": "Grace"}',
      ]);
    }),
});
