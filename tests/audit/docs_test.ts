/** docs/audit.md shows the report on the service of Express, and all options of the command. */
import { auditServer, formatAudit } from "@scope/api/audit";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { AddressInfo } from "node:net";
import { createApp } from "../../examples/shop/app.ts";
import document from "../../examples/shop/openapi.json" with { type: "json" };

const root = new URL("../../", import.meta.url);
const page = await Deno.readTextFile(new URL("docs/audit.md", root));

const readme = await Deno.readTextFile(new URL("README.md", root));

Deno.test("docs/audit.md shows the report on the service of Express, as text and as JSON, and README a part of it", async () => {
  const errors = console.error;
  console.error = () => {}; // Express prints the paths that it cannot decode
  const server = createApp({ isMoved: false }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const report = await auditServer(document, `http://127.0.0.1:${port}`);
    const [, shown = ""] = /^```text\n(.*?)^```/ms.exec(page) ?? [];
    const text = formatAudit(report, "text").replaceAll(`127.0.0.1:${port}`, "127.0.0.1:3000");
    const hints = /^Hints, which are no drift:\n(?: .*\n)+\n/m; // their stack has paths of this machine

    assertEquals(text.replace(hints, "").replace(/^\d+ requests, seed 0\n/m, ""), shown);
    const [, after = ""] = readme.split("scope-api-audit openapi.json http://127.0.0.1:3000\n", 2);
    const [part = ""] = after.split("```", 1);
    const lines = part.split("\n").filter((line) => line !== "…");
    assertEquals(lines.filter((line) => !text.split("\n").includes(line)), []);
    assert(lines.length > 5);

    const [, json = ""] = /^```json\n(.*?)^```/ms.exec(page) ?? [];
    const { date, target, operations: [first], ...rest } = JSON.parse(json);
    const { operations: [operation], ...summary } = report;
    const [finding] = operation!.findings;
    const [message = ""] = first.findings[0].message.split("…");
    assertEquals([date, target], ["2026-01-31T09:30:00.000Z", "http://127.0.0.1:3000/api"]);
    assertEquals({ ...rest, date: summary.date, target: summary.target }, summary);
    assertEquals({ ...first, findings: [{ ...first.findings[0], message, curl: finding!.curl }] }, {
      ...operation,
      findings: [{ ...finding, message: finding!.message.slice(0, message.length) }],
    });
  } finally {
    console.error = errors;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

Deno.test("docs/audit.md names every option of the command", async () => {
  const usage = await Deno.readTextFile(new URL("src/tools/audit/cli.ts", root));
  const options = [...usage.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = ""]) => option);
  assertEquals(options.length, 15);
  for (const option of options.filter((each) => each !== "--help")) assertStringIncludes(page, option);
});
