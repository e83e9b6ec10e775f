/** The most bytes of bodies and files, and bytes in documents of other tools. */
import { type Contract, defineContract, request, response, route } from "@scope/api";
import { type AnyOpenApiDocument, type ContractOrDocument, diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import * as z from "zod";

/** The changes, each as one line. */
function list(before: ContractOrDocument, after: ContractOrDocument): string[] {
  return diffContracts(before, after).map(({ verdict, where, message }) => `${verdict} ${where} ${message}`);
}

const makers = {
  json: (maxBytes?: number) => request.json(z.string(), limit(maxBytes)),
  text: (maxBytes?: number) => request.text({ ...limit(maxBytes), description: "A text" }),
  bytes: (maxBytes?: number) => request.bytes(limit(maxBytes)),
  stream: (maxBytes?: number) =>
    request.stream({ contentType: ["image/png", "application/x-ndjson"], ...limit(maxBytes) }),
  form: (maxBytes?: number) => request.form(z.object({ a: z.string() }), limit(maxBytes)),
  formData: (maxBytes?: number) => request.formData(z.object({ a: z.file() }), limit(maxBytes)),
};

function limit(maxBytes: number | undefined): { readonly maxBytes?: number } {
  return maxBytes === undefined ? {} : { maxBytes };
}

function contractOf(body: ReturnType<(typeof makers)[keyof typeof makers]>): Contract {
  return defineContract({ routes: { up: route.post("/up", { body, responses: { 204: response.empty() } }) } });
}

function documentOf(contract: Contract, version: "3.1" | "3.2"): ContractOrDocument {
  return JSON.parse(JSON.stringify(openApiDocument(contract, { info: { title: "t", version: "1" }, version })));
}

Deno.test("diffContracts() compares the limits of bodies, also of a document with a contract", () => {
  const cases: readonly (readonly [number | undefined, number | undefined, string[]])[] = [
    [100, 50, ["breaking body may have 50 bytes or fewer now, not 100"]],
    [20_000_000, 10_000_000, ["breaking body may have 10000000 bytes or fewer now, not 20000000"]],
    [10_000_000, 20_000_000, ["compatible body may have 20000000 bytes or fewer now, not 10000000"]],
    [undefined, 5, ["unproven body may have 5 bytes or fewer now, not the limit of the server"]],
    [5, undefined, ["unproven body has the limit of the server now, not 5 bytes"]],
    [5, 5, []],
  ];
  for (const [kind, make] of Object.entries(makers)) {
    for (const [was, is, changes] of cases) {
      const [before, after] = [contractOf(make(was)), contractOf(make(is))];
      const [document, later] = [documentOf(before, "3.1"), documentOf(after, "3.2")];
      assertEquals([kind, was, list(before, after)], [kind, was, changes]);
      assertEquals([kind, was, list(document, after)], [kind, was, changes]);
      assertEquals([kind, was, list(document, later)], [kind, was, changes]);
      assertEquals([kind, was, list(before, later)], [kind, was, changes]);
    }
  }
});

Deno.test("diffContracts() compares the sizes of files in form data", () => {
  const files = (most: number) => contractOf(request.formData(z.object({ a: z.file().max(most) })));

  for (const [was, is] of [[100, 50], [20_000_000, 10_000_000]] as const) {
    for (const before of [files(was), documentOf(files(was), "3.1")]) {
      assertEquals(list(before, files(is)), [
        `breaking body /a must have a length of ${is} or less now, not ${was}`,
      ]);
    }
  }
  assertEquals(list(documentOf(files(50), "3.1"), files(100)), [
    "compatible body /a need no longer have a length of 50 or less, but 100",
  ]);
});

/** A document of another tool: a body is sent and received. */
function foreign(mediaType: string, schema: unknown, more: object = {}): AnyOpenApiDocument {
  const content = { [mediaType]: { schema } };
  return {
    openapi: "3.1.0",
    paths: {
      "/it": {
        post: {
          operationId: "it",
          requestBody: { content, required: true, ...more },
          responses: { 200: { description: "", content } },
        },
      },
    },
  } as AnyOpenApiDocument;
}

Deno.test("diffContracts() knows the ways in which documents describe bytes", () => {
  const binary = foreign("image/png", { type: "string", format: "binary" });
  const same: readonly unknown[] = [
    { type: "string", format: "binary", contentEncoding: "binary" },
    { type: "string", contentEncoding: "binary" },
    { type: "string", contentMediaType: "image/png", format: "binary" },
    { type: "string" },
    { description: "A picture" },
    {},
    true,
    undefined,
  ];
  for (const schema of same) {
    const verdicts = [list(binary, foreign("image/png", schema)), list(foreign("image/png", schema), binary)];
    assertEquals(verdicts.flat().filter((line) => !line.includes("media type")), [], JSON.stringify(schema));
  }
  const part = (schema: object) => foreign("multipart/form-data", { type: "object", properties: { a: schema } });
  const file = { type: "string", format: "binary" };
  assertEquals(list(part(file), part({ ...file, contentEncoding: "binary" })), []);
  assertEquals(list(part({ contentMediaType: "image/png" }), part({ ...file, contentMediaType: "image/png" })), []);
  assertEquals(list(part({ type: "string", contentEncoding: "base64" }), part(file))[0]?.split(" ")[0], "breaking");
  assertEquals(list(foreign("*/*", true), foreign("application/json", true)).length, 2); // a range is not only bytes
});

Deno.test("diffContracts() reads maxLength of bytes as the limit of their body", () => {
  const bytes = (maxLength?: number) => foreign("image/png", { type: "string", format: "binary", maxLength });

  assertEquals(list(bytes(2_000_000), bytes(1_000_000)), [
    "breaking body may have 1000000 bytes or fewer now, not 2000000",
    "compatible 200 must have a length of 1000000 or less now, not 2000000",
  ]);
  const described = (description: string) => foreign("application/json", true, { description });
  assertEquals(list(described("A body. At most 20 bytes."), described("At most 10 bytes.")), [
    "breaking body may have 10 bytes or fewer now, not 20",
  ]);
  assertEquals(list(described("At most 20 bytes. Or so."), described("at most 10 bytes.")), []);
});

Deno.test("diffContracts() reads x-max-bytes as the limit of any body, in whatever language its description is", () => {
  const limited = (limit: unknown) =>
    foreign("application/json", true, { description: "Höchstens ein wenig.", "x-max-bytes": limit });

  assertEquals(list(limited(20), limited(10)), ["breaking body may have 10 bytes or fewer now, not 20"]);
  assertEquals(list(limited(10), limited(20)), ["compatible body may have 20 bytes or fewer now, not 10"]);
  assertEquals(list(limited("20"), limited(-1)), []); // which are no limits
});
