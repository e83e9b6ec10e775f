/**
 * Runs the contract tests of the benchmark's contract against each library's server, and prints a table of the rules
 * that each one breaks: `deno run --config bench/deno.json --allow-all bench/contract_tests.ts`.
 *
 * @module
 */
import { ContractTestError, contractTests, type Rule } from "@scope/api/testing";
import { system as effect } from "./peers/effect.ts";
import { system as elysia } from "./peers/elysia.ts";
import { system as fets } from "./peers/fets.ts";
import { system as hono } from "./peers/hono.ts";
import { system as honoInput } from "./peers/hono_input.ts";
import { system as orpc } from "./peers/orpc.ts";
import { system as trpc } from "./peers/trpc.ts";
import { system as tsRest } from "./peers/ts_rest.ts";
import { contract, system as ours } from "./systems/ours.ts";
import type { System } from "./systems/system.ts";

/** A rule that a library's server breaks. */
interface Found {
  readonly rule: Rule;
  readonly routes: readonly string[];
  /** The shortest of its messages, without the route. */
  readonly example: string;
}

/** Returns the findings about a server, by rule. */
async function test({ create }: System): Promise<Found[]> {
  const messages = new Map<Rule, { route: string; line: string }[]>();
  for (const { run } of contractTests(contract, { target: create, profile: "http", runs: 40, warn: note })) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ContractTestError)) throw error;
      error.findings.forEach(({ message }) => note(message));
    }
  }
  return [...messages].map(([rule, found]) => ({
    rule,
    routes: [...new Set(found.map(({ route }) => route))],
    example: found.toSorted((left, right) => left.line.length - right.line.length)[0]!.line,
  }));

  function note(message: string): void {
    const [, route = "", rule = "", line = ""] = /^(\S+): ([\w-]+): (.*)/.exec(message) ?? [];
    messages.set(rule as Rule, [...(messages.get(rule as Rule) ?? []), { route, line }]);
  }
}

/** The rules whose findings any author calls a fault. What breaks another rule differs from this contract. */
const faultRules: ReadonlySet<Rule> = new Set(["no-failure", "no-leak"]);

/** The rows of one library. */
interface Rows {
  readonly faults: readonly string[];
  readonly differences: readonly string[];
}

/**
 * Returns the rows of one library. For a library with its own protocol, only rules that do not depend on methods and
 * paths count.
 */
async function listRows(system: System): Promise<Rows> {
  const found = await test(system);
  const { title, protocol } = system;
  const counted = protocol ? found.filter(({ rule }) => rule === "no-leak") : found;
  const own = protocol ? [`| ${title} | | all | not compared: it has procedures, not methods and paths |`] : [];
  const nothing = found.length === 0 ? [`| ${title} | | | no findings |`] : [];
  const toRows = (isFault: boolean) =>
    counted.filter(({ rule }) => faultRules.has(rule) === isFault).map((each) => formatRow(title, each));
  return { faults: toRows(true), differences: [...nothing, ...own, ...toRows(false)] };
}

function formatRow(title: string, { rule, routes, example }: Found): string {
  const shown = example.replace("; the contract refuses it: ", ", though ").replace("; the contract allows it", "")
    .replace(/ a body that the contract does not declare: (\S+) is not allowed/, " $1").replace(
      /(of a stack): .*/,
      "$1",
    );
  const [, asked = shown, answered = ""] = /^([A-Z]+ \/.*?) ((?:by|was) .*)$/.exec(shown) ?? [];
  return `| ${title} | \`${rule}\` | ${routes.join(", ")} | \`${asked}\` ${answered} |`;
}

const { log, error, warn } = console;
console.log = console.error = console.warn = () => {}; // some libraries log their requests
const rows: Rows[] = [];
for (const system of [ours, effect, elysia, fets, hono, honoInput, orpc, tsRest, trpc]) {
  rows.push(await listRows(system));
}
Object.assign(console, { log, error, warn });
const head = ["| library | rule | routes | for example |", "| --- | --- | --- | --- |"];
console.log([...head, ...rows.flatMap(({ faults }) => faults)].join("\n"));
console.log(["", ...head, ...rows.flatMap(({ differences }) => differences)].join("\n"));
