/** Breaks comparisons of contracts. */
import { type MutatedFile } from "./mutant.ts";

const rows = ["diff/rows_test.ts"];
const routes = ["diff/routes_test.ts", "diff/executed_routes_test.ts"];

export const changes: readonly MutatedFile[] = [
  {
    file: "src/diff/route_pairs.ts",
    tests: routes,
    mutants: [
      {
        breaks: "the names of parameters do not count",
        find: 'path.replaceAll(/\\{[^}]*\\}/g, "{}")',
        replace: "path",
      },
    ],
  },
  {
    file: "src/diff/shadows.ts",
    tests: routes,
    mutants: [
      {
        breaks: "literals go before parameters",
        find: "if (!first || !isParameter(first[0]))",
        replace: "if (!first)",
      },
      {
        breaks: "a call that was refused cannot be shadowed",
        find: "return issues && issues.length === 0;",
        replace: "return true;",
      },
      {
        breaks: "the call reached the older route",
        find: "findRoute(old, older.method, path) === older &&",
        replace: "",
      },
      {
        breaks: "formats are unproven",
        find: "problem === undefined && !hasFormats(sender, literals)",
        replace: "true",
      },
    ],
  },
  {
    file: "src/diff/route_changes.ts",
    tests: routes,
    mutants: [
      {
        breaks: "new failures do not break",
        find: "/^[45]|^default$/.test(where)",
        replace: "/^default$/.test(where)",
      },
      {
        breaks: "new successes break",
        find: "/^[45]|^default$/.test(where)",
        replace: "/^[245]|^default$/.test(where)",
      },
      { breaks: "a success must stay", find: "hasSuccess(before) && !hasSuccess(after)", replace: "false" },
      { breaks: "renamed parameters are compared", find: "required: required.map(nameOf),", replace: "required," },
      { breaks: "response headers are compared", find: "return [...bodies, ...headers];", replace: "return bodies;" },
    ],
  },
  {
    file: "src/diff/body_changes.ts",
    tests: routes,
    mutants: [
      {
        breaks: "a range accepts the types within it",
        find: "each === type || isInRange(each)",
        replace: "each === type",
      },
      { breaks: "a problem document is not within a range", find: "type === problemType ? isRaw(body) :", replace: "" },
      {
        breaks: "a response of another type breaks",
        find: 'const verdict = isRequest || isIgnored ? "compatible" : "breaking";',
        replace: 'const verdict = "compatible";',
      },
      {
        breaks: "an empty body breaks",
        find: "const verdict = isRequest || (isEmpty && !isRaw(old)) ?",
        replace: "const verdict = isRequest ?",
      },
      {
        breaks: "another representation breaks",
        find: "is === undefined || was === is",
        replace: "is === undefined || true",
      },
      {
        breaks: "a reader of bytes accepts every representation",
        find: 'reader.representation === "bytes" ||',
        replace: "",
      },
      { breaks: "a shorter body breaks", find: 'is < was ? "breaking" :', replace: "" },
      {
        breaks: "a body that becomes required breaks",
        find: "if (old.isOptional === young.isOptional) return [];",
        replace: "return [];",
      },
    ],
  },
  {
    file: "src/diff/security_changes.ts",
    tests: routes,
    mutants: [
      { breaks: "scopes count", find: "&& scopes.every((scope) => own.scopes.includes(scope))", replace: "" },
      {
        breaks: "the place of a credential counts",
        find: "own?.transport === transport &&",
        replace: "own !== undefined &&",
      },
      {
        breaks: "one alternative is enough",
        find: "!other.security.some((wanted)",
        replace: "!other.security.every((wanted)",
      },
    ],
  },
  {
    file: "src/diff/slot_changes.ts",
    tests: [...rows, ...routes, "diff/documents_test.ts"],
    mutants: [
      {
        breaks: "requests and responses are read the other way around",
        find: "const [sent, read] = isRequest ? [before, after] : [after, before];\n  if",
        replace: "const [sent, read] = [before, after];\n  if",
      },
      {
        breaks: "a change with a witness is breaking",
        find: 'difference.verdict === "refuted" || witness !== undefined',
        replace: 'difference.verdict === "refuted"',
      },
      {
        breaks: "live schemas are run",
        find: "const live = hasLiveChange(pair) &&",
        replace: "const live = false &&",
      },
      {
        breaks: "requests and responses are told apart",
        find: 'effort.known[isRequest ? "request" : "response"]',
        replace: "effort.known.request",
      },
      {
        breaks: "a reader without a schema takes everything",
        find: "if (reader.schema === true && !reader.problem && !reader.live) return [];",
        replace: "",
      },
      {
        breaks: "a new member is reported once",
        find: "|| (isPresence(one) && isPresence(other))",
        replace: "",
      },
      {
        breaks: "a schema that does not convert is unproven",
        find: "if (problem !== undefined) return",
        replace: "if (problem !== undefined && false) return",
      },
    ],
  },
  {
    file: "src/diff/witnesses.ts",
    tests: [...rows, ...routes, "diff/documents_test.ts"],
    mutants: [
      {
        breaks: "a witness is valid for the sender",
        find: "if (!isValid(ends.declared, value)) continue;",
        replace: "",
      },
      {
        breaks: "the sender's own schema is run",
        find: "own && own.length > 0",
        replace: "false",
      },
      {
        breaks: "a schema that cannot decide does not count as valid",
        find: "failures.length === 0 && own && issues",
        replace: "failures.length === 0 && isLive && issues",
      },
      { breaks: "the simplest witness is kept", find: "known.weight > weight", replace: "known.weight < weight" },
    ],
  },
  {
    file: "src/diff/read_document.ts",
    tests: ["diff/documents_test.ts"],
    mutants: [
      {
        breaks: "parameters of a path item count",
        find: "[shared.parameters, operation.parameters]",
        replace: "[operation.parameters]",
      },
      {
        breaks: "header names are compared case-insensitively",
        find: "name: String(each.name).toLowerCase()",
        replace: "name: String(each.name)",
      },
      {
        breaks: "a document's security is every operation's",
        find: "operation.security ?? source.whole.security",
        replace: "operation.security",
      },
      {
        breaks: "a body is optional unless it says otherwise",
        find: "isOptional: body.required !== true",
        replace: "isOptional: false",
      },
    ],
  },
  {
    file: "src/diff/report.ts",
    tests: ["diff/diff_cli_test.ts"],
    mutants: [
      { breaks: "accepted changes pass", find: "&& !findAcceptance(change, accepted))", replace: ")" },
      {
        breaks: "milder verdicts pass",
        find: "verdicts.indexOf(verdict) <= verdicts.indexOf(failOn)",
        replace: "true",
      },
      {
        breaks: "a change is accepted by its place, not by its route",
        find: '&& each.where === (where || "-")',
        replace: "",
      },
    ],
  },
];
