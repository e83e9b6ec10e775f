/** The reports: what comes from a server or its document is text in each of them, and each says everything. */
import { type AuditFormat, auditServer, formatAudit } from "@scope/api/audit";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { createThings, document } from "./things.ts";

const hostile = "</pre><script>alert(1)</script> | `` ` **bold** [x](javascript:y) \u001b[31m\u202e & \"'";

/** A document and a server whose texts are hostile. */
const report = await auditServer(
  {
    openapi: "3.1.0",
    info: { title: hostile, version: hostile },
    paths: {
      "/a|b": {
        get: {
          summary: hostile,
          responses: { 200: { description: "", content: { "application/json": { schema: { type: "integer" } } } } },
        },
      },
    },
  },
  () =>
    Response.json({ [hostile]: 1 }, { headers: { "content-type": `text/${hostile.replaceAll(/[^\x20-\x7e]/g, "")}` } }),
);

Deno.test("formatAudit() escapes what comes from elsewhere in HTML, which loads nothing and runs nothing", () => {
  const page = formatAudit(report, "html");

  const tags = new Set([...page.matchAll(/<(\w+)/g)].map(([, name]) => name));
  assertEquals(tags.has("script"), false);
  assertEquals(page.split("<pre>").length, page.split("</pre>").length);
  assertStringIncludes(page, "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  assertStringIncludes(
    page,
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
  );
  assertEquals(/\bhttps?:\/\/(?!localhost)|\burl\(|@import|\son\w+=/.test(page), false);
  assertEquals(/[\p{Cc}\p{Cf}]/u.test(page.replaceAll("\n", "")), false);
});

Deno.test("formatAudit() writes what comes from elsewhere as code in Markdown", () => {
  const page = formatAudit(report, "markdown");
  const outside = page.split("\n").filter((line) => !line.startsWith("      "))
    .join("\n").replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "");

  assertEquals(/script|bold|javascript/.test(outside), false);
  assertEquals(/[\p{Cc}\p{Cf}]/u.test(page.replaceAll("\n", "")), false);
  const rows = page.split("\n").filter((line) => line.includes("GET /a") && line.startsWith("|"));
  assertEquals(rows.map((row) => row.split(/(?<!\\)\|/).length), [5]); // three cells
});

Deno.test("formatAudit() writes text without control characters", () => {
  const text = formatAudit(report, "text");
  assertEquals(/[\p{Cc}\p{Cf}]/u.test(text.replaceAll("\n", "")), false);
});

Deno.test("formatAudit() writes the report as JSON", () => {
  assertEquals(JSON.parse(formatAudit(report, "json")), JSON.parse(JSON.stringify(report)));
});

Deno.test("formatAudit() refuses a format that it does not have", () => {
  assertThrows(
    () => formatAudit(report, "pdf" as AuditFormat),
    TypeError,
    'formatAudit(): the format must be one of text, markdown, html, json, got "pdf"',
  );
});

Deno.test("formatAudit() shows verdicts, the smallest request and what was never reached", async () => {
  const things = createThings();
  const drift = await auditServer(document, async (request) => {
    const answer = await things(request);
    if (request.method === "HEAD") return new Response(null, answer);
    return /\/things\/1$/.test(request.url) ? Response.json({ id: "1", name: "one", password: "x" }) : answer;
  });

  assertEquals(
    formatAudit(drift, "text").replace(/\d+ requests/, "… requests"),
    `Things 1.2.0 at http://localhost/v1

  agrees         GET /things
  never reached  POST /things
  undocumented   GET /things/{id}
  never reached  DELETE /things/{id}
  never reached  GET /me

GET /things/{id}
  undocumented: GET /v1/things/1 was answered 200 with a body that the document does not declare: /password is not described
    curl http://localhost/v1/things/1

Never reached, or checked in part:
  POST /things, DELETE /things/{id}:
    it may change something; pass --write to call it
  GET /me:
    no valid request was found, because it requires a credential; pass a credential that the server accepts: --credential token=env:VARIABLE

The server differs from the document in 1 of 5 operations, and 3 were never reached.
… requests, seed 0
`,
  );
  for (const format of ["html", "markdown"] as const) {
    const page = formatAudit(drift, format);
    for (const said of ["curl http://localhost/v1/things/1", "/password is not described", "List the things"]) {
      assert(page.includes(said) || (format === "markdown" && said === "List the things"), said);
    }
  }
});
