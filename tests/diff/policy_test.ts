/** The policy of a team, the suggested version, and the forms of a report. */
import type { AnyOpenApiDocument } from "@scope/api/diff";
import { assertEquals, assertThrows } from "@std/assert";
import { versionProblem } from "../../src/tools/diff/package_version.ts";
import { parseAccepted, parsePolicy, type PolicyRule } from "../../src/tools/diff/policy.ts";
import { type DiffReport, reportDiff, type ReportOptions } from "../../src/tools/diff/report.ts";

const options: ReportOptions = {
  failOn: "breaking",
  rules: [],
  isStrict: false,
  format: "text",
  samples: 20,
  now: new Date("2026-07-01T12:00:00Z"),
};

const parse = (...rules: readonly object[]): readonly PolicyRule[] =>
  parsePolicy(JSON.stringify({ rules }), "policy.json").rules;

interface Operation {
  readonly status?: string;
  readonly tag?: string;
  readonly sunset?: string;
}

/** A document of operations that send `{ status }`, by their ids. */
function documentOf(operations: Readonly<Record<string, Operation>>, version = "1.4.0"): AnyOpenApiDocument {
  const paths = Object.entries(operations).map(([operationId, { status = "string", tag, sunset }]) => {
    const schema = { type: "object", required: ["status"], properties: { status: { type: status } } };
    const operation = {
      operationId,
      ...(tag !== undefined && { tags: [tag] }),
      ...(sunset !== undefined && { deprecated: true, "x-sunset": sunset }),
      responses: { 200: { description: "", content: { "application/json": { schema } } } },
    };
    return [`/${operationId}`, { get: operation }];
  });
  return { openapi: "3.1.0", info: { title: "It", version }, paths: Object.fromEntries(paths) } as AnyOpenApiDocument;
}

function report(before: AnyOpenApiDocument, after: AnyOpenApiDocument, given: Partial<ReportOptions> = {}): DiffReport {
  return reportDiff({ contract: before }, { contract: after }, { ...options, ...given });
}

const [string, integer] = [documentOf({ "users.byId": {} }), documentOf({ "users.byId": { status: "integer" } })];

Deno.test("the last rule of a policy that matches a change decides its verdict", () => {
  const accept = { rule: "response-widened", where: "* /status", verdict: "compatible", why: "it was a fault" };
  const refuse = { rule: "*", route: "users.*", verdict: "breaking", why: "partners call them" };
  const accepted =
    "accepted  response-widened  users.byId  200 /status  may be a number now  (it was a fault)\nwire: minor, package: minor\n";
  const refused =
    'breaking  response-widened  users.byId  200 /status  may be a number now  {"status":0}\nwire: major, package: major\n';

  assertEquals(report(string, integer).output, refused);
  assertEquals(report(string, integer).isFailed, true);
  assertEquals(report(string, integer, { rules: parse(refuse, accept) }).output, accepted);
  assertEquals(report(string, integer, { rules: parse(refuse, accept) }).isFailed, false);
  assertEquals(report(string, integer, { rules: parse(accept, refuse) }).output, refused);
  const source = parse({ ...accept, verdict: "source" });
  assertEquals(report(string, integer, { rules: source, failOn: "source" }), {
    output:
      'source  response-widened  users.byId  200 /status  may be a number now  {"status":0}  (was breaking: it was a fault)\n' +
      "wire: patch, package: major\n",
    summary: '### Other\n\n- **source** `users.byId` `200 /status` may be a number now, for example `{"status":0}` ' +
      "(response-widened; was breaking: it was a fault)\n\nwire: patch, package: major\n",
    warnings: [],
    isFailed: true,
  });
  const ignored = report(string, integer, { rules: parse({ ...accept, verdict: "ignore" }) });
  assertEquals([ignored.output, ignored.isFailed], ["wire: patch, package: patch\n", false]);
});

Deno.test("a star is one key or a part of one, and two stars are any number of keys", () => {
  const cases: readonly (readonly [rule: Partial<PolicyRule>, isMatch: boolean])[] = [
    [{ route: "users.*" }, true],
    [{ route: "users.**" }, true],
    [{ route: "users.by*" }, true],
    [{ route: "users.byId.**" }, true],
    [{ route: "**.byId" }, true],
    [{ route: "**" }, true],
    [{ route: "*" }, false],
    [{ route: "user.*" }, false],
    [{ route: "users.*.*" }, false],
    [{ route: "users.**.other" }, false],
    [{ where: "200 /status" }, true],
    [{ where: "* /*" }, true],
    [{ where: "2* /**" }, true],
    [{ where: "** /status" }, true],
    [{ where: "*" }, false],
    [{ where: "200 headers /status" }, false],
    [{ where: "-" }, false],
    [{ rule: "response-*" }, true],
    [{ rule: "request-*" }, false],
  ];
  for (const [rule, isMatch] of cases) {
    const rules = parse({ rule: "*", verdict: "ignore", why: "it", ...rule });
    const { output, warnings } = report(string, integer, { rules });
    assertEquals([rule, output === "wire: patch, package: patch\n", warnings.length], [rule, isMatch, isMatch ? 0 : 1]);
  }
});

Deno.test("stars take no time that grows faster than the square of a hostile text", () => {
  const name = "a".repeat(2_000);
  const [before, after] = ["string", "integer"].map((status) => documentOf({ [name]: { status } }));
  const start = performance.now();
  report(before!, after!, { rules: parse({ rule: "*", route: `${"*a".repeat(100)}b`, verdict: "ignore", why: "it" }) });
  assertEquals(performance.now() - start < 2_000, true);
});

// proves diff | A policy accepts the removal of a route only after the sunset that the earlier version announced
Deno.test("a route may be removed when the sunset of its old side is over", () => {
  const rules = parse({ rule: "route-removed", when: "sunset-reached", verdict: "compatible", why: "announced" });
  const verdictFor = (sunset: string | undefined) =>
    report(documentOf({ a: {}, old: sunset === undefined ? {} : { sunset } }), documentOf({ a: {} }), { rules })
      .isFailed;

  assertEquals(["2026-07-01", "2026-07-01T11:59:59Z", "2026-07-02", "soon", undefined].map(verdictFor), [
    false,
    false,
    true,
    true,
    true,
  ]);
});

Deno.test("expired and unused rules are listed, and fail if the policy is strict", () => {
  const ended = { rule: "response-widened", verdict: "compatible", until: "2026-06-30", why: "one consumer" };
  const rules = parse(ended, { rule: "route-removed", route: "a.**", verdict: "ignore", why: "it" });
  const mild = report(string, integer, { rules, failOn: "none" });
  assertEquals(mild.warnings, [
    "Expired rule, since 2026-06-30: response-widened  *  *",
    "Unused rule: route-removed  a.**  *",
  ]);
  assertEquals(mild.isFailed, false);
  assertEquals(report(string, integer, { rules }).isFailed, true);
  assertEquals(report(string, integer, { rules, failOn: "none", isStrict: true }).isFailed, true);
  assertEquals(report(string, integer, { rules: parse({ ...ended, until: "2026-07-01" }) }).isFailed, false);
});

Deno.test("parsePolicy() explains what is wrong with a file", () => {
  const rule = { rule: "*", verdict: "ignore", why: "it" };
  const cases: readonly (readonly [text: string, message: string])[] = [
    ["[]", "policy.json is not a policy: it must be an object, got an array"],
    ['{ "failon": "none" }', 'unknown option "failon"; did you mean "failOn"? (allowed: $schema, failOn, rules)'],
    ['{ "failOn": "all" }', '"failOn" must be one of breaking, unproven, source, compatible, none, got "all"'],
    ['{ "rules": {} }', '"rules" must be an array, got an object'],
    ['{ "rules": [1] }', "policy.json: rule 1: it must be an object, got 1"],
  ];
  for (const [text, message] of cases) assertThrows(() => parsePolicy(text, "policy.json"), TypeError, message);
  const rules: readonly (readonly [rule: object, message: string])[] = [
    [{ ...rule, why: undefined }, '"why" is missing; say the reason'],
    [{ ...rule, why: " " }, '"why" must be a text'],
    [{ ...rule, rule: undefined }, '"rule" is missing'],
    [{ ...rule, rule: "route-remove" }, 'no change has the rule "route-remove"; did you mean route-removed?'],
    [{ ...rule, verdict: "accepted" }, '"verdict" must be one of breaking, unproven, source, compatible, ignore'],
    [{ ...rule, when: "later" }, '"when" must be sunset-reached, got "later"'],
    [{ ...rule, until: "2027-02-30" }, '"until" must be a date such as 2027-03-31, got "2027-02-30"'],
    [{ ...rule, until: 2027 }, '"until" must be a text, got 2027'],
    [{ ...rule, routes: "a" }, 'unknown option "routes"; did you mean "route"?'],
  ];
  for (const [each, message] of rules) {
    assertThrows(() => parse(rule, each), TypeError, `Cannot read the policy: policy.json: rule 2: ${message}`);
  }
});

Deno.test("a list of accepted changes may have stars, and refuses rules that do not exist", () => {
  const rules = parseAccepted("response-*  users.**  * /status  it was a fault\n");
  assertEquals(report(string, integer, { rules }).isFailed, false);
  assertThrows(
    () => parseAccepted("# June\nresponse-wide  a  -  b"),
    TypeError,
    'Cannot accept changes: line 2: no change has the rule "response-wide"',
  );
});

Deno.test("versionProblem() compares versions by their precedence", () => {
  const isTooLow = (before: string, after: string, bump: "major" | "minor" | "patch") =>
    versionProblem({ before, after, bump }) !== undefined;
  const enough: readonly (readonly [before: string, after: string, bump: "major" | "minor" | "patch"])[] = [
    ["1.4.0", "1.4.0", "patch"],
    ["1.4.0", "1.5.0", "minor"],
    ["1.4.9", "2.0.0", "major"],
    ["1.4.0", "2.0.0-rc.1", "major"],
    ["2.0.0-rc.1", "2.0.0-rc.2", "major"],
    ["2.0.0-rc.9", "2.0.0-rc.10", "major"],
    ["2.0.0-rc.1", "2.0.0", "major"],
    ["0.4.1", "0.5.0", "major"],
    ["0.4.1", "0.4.2", "minor"],
    ["0.0.1", "0.0.2", "major"],
    ["v1.4.0", "1.5.0+build", "minor"],
  ];
  const tooLow: typeof enough = [
    ["1.4.0", "1.3.9", "patch"],
    ["1.4.0", "1.4.0-rc.1", "patch"],
    ["1.4.0", "1.4.1", "minor"],
    ["1.4.0", "1.5.0", "major"],
    ["2.0.0-rc.2", "2.0.0-rc.1", "minor"],
    ["2.0.0-rc.1", "2.0.0-rc.1", "minor"],
    ["0.4.1", "0.4.2", "major"],
    ["0.0.1", "0.0.1", "minor"],
  ];
  assertEquals(enough.filter((each) => isTooLow(...each)), []);
  assertEquals(tooLow.filter((each) => !isTooLow(...each)), []);
  assertThrows(() => isTooLow("1.4.0", "1.5", "major"), TypeError, '--version must be like 1.5.0, got "1.5"');
  assertThrows(() => isTooLow("2026", "1.5.0", "major"), TypeError, "--version needs an earlier version like 1.4.0");
});

Deno.test("the markdown of a report is a changelog by tag", () => {
  const before = documentOf({ a: { tag: "users" }, b: {}, c: { tag: "audit" }, "d`*": { tag: "<b>" } });
  const after = documentOf({
    a: { tag: "users", status: "integer" },
    b: { sunset: "2027-01-01" },
    e: { tag: "audit" },
  });
  assertEquals(
    report(before, after, { format: "markdown", version: "1.5.0" }).output,
    `### &lt;b\\>

- **breaking** \`\` d\`* \`\` GET /d\`* was removed (route-removed)

### audit

- **breaking** \`c\` GET /c was removed (route-removed)
- **compatible** \`e\` GET /e was added (route-added)

### users

- **breaking** \`a\` \`200 /status\` may be a number now, for example \`{"status":0}\` (response-widened)

### Other

- **compatible** \`b\` is deprecated now, and is expected to stop working at 2027-01-01 (deprecated)

> The version 1.5.0 is too low: after 1.4.0, the changes need 2.0.0 or later

wire: major, package: major
`.replace("GET /d`*", "GET /d\\`\\*"),
  );
});

Deno.test("a report shows the beginning of a long witness to people, and all of it as JSON", () => {
  const long = JSON.parse(JSON.stringify(string).replace('{"type":"string"}', '{"type":"string","minLength":300}'));
  const beginning = `{"status":"${"a".repeat(188)}…`;
  for (const format of ["text", "markdown", "github"] as const) {
    const { output } = report(integer, long, { format });
    assertEquals([format, output.match(/\{"status":"a+…?/)?.[0]], [format, beginning]);
  }
  const [change] = JSON.parse(report(integer, long, { format: "json" }).output);
  assertEquals(change.witness, { status: "a".repeat(300) });
});

Deno.test("the annotations of a report are commands that no text of a document can end", () => {
  const before = documentOf({ a: {}, "b%0A::error::x\n::warning::y": {}, c: {} });
  const rules = parse({ rule: "*", route: "c", verdict: "source", why: "50% off" });
  assertEquals(
    report(before, documentOf({ a: {} }), { format: "github", rules, file: "api,v1/it:1.ts" }).output.split("\n"),
    [
      "::error file=api%2Cv1/it%3A1.ts,title=breaking route-removed::b%250A::error::x\\n::warning::y  " +
      "GET /b%250A::error::x\\n::warning::y was removed",
      "::notice file=api%2Cv1/it%3A1.ts,title=source route-removed::c  GET /c was removed  (was breaking: 50%25 off)",
      "wire: major, package: major",
      "",
    ],
  );
});
