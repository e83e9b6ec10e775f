/**
 * Audits of a server that someone else wrote: where it differs from its OpenAPI document.
 *
 * ```ts
 * import { auditServer, formatAudit } from "@scope/api/audit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const document = {
 *   openapi: "3.1.0",
 *   info: { title: "Health", version: "1.0.0" },
 *   paths: { "/health": { get: { responses: { 204: { description: "It works." } } } } },
 * };
 * const server = () => new Response(null, { status: 200 }); // or its URL
 *
 * const report = await auditServer(document, server);
 * assertStringIncludes(formatAudit(report, "text"), "GET /health was answered 200; GET declares 204");
 * ```
 *
 * The command `@scope/api/audit/cli` writes the report.
 *
 * @module
 */
export { auditServer } from "./audit_server.ts";
export { type AuditFormat, formatAudit } from "./format_audit.ts";
export type { AuditedOperation, AuditFinding, AuditHint, AuditReport, AuditVerdict } from "./report.ts";
export type { AuditOptions } from "./settings.ts";
export type { OpenApiSource } from "../import/import_contract.ts";
export type { Rule } from "../testing/finding.ts";
export type { TargetHandler } from "../testing/target.ts";
export type { Awaitable } from "../../awaitable.ts";
