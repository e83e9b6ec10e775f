import { describeValue } from "../../messages.ts";
import { formatHtml } from "./format_html.ts";
import { formatMarkdown } from "./format_markdown.ts";
import { formatText } from "./format_text.ts";
import type { AuditReport } from "./report.ts";

/** A form of a report. */
export type AuditFormat = "text" | "markdown" | "html" | "json";

const formats: Readonly<Record<AuditFormat, (report: AuditReport) => string>> = {
  text: formatText,
  markdown: formatMarkdown,
  html: formatHtml,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
};

/**
 * Formats the report of an audit: as text for a terminal, as Markdown, as one HTML file without scripts, or as JSON. What
 * comes from the server and its document is escaped in each of them.
 *
 * @example
 * ```ts
 * import { auditServer, formatAudit } from "@scope/api/audit";
 * import { assert } from "@std/assert";
 *
 * const document = {
 *   openapi: "3.1.0",
 *   info: { title: "<Health>", version: "1.0.0" },
 *   paths: { "/health": { get: { responses: { 204: { description: "It works." } } } } },
 * };
 * const report = await auditServer(document, () => new Response(null, { status: 204 }));
 * assert(formatAudit(report, "html").includes("<title>&lt;Health&gt;"));
 * ```
 *
 * @throws {TypeError} If the format is unknown.
 */
export function formatAudit(report: AuditReport, format: AuditFormat): string {
  if (Object.hasOwn(formats, format)) return formats[format](report);
  const known = Object.keys(formats).join(", ");
  throw new TypeError(`formatAudit(): the format must be one of ${known}, got ${describeValue(format)}`);
}
