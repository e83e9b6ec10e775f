/** Forms with files: contract tests and samples send files of the declared types and lengths. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { contractTests, sample } from "@scope/api/testing";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as z from "zod";
import { findAll, firstLine } from "./findings.ts";

const Album = z.object({
  title: z.string().min(1),
  cover: z.file().min(1).max(6).mime(["image/png", "image/jpeg"]).optional(),
  pages: z.array(z.file()).max(3),
});
const contract = defineContract({
  routes: { publish: route.post("/albums", { body: request.formData(Album), responses: { 204: response.empty() } }) },
});

/** A server that keeps each body. */
function createHandler(): { readonly seen: z.infer<typeof Album>[]; readonly handler: FetchHandler } {
  const seen: z.infer<typeof Album>[] = [];
  const handler = createFetchHandler(
    defineServer(contract).implement({
      publish: ({ body, response }) => {
        seen.push(body);
        return response(204);
      },
    }),
  );
  return { seen, handler };
}

Deno.test("contractTests() sends files of each declared type, and leaves optional ones out", async () => {
  const { seen, handler } = createHandler();

  assertEquals((await findAll(contractTests(contract, { target: handler }))).map(firstLine), []);
  const types = new Set(seen.map(({ cover }) => cover?.type));
  assertEquals(types, new Set([undefined, "image/png", "image/jpeg"]));
  assert(seen.filter(({ cover }) => cover).length > 30, `${seen.length}`);
  assert(seen.some(({ pages }) => pages.length === 3));
});

Deno.test("contractTests() finds a server that does not check the type of a file", async () => {
  const { handler } = createHandler();
  const target = async (request: Request): Promise<Response> => {
    const answer = await handler(request.clone());
    if (answer.status !== 400) return answer;
    const fields = await request.formData().catch(() => new FormData());
    return fields.get("cover") instanceof File && fields.get("title") && fields.get("pages") instanceof File
      ? new Response(null, { status: 204 })
      : answer;
  };
  const found = await findAll(contractTests(contract, { target }));

  assert(found.some(({ rule }) => rule === "invalid-accepted"), found.map(firstLine).join("\n"));
});

Deno.test("contractTests() sends the files of the option values as they are", async () => {
  const { seen, handler } = createHandler();
  const bytes = Uint8Array.of(0x89, 0x50, 0xff, 0x00);
  const cover = new File([bytes], "a b.png", { type: "image/png" });
  const pages = [new File(["one"], "1.txt", { type: "text/plain" }), new File(["two"], "2.txt")];
  const form = new FormData();
  form.set("title", "form");
  for (const page of pages) form.append("pages", page);
  const values = { publish: { body: [{ title: "object", cover, pages }, form] } };

  assertEquals(
    (await findAll(contractTests(contract, { target: handler, values: values as never }))).map(firstLine),
    [],
  );
  const object = seen.find(({ title }) => title === "object");
  assertEquals([object?.cover?.name, object?.cover?.type], ["a b.png", "image/png"]);
  assertEquals(new Uint8Array(await object!.cover!.arrayBuffer()), bytes);
  assertEquals(object?.pages.map(({ name }) => name), ["1.txt", "2.txt"]);
  assertEquals(seen.find(({ title }) => title === "form")?.pages.length, 2);
});

Deno.test("sample() returns files of a declared type and length", async () => {
  const { seen, handler } = createHandler();
  for (let seed = 0; seed < 50; seed++) {
    const { body } = sample(contract.routes.publish, seed);
    const { title, cover, pages } = body as z.infer<typeof Album>;
    const form = new FormData();
    form.set("title", title);
    if (cover) form.set("cover", cover);
    for (const page of pages) form.append("pages", page);
    assertEquals((await handler(new Request("http://localhost/albums", { method: "POST", body: form }))).status, 204);
  }
  assertNotEquals(seen.filter(({ cover }) => cover).length, 0);
});

Deno.test("sample() makes a file of a member that has only contentMediaType", () => {
  const report = route.post("/", {
    body: request.formData(z.custom<{ report: File }>((form) => (form as { report?: unknown }).report instanceof File)),
    responses: { 204: response.empty() },
  });
  const { routes } = defineContract({ routes: { report } });
  const schema = (): object => ({
    type: "object",
    required: ["report"],
    properties: { report: { type: "string", contentMediaType: "text/csv" } },
  });

  assertEquals(
    (sample(routes.report, 1, { schema: schema as never }).body as { report: File }).report.type,
    "text/csv",
  );
});
