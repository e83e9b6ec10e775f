/**
 * Audits the mock of every OpenAPI document of a folder: `deno run -A scripts/audit_mocks.ts <folder>`. An audit must find
 * nothing in a server that does what its document says. Prints a row for each document, and each finding.
 */
import { auditServer } from "@scope/api/audit";
import { parseDocument } from "../src/tools/commands.ts";
import { createFaithfulMock } from "./faithful_mock.ts";

/** The most requests to one mock. */
const maxRequests = 4_000;

const [folder = ""] = Deno.args;
const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => /\.(?:json|ya?ml)$/.test(name));

for (const name of names.toSorted()) {
  const text = await Deno.readTextFile(`${folder}/${name}`);
  const document = Object(await parseDocument(text, name, "Cannot audit"));
  const { serve, credentials } = createFaithfulMock(document);
  const options = { credentials, write: true, maxRequests, maxSeconds: 900, timeout: 60_000 };
  const { operations, requests, totals } = await auditServer(document, serve, options);
  const findings = operations.flatMap((each) => each.findings.map(({ message }) => message));
  const row = [name, operations.length, totals.agrees, totals["never reached"], requests, findings.length];
  console.log(`| ${row.join(" | ")} |`);
  for (const message of findings) console.log(`  ${message}`);
}
