/** Formats, and the patterns that schema libraries write for them. */
import { type Contract, defineContract, request, response, route } from "@scope/api";
import { type AnyOpenApiDocument, diffContracts } from "@scope/api/diff";
import { importContract } from "@scope/api/import";
import type { StandardJSONSchemaV1 } from "@standard-schema/spec";
import { assertEquals } from "@std/assert";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import * as z from "zod";

/** A document that another tool wrote: a text is sent and received. */
function documentOf(text: object): AnyOpenApiDocument {
  const content = { "application/json": { schema: { type: "string", ...text } } };
  return {
    openapi: "3.1.0",
    paths: {
      "/it": { put: { operationId: "it", requestBody: { required: true, content }, responses: { 200: { content } } } },
    },
  } as AnyOpenApiDocument;
}

type Library = StandardJSONSchemaV1 & Parameters<typeof request.json>[0];

// deno-lint-ignore no-explicit-any -- the schemas of several libraries
function contractOf(schema: any): Contract {
  return defineContract({
    routes: {
      it: route.put("/it", {
        body: request.json(schema as Library),
        responses: { 200: response.json(schema as Library) },
      }),
    },
  });
}

/** The changes, without their messages. */
function list(...sides: Parameters<typeof diffContracts>): string[] {
  return diffContracts(...sides).map(({ verdict, rule, where }) => `${verdict} ${rule} ${where}`);
}

const valibot = (format: v.PipeItem<string, string, v.BaseIssue<unknown>>) =>
  toStandardJsonSchema(v.pipe(v.string(), format));

Deno.test("a format equals the schemas that libraries have for it", () => {
  const schemas = {
    "date-time": [z.iso.datetime({ offset: true }), valibot(v.isoTimestamp())],
    date: [
      z.iso.date(),
      valibot(v.isoDate()),
      type("/^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$/").configure({ format: "date" } as object),
    ],
    email: [
      z.email(),
      z.email({ pattern: z.regexes.html5Email }),
      z.email({ pattern: z.regexes.rfc5322Email }),
      z.email({ pattern: z.regexes.unicodeEmail }),
      valibot(v.rfcEmail()),
      type("string.email"),
    ],
    uuid: [z.uuid(), z.guid(), valibot(v.uuid())],
    ipv4: [z.ipv4(), valibot(v.ipv4()), type("string.ip.v4")],
    ipv6: [z.ipv6(), valibot(v.ipv6()), type("string.ip.v6")],
    duration: [z.iso.duration()],
    hostname: [z.hostname()],
    uri: [z.url(), valibot(v.url())],
    byte: [z.base64()], // of OpenAPI 3.0
    base64: [z.base64()],
    base64url: [z.base64url()],
    ulid: [z.ulid()],
    nanoid: [z.nanoid()],
    cuid: [z.cuid()],
    cuid2: [z.cuid2()],
    e164: [z.e164()],
    mac: [z.mac()],
    cidrv4: [z.cidrv4()],
  };
  for (const [format, listed] of Object.entries(schemas)) {
    for (const schema of listed) {
      const [document, contract] = [documentOf({ format }), contractOf(schema)];
      assertEquals([format, list(document, contract), list(contract, document)], [format, [], []]);
    }
  }
});

Deno.test("a schema that accepts fewer texts than the format breaks requests", () => {
  const narrower = {
    "date-time": [z.iso.datetime(), z.iso.datetime({ precision: 3, offset: true })],
    uuid: [z.uuidv4(), z.uuidv7()],
  };
  for (const [format, schemas] of Object.entries(narrower)) {
    for (const schema of schemas) {
      assertEquals(list(documentOf({ format }), contractOf(schema)), [
        "breaking request-narrowed body",
        "compatible response-narrowed 200",
      ]);
      assertEquals(list(contractOf(schema), documentOf({ format })), [
        "breaking response-widened 200",
        "compatible request-widened body",
      ]);
    }
  }
});

Deno.test("a pattern that a library wrote for a format is compared as it is with another one", () => {
  assertEquals(list(contractOf(z.uuid()), contractOf(z.guid())), [
    "breaking response-widened 200",
    "compatible request-widened body",
  ]);
  assertEquals(list(contractOf(z.iso.datetime()), contractOf(z.iso.datetime({ offset: true }))), [
    "breaking response-widened 200",
    "compatible request-widened body",
  ]);
  assertEquals(list(contractOf(z.email()), contractOf(type("string.email"))), [
    "breaking request-narrowed body", // o'brien@example.com
    "breaking response-widened 200",
  ]);
});

Deno.test("a pattern without a format, and a constant, have the format that their texts show", () => {
  assertEquals(
    list(documentOf({ pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" }), documentOf({ format: "uuid" }))[0],
    "breaking response-widened 200",
  );
  assertEquals(list(documentOf({ const: "2026-02-28" }), documentOf({ format: "date" })), [
    "breaking response-widened 200",
    "compatible request-widened body",
  ]);
  assertEquals(
    list(documentOf({ const: "2026-02-29" }), documentOf({ format: "date" }))[1],
    "unproven request-changed body",
  );
});

Deno.test("the contract of an import equals its document, whose formats it checks", () => {
  for (const format of ["date-time", "date", "email", "uuid", "ipv4", "ipv6", "uri", "hostname", "byte", "password"]) {
    const document = documentOf({ format });
    assertEquals([format, list(document, importContract(document).contract)], [format, []]);
  }
});

Deno.test("the encoding base64 and the formats that say the same are one", () => {
  const same = [{ format: "byte" }, { contentEncoding: "base64" }, { format: "base64", contentEncoding: "base64" }];
  for (const [index, text] of same.entries()) {
    assertEquals(list(documentOf(text), documentOf(same[(index + 1) % same.length]!)), []);
  }
  assertEquals(list(documentOf({ format: "byte" }), documentOf({ contentEncoding: "base64url" })), [
    "breaking request-narrowed body",
    "breaking response-widened 200",
  ]);
  const short = documentOf({ contentEncoding: "base64", pattern: "^.{4}$" }); // which is not every text of the encoding
  assertEquals(list(documentOf({ format: "byte" }), short)[0], "breaking request-narrowed body");
});
