/** The output of the command `diff/cli`. */
import { toLines, toOneLine } from "../../messages.ts";
import type { SchemaProvider } from "../openapi/slot_schemas.ts";
import { type Change, type ChangeVerdict, verdicts } from "./change.ts";
import { type ContractOrDocument, diffContracts } from "./diff_contracts.ts";

/** One side of a comparison. */
export interface ReportedSide {
  /** The contract or the document. */
  readonly contract: ContractOrDocument;
  /** Returns replacements for its schemas that do not convert. */
  readonly supply?: SchemaProvider | undefined;
}

export interface ReportOptions {
  /** The mildest verdict that fails, or `none`. */
  readonly failOn: string;
  /** The text of the file with accepted changes. */
  readonly accepted: string;
  /** Whether changes are written as JSON. */
  readonly isJson: boolean;
  /** The number of values that are tried for each slot. */
  readonly samples: string;
}

/** The result of a comparison. */
export interface Report {
  /** The text of the changes. */
  readonly output: string;
  /** Warnings about accepted changes that do not occur, so that they are removed from the list. */
  readonly warnings: readonly string[];
  /** Whether a change fails that is not accepted. */
  readonly isFailed: boolean;
}

/** Compares two contracts for the command. */
export function reportDiff(before: ReportedSide, after: ReportedSide, options: ReportOptions): Report {
  const failOn = checkVerdict(options.failOn);
  const accepted = parseAccepted(options.accepted);
  const schema: SchemaProvider = (...place) => before.supply?.(...place) ?? after.supply?.(...place);
  const changes = diffContracts(before.contract, after.contract, { samples: checkCount(options.samples), schema });
  const unused = accepted.filter((each) => !changes.some((change) => findAcceptance(change, [each])));
  return {
    output: options.isJson ? `${toLines(JSON.stringify(changes, null, 2))}\n` : formatChanges(changes, accepted),
    warnings: unused.map(({ rule, route, where }) => toOneLine(`Accepted, but not found: ${rule}  ${route}  ${where}`)),
    isFailed: failOn !== undefined &&
      changes.some((change) => isAsSevere(change.verdict, failOn) && !findAcceptance(change, accepted)),
  };
}

function checkVerdict(text: string): ChangeVerdict | undefined {
  if (text === "none") return undefined;
  const verdict = verdicts.find((each) => each === text);
  if (verdict) return verdict;
  throw new TypeError(
    `Cannot compare contracts: --fail-on must be one of ${verdicts.join(", ")} and none, got ${text}`,
  );
}

function checkCount(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new TypeError(
      `Cannot compare contracts: --samples must be a non-negative integer, got ${text}`,
    );
  }
  return Number(text);
}

/** A change that was accepted. It is listed but does not fail. */
interface Acceptance {
  /** The rule of the change. */
  readonly rule: string;
  /** The key of the route. */
  readonly route: string;
  /** The slot and the place in it; `-` for the whole route. */
  readonly where: string;
  /** Why it is accepted. */
  readonly reason: string;
}

/**
 * Reads a list of accepted changes, one per line: the output of the command without the verdict, followed by a reason.
 * Tabs, or two or more spaces, separate the fields. Lines that begin with `#` are comments.
 *
 * @throws {TypeError} If a line lacks a reason.
 */
function parseAccepted(text: string): Acceptance[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const fields = line.trim().split(/\t+|\s{2,}/);
    if (line.trim() === "" || line.startsWith("#")) return [];
    const [rule = "", route = "", where = "", ...reason] = fields;
    if (reason.length === 0) {
      throw new TypeError(
        `Cannot accept changes: line ${
          index + 1
        } lacks a field; write the rule, the route, the place (- for none) and a reason`,
      );
    }
    return [{ rule, route, where, reason: reason.join("  ") }];
  });
}

/** Returns the acceptance of a change, if there is one. */
function findAcceptance(
  { rule, route, where }: Change,
  accepted: readonly Acceptance[],
): Acceptance | undefined {
  return accepted.find((each) => each.rule === rule && each.route === route && each.where === (where || "-"));
}

/** Tests whether a verdict is at least as severe as another one. */
function isAsSevere(verdict: ChangeVerdict, failOn: ChangeVerdict): boolean {
  return verdicts.indexOf(verdict) <= verdicts.indexOf(failOn);
}

/** Formats changes as a table. */
function formatChanges(changes: readonly Change[], accepted: readonly Acceptance[]): string {
  const rows = changes.map((change) => {
    const { verdict, rule, route, where, message, witness } = change;
    const acceptance = findAcceptance(change, accepted);
    const shown = witness === undefined ? [] : [JSON.stringify(witness)];
    return [
      acceptance ? "accepted" : verdict,
      rule,
      route,
      where || "-",
      message,
      ...(acceptance ? [`(${acceptance.reason})`] : shown),
    ].map(toOneLine); // documents may contain anything
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()}\n`)
    .join("");
}
