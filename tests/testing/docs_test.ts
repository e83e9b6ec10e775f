import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contractTests } from "@scope/api/testing";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type } from "arktype";
import { rules } from "../../src/tools/testing/finding.ts";
import { findAll } from "./findings.ts";

const page = await Deno.readTextFile(new URL("../../docs/contract-tests.md", import.meta.url));

/** The contract of the page's first example. */
const contract = defineContract({
  basePath: "/api",
  routes: {
    rename: route.patch("/users/:id", {
      body: request.json(type({ name: "string >= 1" })),
      responses: { 200: response.json(type({ id: "string", name: "string" })), 404: response.empty() },
    }),
  },
});
const handler = createFetchHandler(
  defineServer(contract).implement({
    rename: ({ params: { id }, body: { name }, response }) => id === "42" ? response(200, { id, name }) : response(404),
  }),
);

Deno.test("docs/contract-tests.md shows the message of the error that it describes", async () => {
  const target = async (asked: Request): Promise<Response> => {
    const text = await asked.clone().text();
    return text.includes('"name":""') ? Response.json({ id: "42", name: "" }) : handler(asked);
  };
  const findings = await findAll(contractTests(contract, { target, values: { rename: { params: { id: ["42"] } } } }));

  assertEquals(findings.length, 1);
  assertStringIncludes(page, findings[0]!.message);
});

Deno.test("docs/contract-tests.md lists exactly the existing rules and tests", () => {
  const section = page.slice(page.indexOf("## Rules"), page.indexOf("## Test a server at a URL"));
  const listed = [...section.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell = ""]) => cell.match(/[\w-]+/g) ?? []);
  assertEquals(listed.toSorted(), Object.keys(rules).toSorted());

  const names = contractTests(contract, { target: handler }).map(({ name }) => name);
  assertEquals([...page.matchAll(/^(.+) \.\.\. ok/gm)].map(([, name]) => name), names);
});
