/** The report of an audit as one HTML file without scripts, for people who do not read code. */
import {
  type AuditedOperation,
  type AuditHint,
  type AuditReport,
  type AuditVerdict,
  auditVerdicts,
  meanings,
  summarize,
} from "./report.ts";

/** Formats a report as a page. All texts are escaped, and the page may load nothing. */
export function formatHtml(report: AuditReport): string {
  const { title, version, target, date, requests, seed, operations } = report;
  const differing = operations.filter(({ findings }) => findings.length > 0);
  const unreached = operations.filter(({ reason }) => reason !== null);
  const hinted = operations.filter(({ hints }) => hints.length > 0);
  const noted = operations.filter(({ notes }) => notes.length > 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}: audit</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="kind">API audit</p>
<h1>${escape(title)}${version === "" ? "" : ` <small>${escape(version)}</small>`}</h1>
<p class="outcome ${toClass(report.outcome)}">${escape(summarize(report))}</p>
<p>${escape(target)} · ${escape(date.slice(0, 16).replace("T", " "))} UTC · ${requests} requests</p>${
    report.notes.map((note) => `\n<p>${escape(note)}</p>`).join("")
  }
</header>
<main>
${formatTotals(report)}
${formatOverview(operations)}
${section("What differs", differing.map(formatOperation))}
${section("Never reached, or checked in part", unreached.length === 0 ? [] : [formatReasons(unreached)])}
${section("Hints", hinted.length === 0 ? [] : [hintsIntroduction, ...hinted.map(formatHints)])}
${section("Parts of the document that were not checked as it says", noted.map(formatNotes))}
</main>
<footer><p>Seed ${seed}. Requests are repeated by running the audit with it again. Credentials are shown as ***.</p></footer>
</body>
</html>
`;
}

const hintsIntroduction =
  "<p>The document does not promise these, so they are no drift. Clients may still expect them.</p>";

function formatTotals({ totals }: AuditReport): string {
  const items = auditVerdicts.map((verdict) =>
    `<li class="${toClass(verdict)}"><strong>${totals[verdict]}</strong> <b>${verdict}</b> <span>${
      meanings[verdict]
    }</span></li>`
  );
  return `<ul class="totals">\n${items.join("\n")}\n</ul>`;
}

function formatOverview(operations: readonly AuditedOperation[]): string {
  const rows = operations.map(({ operation, summary, verdicts: own, requests }) =>
    `<tr><td>${own.map(formatBadge).join(" ")}</td><td><code>${escape(operation)}</code>${
      summary === null ? "" : `<br><span>${escape(summary)}</span>`
    }</td><td class="number">${requests}</td></tr>`
  );
  return `<section>
<h2>Operations</h2>
<table>
<thead><tr><th scope="col">Verdict</th><th scope="col">Operation</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</section>`;
}

function section(title: string, parts: readonly string[]): string {
  return parts.length === 0 ? "" : `<section>\n<h2>${title}</h2>\n${parts.join("\n")}\n</section>`;
}

function formatOperation({ operation, summary, findings }: AuditedOperation): string {
  const items = findings.map((finding) =>
    `<div class="finding">\n<p>${formatBadge(finding.verdict)} ${meanings[finding.verdict]}</p>\n${
      formatEvidence(finding)
    }\n</div>`
  );
  return article(operation, `${summary === null ? "" : `<p>${escape(summary)}</p>\n`}${items.join("\n")}`);
}

function formatEvidence({ message, curl }: AuditHint): string {
  const command = curl === null ? "" : `\n<pre><code>${escape(curl)}</code></pre>`;
  return `<p class="message">${escape(message)}</p>${command}`;
}

function article(operation: string, content: string): string {
  return `<article>\n<h3><code>${escape(operation)}</code></h3>\n${content}\n</article>`;
}

function formatReasons(operations: readonly AuditedOperation[]): string {
  const rows = operations.map(({ operation, reason }) =>
    `<tr><td><code>${escape(operation)}</code></td><td>${escape(reason ?? "")}</td></tr>`
  );
  return `<table>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`;
}

function formatHints({ operation, hints }: AuditedOperation): string {
  return article(operation, hints.map(formatEvidence).join("\n"));
}

function formatNotes({ operation, notes }: AuditedOperation): string {
  return article(operation, `<ul>\n${notes.map((note) => `<li>${escape(note)}</li>`).join("\n")}\n</ul>`);
}

function formatBadge(verdict: AuditVerdict): string {
  return `<span class="badge ${toClass(verdict)}">${verdict}</span>`;
}

function toClass(verdict: AuditVerdict | AuditReport["outcome"]): string {
  return verdict.replaceAll(" ", "-");
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll("&#60;", "&lt;").replaceAll("&#62;", "&gt;");
}

const style = `
:root { color-scheme: light dark; --text: #1c1c1e; --soft: #5b5b66; --page: #fff; --box: #f4f4f6; --line: #d9d9df;
  --undocumented: #b3261e; --looser: #a1440b; --stricter: #7a5b00; --never-reached: #5b5b66; --agrees: #1b6e3c; }
@media (prefers-color-scheme: dark) { :root { --text: #ececf1; --soft: #a9a9b4; --page: #17171a; --box: #232328; --line: #3a3a42;
  --undocumented: #ff8a80; --looser: #ffb27a; --stricter: #f0cf65; --never-reached: #a9a9b4; --agrees: #7bd89b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; } h1 small { color: var(--soft); font-size: 1rem; font-weight: 400; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.3rem; } h3 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
p { margin: .5rem 0; } header > p, footer, td span:not(.badge), .totals span { color: var(--soft); }
.kind { text-transform: uppercase; letter-spacing: .08em; font-size: .8rem; }
.outcome { border-left: .3rem solid; padding: .6rem .9rem; background: var(--box); font-weight: 600; }
header > .outcome.agrees { color: var(--agrees); } header > .outcome.drift { color: var(--undocumented); }
header > .outcome.not-run { color: var(--stricter); }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .75rem; margin: 1.5rem 0; padding: 0; list-style: none; }
.totals li { border: 1px solid var(--line); border-top: .3rem solid; border-radius: .3rem; padding: .6rem .8rem; }
.totals strong { display: block; font-size: 1.7rem; line-height: 1.2; } .totals span { display: block; font-size: .85rem; }
.undocumented { color: var(--undocumented); } .looser { color: var(--looser); } .stricter { color: var(--stricter); }
.never-reached { color: var(--never-reached); } .agrees { color: var(--agrees); }
.badge { display: inline-block; border: 1px solid; border-radius: .25rem; padding: 0 .4rem; font-size: .82rem; font-weight: 600; white-space: nowrap; }
table { width: 100%; border-collapse: collapse; } th, td { border-bottom: 1px solid var(--line); padding: .45rem .5rem .45rem 0; text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; border: 1px solid var(--line); border-radius: .3rem; padding: .6rem .8rem; background: var(--box); white-space: pre-wrap; }
.message { overflow-wrap: anywhere; } .finding { margin: .75rem 0 1.25rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: .85rem; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .finding, tr, .totals li, pre { break-inside: avoid; } h2, h3 { break-after: avoid; } }
`;
