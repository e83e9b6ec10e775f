/** The report of an import as text. */
import { assertEquals } from "@std/assert";
import { formatReport } from "../../src/tools/import/format_report.ts";
import type { ImportReport, ReportedOperation } from "@scope/api/import";
import { processorTime } from "../support/processor_time.ts";

/** A report of operations by their changes; a text is the reason why one was left out. */
function reportOf(
  operations: Readonly<Record<string, readonly string[] | string>>,
  more: Partial<ImportReport> = {},
): ImportReport {
  return {
    title: "Shop",
    files: [],
    webhooks: [],
    omitted: [],
    faults: [],
    unchecked: [],
    unpublished: [],
    operations: Object.entries(operations).map(([operation, said]): ReportedOperation =>
      typeof said === "string"
        ? { operation, key: undefined, changes: [], reason: said }
        : { operation, key: "it.key", changes: said, reason: undefined }
    ),
    ...more,
  };
}

Deno.test("formatReport() has the worst first, and messages that differ in names as one line with their number", () => {
  const report = reportOf({
    "GET /a": ["the header x-page of the response 200 is text", "the response 200 is text/csv only, not text/html"],
    "GET /b": [
      "the header x-size of the response 404 is text",
      "its server is https://b.example.com; pass that as the baseUrl",
    ],
    "GET /c": ["the header x-page of the response 200 is text"],
    "GET /d": [],
    "GET /e": "fetch cannot send TRACE",
  }, {
    files: ["file:///a.json"],
    webhooks: [
      { operation: "POST paid", key: "paid", changes: [], reason: undefined },
      { operation: "POST sent", key: undefined, changes: [], reason: "it has no body, which a webhook needs" },
    ],
    omitted: [{ place: "#/paths/~1a/get/callbacks/seen", message: "the callback is not declared" }],
    faults: [{ place: "#/a", message: "the schema has no type" }],
    unchecked: [{ place: "#/b", message: "multipleOf 0.5" }, { place: "#/c", message: "multipleOf 0.1" }],
  });

  assertEquals(
    formatReport(report),
    `Shop: 4 of 5 operations declared, 1 of 2 webhooks declared, 2 exactly, 3 with changes

Further files:
  file:///a.json

Left out:
  fetch cannot send TRACE: GET /e
  it has no body, which a webhook needs: POST sent

Not declared:
  the callback is not declared: #/paths/~1a/get/callbacks/seen

Faults of the document:
  the schema has no type: #/a

Changed:
  its server is https://b.example.com; pass that as the baseUrl: GET /b
  the header … of the response … is text: 3 times, first the header x-page of the response 200 is text: GET /a
  the response 200 is text/csv only, not text/html: GET /a

Not checked:
  multipleOf …: 2 times, first multipleOf 0.5: #/b
`,
  );
});

Deno.test("formatReport() has 20 lines of messages in a section at most, and few files", () => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode("a".charCodeAt(0) + index));
  const changes = letters.map((letter) => `${letter.repeat(3)} is not known`);
  const report = reportOf({ "GET /a": changes }, { files: letters.map((letter) => `file:///${letter}.json`) });
  const lines = formatReport(report).split("\n");

  assertEquals(lines.slice(2, 7), [
    "Further files:",
    "  file:///a.json",
    "  file:///b.json",
    "  file:///c.json",
    "  and 23 more",
  ]);
  assertEquals(lines.slice(28), ["  ttt is not known: GET /a", "  and 6 other kinds; --report writes all of them", ""]);
});

Deno.test("formatReport() takes no time out of proportion for long messages", () => {
  const long = ["a/".repeat(50_000), `"${"\\".repeat(50_000)}`, "parameter ".repeat(10_000), "1.".repeat(50_000)];
  const start = processorTime();
  formatReport(reportOf({ "GET /a": long }));
  assertEquals(processorTime() - start < 2_000, true);
});
