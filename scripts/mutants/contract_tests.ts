/** Breaks the promises about contract tests. */
import { type MutatedFile } from "./mutant.ts";

const faults = ["testing/planted_faults_test.ts"];
const kit = ["testing/contract_tests_test.ts"];

export const contractTests: readonly MutatedFile[] = [
  {
    file: "src/testing/answer.ts",
    tests: kit,
    mutants: [
      { breaks: "an endless body is cancelled", find: "{ maxBytes: maxBodyBytes,", replace: "{ maxBytes: 2 ** 29," },
      {
        breaks: "a slow body is cancelled",
        find: "resolve(expired);\n      controller.abort();",
        replace: "resolve(expired);",
      },
    ],
  },
  {
    file: "src/testing/target.ts",
    tests: kit,
    mutants: [
      { breaks: "a request without a response is aborted", find: ".finally(() => controller.abort())", replace: "" },
    ],
  },
  {
    file: "src/one_line.ts",
    tests: [...kit, "diff/diff_cli_test.ts"],
    mutants: [
      { breaks: "characters that JSON leaves alone are escaped", find: "escaped === character", replace: "false" },
    ],
  },
  {
    file: "src/testing/status_rules.ts",
    tests: [...kit, ...faults],
    mutants: [
      {
        breaks: "a valid request that is refused is found",
        find: 'if (status >= 400) return answered(exchange, "valid-refused"',
        replace: 'if (status >= 600) return answered(exchange, "valid-refused"',
      },
      {
        breaks: "an undeclared 5xx is a failure",
        find: "if (status >= 500 && (!declared",
        replace: "if (status >= 600 && (!declared",
      },
      {
        breaks: "a refusal has the status of the verdict",
        find: "if (status === verdict.status) return checkAllow(exchange);",
        replace: "if (status < 500) return undefined;",
      },
      { breaks: "405 lists the methods", find: "if (missing.length === 0)", replace: "if (missing.length >= 0)" },
      {
        breaks: "the profile http accepts any 4xx",
        find: "if (status >= 400 && status < 500) return true;",
        replace: "",
      },
      {
        breaks: "only the profile http accepts any 4xx",
        find: "if (settings.isLenient && isLenientlyRefused(exchange))",
        replace: "if (isLenientlyRefused(exchange))",
      },
    ],
  },
  {
    file: "src/testing/content_rules.ts",
    tests: faults,
    mutants: [
      {
        breaks: "the content type of a response is compared",
        find: "return essence === mediaTypeEssence(contentType) ?",
        replace: "return essence ?",
      },
      {
        breaks: "bodies are validated",
        find: "const failures = validate(located, value);",
        replace: "const failures = validate(located, value).slice(0, 0);",
      },
      {
        breaks: "undeclared members are distinguished from invalid ones",
        find: "failures.every(({ schema }) => schema === false)",
        replace: "failures.length === 0",
      },
      { breaks: "header fields are validated", find: "each === undefined || each.rule !== undefined", replace: "true" },
      {
        breaks: "items of events are validated",
        find: "sse: (body) => readRecords(body, parseEvents(maxRecordBytes))",
        replace: "sse: () => []",
      },
    ],
  },
  {
    file: "src/testing/session.ts",
    tests: faults,
    mutants: [
      { breaks: "stack traces in responses are found", find: "return [breach, leak]", replace: "return [breach]" },
      { breaks: "a missing response is a failure", find: "mayBreakOff(verdict, reached) ? []", replace: "true ? []" },
    ],
  },
  {
    file: "src/testing/sequences.ts",
    tests: faults,
    mutants: [
      {
        breaks: "created things are looked up",
        find: "{ POST: lookForCreated,",
        replace: "{ POST: lookForSame,",
      },
      {
        breaks: "deleted things are looked up",
        find: "if (!found || !isSuccess(found)) return undefined;",
        replace: "if (found) return undefined;",
      },
      { breaks: "the same PUT is sent twice", find: "contentOf(before) === contentOf(after)", replace: "true" },
    ],
  },
  {
    file: "src/testing/run_cases.ts",
    tests: faults,
    mutants: [
      { breaks: "findings are shrunk", find: "await shrink(broken.choices,", replace: "await shrink([]," },
      {
        breaks: "shrinking keeps to one rule",
        find: "breaches.find(({ rule }) => rule === broken.breach.rule)",
        replace: "breaches[0]",
      },
    ],
  },
  {
    file: "src/testing/credentials_phase.ts",
    tests: faults,
    mutants: [
      {
        breaks: "an unknown credential is sent too",
        find: "const isStrange = choose(choices, 2) === 1;",
        replace: "const isStrange = false;",
      },
      {
        breaks: "a response that repeats the credential is found",
        find: "return isEchoed ?",
        replace: "return false ?",
      },
    ],
  },
  {
    file: "src/testing/head_phase.ts",
    tests: faults,
    mutants: [{
      breaks: "HEAD has the fields of GET",
      find: "if (isSteady && head.headers.get(name) !== value)",
      replace: "if (false)",
    }],
  },
  {
    file: "src/testing/target.ts",
    tests: kit,
    mutants: [
      { breaks: "a URL receives only safe methods", find: "mutates || isSafe(request)", replace: "true" },
      {
        breaks: "a function creates a new server",
        find: "if (target.length > 0) return target;",
        replace: "if (target.length >= 0) return target;",
      },
    ],
  },
  {
    file: "src/testing/wire_request.ts",
    tests: kit,
    mutants: [{
      breaks: "credentials are masked",
      find: 'secrets.includes(name) ? "***" : value',
      replace: "value",
    }],
  },
  {
    file: "src/testing/run_valid.ts",
    tests: kit,
    mutants: [{
      breaks: "a run that finds nothing fails",
      find: "const missing: readonly number[] = [401, 403, 404];",
      replace: "const missing: readonly number[] = [403];",
    }],
  },
  {
    file: "src/testing/check_schemas.ts",
    tests: kit,
    mutants: [
      { breaks: "inaccurate documents are found", find: "verdict.status !== 400 || verdict.route", replace: "true" },
      {
        breaks: "codecs that do not round-trip are found",
        find: "!again.issues && isSame(decoded.value, again.value)",
        replace: "!again.issues",
      },
    ],
  },
  {
    file: "src/testing/same_answers.ts",
    tests: kit,
    mutants: [{
      breaks: "the bodies of two servers are compared",
      find: "isSame(contentOf(answer), contentOf(other))",
      replace: "true",
    }],
  },
  {
    file: "src/testing/settings.ts",
    tests: kit,
    mutants: [{
      breaks: "rules are ignored by route",
      find: "!ignored[rule]?.includes(route)",
      replace: "ignored[rule] === undefined",
    }],
  },
  {
    file: "src/testing/rejections.ts",
    tests: kit,
    mutants: [{ breaks: "unhandled rejections are found", find: "reasons.length > 0", replace: "false" }],
  },
  {
    file: "src/testing/sample_input.ts",
    tests: ["testing/sample_test.ts"],
    mutants: [
      {
        breaks: "samples are accepted by the schema",
        find: "return (checked as { readonly issues?: unknown }).issues === undefined;",
        replace: "return true;",
      },
      {
        breaks: "samples are the output of a codec",
        find: "if (!codecClientOf(schema)) return value;",
        replace: "return value;",
      },
    ],
  },
];
