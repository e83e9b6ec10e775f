/** Form data of documents: which of its parts are files, JSON and text. */
import { createClient } from "@scope/api/client";
import { writeContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { assertEquals } from "@std/assert";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { createLoader, writers } from "./writers.ts";

const at = new URL(".", import.meta.url).pathname; // the libraries are found from here

/** A document of one operation that takes form data. */
function documentOf(properties: object, encoding: object = {}, openapi = "3.1.0"): object {
  const content = { "multipart/form-data": { schema: { type: "object", properties }, encoding } };
  const post = {
    operationId: "send",
    tags: ["All"],
    requestBody: { required: true, content },
    responses: { 204: { description: "" } },
  };
  return {
    openapi,
    info: { title: "Forms", version: "1" },
    paths: { "/forms": { post } },
    components: { schemas: { Meta: { type: "object", properties: { a: { type: "integer" } } } } },
  };
}

function bodyOf(document: object): string {
  const { files } = writeContract(document);
  const text = files.find(({ path }) => path === "all.ts")!.text;
  return text.slice(text.indexOf("body: "), text.indexOf("  responses: ")).replaceAll(/\s+/g, " ").trim();
}

Deno.test("a part is a file if its schema or its encoding has a binary media type", () => {
  const properties = {
    picture: { type: "string", contentMediaType: "image/png" },
    paper: { contentMediaType: "application/pdf" },
    pictures: { type: "array", items: { type: "string", contentMediaType: "image/*" } },
    archive: {},
    either: { type: "string" },
    coded: { type: "string", contentMediaType: "image/png", contentEncoding: "base64" },
    page: { type: "string", contentMediaType: "text/html" },
    note: { type: "string", contentMediaType: "application/json" },
  };
  const encoding = {
    archive: { contentType: "application/zip" },
    either: { contentType: "image/png, image/jpeg" },
    page: { contentType: "text/html" },
  };
  assertEquals(
    bodyOf(documentOf(properties, encoding)),
    "body: request.formData(z.object({ picture: z.file().optional(), paper: z.file().optional(), " +
      "pictures: z.array(z.file()).optional(), archive: z.file().optional(), either: z.file().optional(), " +
      'coded: z.string().meta({ format: "byte" }).optional(), page: z.string().optional(), ' +
      "note: z.string().optional(), })),",
  );
});

Deno.test("an object in form data is JSON unless its encoding says otherwise", () =>
  inTemporaryFolder(async (folder) => {
    const load = createLoader(folder);
    const properties = {
      meta: { type: "object", properties: { a: { type: "integer" } } },
      named: { $ref: "#/components/schemas/Meta" },
      maybe: { anyOf: [{ $ref: "#/components/schemas/Meta" }, { type: "null" }] },
      name: { type: "string" },
      file: { type: "string", format: "binary" },
    };
    for (const openapi of ["3.0.3", "3.1.0"]) {
      for (const writer of writers) {
        const { contract, report } = await load(documentOf(properties, {}, openapi), writer);
        assertEquals(report.operations[0]?.changes, [], writer);
        const fetch = mockContract(contract);
        const client = createClient(contract, { baseUrl: "http://localhost", fetch }) as unknown as {
          readonly all: { readonly send: (input: object) => Promise<{ readonly status: number }> };
        };
        const body = { meta: { a: 1 }, named: { a: 2 }, maybe: { a: 3 }, name: "n", file: new File(["x"], "x") };
        assertEquals((await client.all.send({ body })).status, 204, writer);
      }
    }
    const styled = documentOf({ meta: { type: "object" } }, { meta: { style: "deepObject", explode: true } });
    assertEquals(bodyOf(styled).includes('meta: "deepObject"'), true);
  }, at));

Deno.test("a part that is JSON has no files, because JSON has bytes as text", () => {
  const file = { type: "string", format: "binary" };
  const properties = {
    meta: { type: "object", properties: { one: file, many: { type: "array", items: file } } },
    icon: file,
  };
  const own = bodyOf(documentOf(properties));
  assertEquals(own.match(/z\.file\(\)/g)?.length, 1, own);
  assertEquals(own.includes("icon: z.file()"), true, own);
});
