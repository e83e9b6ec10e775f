/** What texts contain: files, and JSON such as the data of events. */
import { assertEquals } from "@std/assert";
import { type Contract, defineContract, request, response, route } from "@scope/api";
import { type ContractOrDocument, diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { z } from "zod";

/** The changes, each as one line. */
function list(before: ContractOrDocument, after: ContractOrDocument): string[] {
  return diffContracts(before, after).map(({ verdict, rule, where, message }) =>
    [verdict, rule, where, message].join(" | ")
  );
}

function documentOf(contract: Contract): ContractOrDocument {
  return JSON.parse(JSON.stringify(openApiDocument(contract, { info: { title: "", version: "" }, version: "3.2" })));
}

function events(data: z.ZodType): Contract {
  return defineContract({ routes: { a: route.get("/a", { responses: { 200: response.sse(data) } }) } });
}

Deno.test("diffContracts() compares the data of events, document against contract", () => {
  const before = events(z.object({ kind: z.enum(["x", "y"]), at: z.string() }));
  const after = events(z.object({ kind: z.enum(["x", "y", "z"]), at: z.string().optional() }));

  const changes = list(documentOf(before), after);
  assertEquals(changes.map((line) => line.split(" | ").slice(0, 2).join(" ")), [
    "breaking response-widened",
    "breaking response-widened",
  ]);
  assertEquals(changes.some((line) => line.includes('may be "z" now')), true);
  assertEquals(changes.some((line) => line.includes("may be missing now")), true);
  assertEquals(list(documentOf(before), before), []);
  assertEquals(list(documentOf(after), before).every((line) => line.startsWith("compatible")), true);
});

function files(types: readonly string[]): Contract {
  const body = request.formData(z.object({ cover: types.length === 0 ? z.file() : z.file().mime(types as never) }));
  return defineContract({ routes: { a: route.post("/a", { body, responses: { 204: response.empty() } }) } });
}

Deno.test("diffContracts() compares the types of files", () => {
  for (
    const [before, after] of [[["image/png", "image/jpeg"], ["image/png"]], [[], ["image/png"]], [[
      "image/png",
      "image/jpeg",
      "image/webp",
    ], ["image/png", "image/jpeg"]]] as const
  ) {
    for (const old of [files(before), documentOf(files(before))]) {
      assertEquals(list(old, files(after)).map((line) => line.split(" | ").slice(0, 3).join(" ")), [
        "breaking request-narrowed body /cover",
      ]);
    }
    assertEquals(list(files(after), files(before)).every((line) => line.startsWith("compatible")), true);
    assertEquals(list(files(before), documentOf(files(before))), []);
  }
  assertEquals(list(files(["image/png", "image/jpeg"]), files(["image/png"])), [
    "breaking | request-narrowed | body /cover | must have the media type image/png now, not image/jpeg",
  ]);
});

Deno.test("diffContracts() says that it cannot compare the content of texts that are not JSON", () => {
  const text = (schema: object) =>
    ({
      openapi: "3.1.1",
      paths: {
        "/a": {
          put: {
            requestBody: {
              required: true,
              content: {
                "application/json": {
                  schema: { type: "string", contentMediaType: "application/xml", contentSchema: schema },
                },
              },
            },
            responses: {},
          },
        },
      },
    }) as never;

  assertEquals(
    list(text({ type: "object" }), text({ type: "string" })).map((line) => line.split(" | ").slice(0, 3).join(" ")),
    ["unproven request-changed body"],
  );
});
