import { routesOf } from "../../contract/node.ts";
import { messageOf } from "../../messages.ts";
import { importContract, type ImportedContract, type OpenApiSource } from "../import/import_contract.ts";
import type { Json } from "../json_schema/json.ts";
import { declares } from "../testing/draw_slots.ts";
import type { Caller } from "../testing/encode_request.ts";
import { createShow } from "../testing/finding.ts";
import { createGuard } from "../testing/foreign.ts";
import { createKnown } from "../testing/known.ts";
import type { FieldSlot, TestedRoute } from "../testing/route_plan.ts";
import { openTarget, type TargetHandler } from "../testing/target.ts";
import { planContract, type TestRun } from "../testing/test_run.ts";
import { summarizeDocument, withBasePath } from "./document.ts";
import type { AuditReport } from "./report.ts";
import { BudgetedSender } from "./sender.ts";
import {
  type AuditOptions,
  type AuditSettings,
  type AuditTarget,
  failAudit,
  readAuditSettings,
  readCredentials,
  readTarget,
  secretsOf,
} from "./settings.ts";
import { isMissing, toReport } from "./to_report.ts";
import { type AuditedServer, visitOperations } from "./visit_operations.ts";

/**
 * Audits a server: calls the operations of its OpenAPI document, and reports where its answers differ from what the
 * document says. Sends one request at a time, and only GET and HEAD unless `write` is set.
 *
 * @example A server that answers a member which its document does not describe
 * ```ts
 * import { auditServer } from "@scope/api/audit";
 * import { assertEquals } from "@std/assert";
 *
 * const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
 * const document = {
 *   openapi: "3.1.0",
 *   info: { title: "Me", version: "1.0.0" },
 *   paths: { "/me": { get: { responses: { 200: { description: "", content: { "application/json": { schema } } } } } } },
 * };
 *
 * const report = await auditServer(document, () => Response.json({ name: "Ada", password: "lovelace" }));
 * assertEquals(report.outcome, "drift");
 * assertEquals(report.operations.map(({ operation, verdict }) => [operation, verdict]), [["GET /me", "undocumented"]]);
 * ```
 *
 * @param document An OpenAPI document of version 3.0, 3.1 or 3.2, or of Swagger 2.0, or one with its files as
 * `readOpenApi()` returns it.
 * @param target The URL of the server, or a function like `fetch`. The path of a URL replaces that of the document's
 * servers: `https://example.com/v2`, or `https://example.com/` for none. A URL without a path keeps theirs, unless all
 * requests are answered 404 there and others are not at the root, which the report then says.
 * @throws {TypeError} If the document cannot be read, or an option is invalid.
 */
export async function auditServer(
  document: object | OpenApiSource,
  target: string | URL | TargetHandler,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const date = new Date().toISOString();
  const settings = readAuditSettings(options);
  const { server, basePath } = readTarget(target);
  const first = await auditAt(document, { server, basePath }, settings);
  const { isMissing, documented: own, ...report } = first;
  if (!isMissing || basePath !== undefined || own === "" || typeof target === "function") return { ...report, date };
  const second = await auditAt(document, { server, basePath: "" }, settings);
  if (second.isMissing) return { ...report, date };
  const note =
    `below ${own}, the path of its servers, all requests were answered 404; these are the answers without it`;
  const { isMissing: _, documented: __, ...other } = second;
  return { ...other, requests: report.requests + other.requests, notes: [note], date };
}

interface AuditRun extends Omit<AuditReport, "date"> {
  readonly isMissing: boolean;
  readonly documented: string;
}

async function auditAt(
  document: object | OpenApiSource,
  { server, basePath }: AuditTarget,
  settings: AuditSettings,
): Promise<AuditRun> {
  const source = withBasePath(document, basePath);
  const { contract, report } = read(source, settings);
  const documented = summarizeDocument(document);
  const opened = openTarget(server, settings.write);
  const planned = planContract(contract, opened.baseUrl, undefined);
  const nodes = routesOf(contract.routes);
  const credentials = readCredentials(settings.credentials, nodes);
  const caller: Caller = { credentials, headers: settings.headers, signers: new Map() };
  const sender = new BudgetedSender(await opened.open(), { ...settings, maxTime: settings.maxSeconds * 1_000 });
  const show = createShow(secretsOf(planned.plans.values(), caller, settings), leastMasked);
  const labels = new Map(report.operations.map(({ key, operation }) => [key, operation]));
  const send: TestRun["send"] = (...args) => sender.send(...args);
  const run: TestRun = {
    ...planned,
    isLenient: true,
    isForeign: true,
    limit: settings.timeout,
    runs: 20,
    seed: settings.seed,
    reports: () => true,
    caller,
    openStranger: () => Promise.resolve({ credentials: new Map(), headers: {}, signers: new Map() }),
    values: toGivenValues(planned.plans.values(), settings.values),
    known: createKnown(),
    accepted: new Map(),
    isExplored: true,
    send,
    open: () => Promise.resolve(send),
    openConnect: opened.openConnect,
    against: undefined,
    openAgainst: undefined,
    allows: createGuard(nodes, { baseUrl: opened.baseUrl, mutates: settings.write }),
    isSpent: () => sender.isSpent(),
    documented: {
      hasStatus: (key, status) => documented.hasStatus(labels.get(key) ?? "", status),
      hasType: (key, status, type) => documented.hasType(labels.get(key) ?? "", status, type),
    },
    show,
  };
  const audited: AuditedServer = { run, sender, settings, documented, baseUrl: opened.baseUrl };
  const visits = await visitOperations(report.operations, audited);
  return {
    ...toReport(report.operations, visits, audited),
    isMissing: isMissing(sender.state),
    documented: documented.basePath,
  };
}

/** The fewest characters of a secret that is masked wherever it occurs. Shorter ones may occur in any text. */
const leastMasked = 3;

function read(document: object, { only }: AuditSettings): ImportedContract {
  try {
    return importContract(document, only && { only });
  } catch (error) {
    return failAudit(messageOf(error).replace(/^importContract\(\): |^Cannot import: /, ""));
  }
}

/** Returns the user's values for each route that has a parameter, or a member of its body, of their name. */
function toGivenValues(plans: Iterable<TestedRoute>, values: AuditSettings["values"]): TestRun["values"] {
  const pick = ({ slots, names }: TestedRoute, slot: FieldSlot) => {
    const located = slots[slot]?.located;
    const isOwn = (name: string) => slot === "params" ? names.includes(name) : located && declares(located, name);
    return Object.fromEntries(Object.entries(values).filter(([name]) => isOwn(name)));
  };
  const members = Object.fromEntries(
    Object.entries(values).map(([name, texts]) => [name, texts.flatMap((text) => [text, ...readValue(text)])]),
  );
  return Object.fromEntries(
    [...plans].map((plan) => [plan.node.key, {
      params: pick(plan, "params"),
      query: pick(plan, "query"),
      headers: pick(plan, "headers"),
      members,
    }]),
  );
}

/** Returns the number or boolean that a text may stand for. */
function readValue(text: string): Json[] {
  return /^(?:true|false|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?)$/.test(text) ? [JSON.parse(text)] : [];
}
