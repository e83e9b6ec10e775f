import { type SuiteName, suiteNames } from "./suites/all.ts";
import type { Options } from "./suites/suite.ts";
import { systemNames } from "./systems/load.ts";

/** The options on the command line. */
export interface Arguments {
  readonly suites: readonly SuiteName[];
  readonly options: Options;
  /** Whether everything is measured at full length, so that the results are worth keeping. */
  readonly isWhole: boolean;
}

export const usage = `deno task bench [--short] [--only=<suites>] [--systems=<systems>]

  --short     one quick pass, to see that everything works
  --only      ${suiteNames.join(",")}
  --systems   ${systemNames.join(",")}`;

/** Parses the command line; returns `undefined` if it is invalid. */
export function parseArguments(args: readonly string[]): Arguments | undefined {
  const given = new Map(args.map((argument) => {
    const [name = "", value] = argument.split("=", 2);
    return [name, value] as const;
  }));
  const suites = choose(suiteNames, given.get("--only"));
  const systems = choose(systemNames, given.get("--systems"));
  const isKnown = [...given.keys()].every((name) => ["--short", "--only", "--systems"].includes(name));
  if (!isKnown || suites === undefined || systems === undefined) return undefined;
  return { suites, options: { short: given.has("--short"), systems }, isWhole: given.size === 0 };
}

function choose<Name extends string>(names: readonly Name[], list: string | undefined): readonly Name[] | undefined {
  if (list === undefined) return names;
  const chosen = list.split(",");
  return chosen.every((name) => names.some((known) => known === name))
    ? names.filter((name) => chosen.includes(name))
    : undefined;
}
