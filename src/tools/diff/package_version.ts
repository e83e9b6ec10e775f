/** Which version of a package its changes need (Semantic Versioning 2.0.0). */
import { describeValue } from "../../messages.ts";
import type { ChangeVerdict } from "./change.ts";

export type Bump = "major" | "minor" | "patch";

/** What goes up: for those who only exchange messages, and for programs that are compiled with the contract. */
export interface SuggestedBumps {
  readonly wire: Bump;
  readonly package: Bump;
}

/** Returns what changes with these verdicts need. An unproven one counts as breaking. */
export function suggestBumps(verdicts: readonly ChangeVerdict[]): SuggestedBumps {
  const smallest = verdicts.length === 0 ? "patch" : "minor";
  const isBroken = verdicts.some((verdict) => verdict === "breaking" || verdict === "unproven");
  const onWire = verdicts.some((verdict) => verdict === "compatible") ? "minor" : "patch";
  return { wire: isBroken ? "major" : onWire, package: isBroken || verdicts.includes("source") ? "major" : smallest };
}

export function formatBumps({ wire, package: own }: SuggestedBumps): string {
  return `wire: ${wire}, package: ${own}`;
}

export interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  readonly prerelease: string;
}

const format =
  /^v?(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})(?:-([\dA-Za-z.-]{1,200}))?(?:\+[\dA-Za-z.-]{1,200})?$/;

/** Parses a version; `undefined` if a value is not one. A leading `v` is ignored. */
export function parseVersion(text: unknown): Version | undefined {
  const [, major, minor, patch, prerelease = ""] = typeof text === "string" ? format.exec(text) ?? [] : [];
  if (major === undefined) return undefined;
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease };
}

/**
 * Returns why a version is too low for what goes up; `undefined` if it is not. Before 1.0.0, a breaking change raises
 * the minor version, and any other one the patch version. A prerelease promises nothing to the versions after it.
 *
 * @throws {TypeError} If a version is not one, or the earlier one is unknown.
 */
export function versionProblem(
  { before, after, bump }: { readonly before: unknown; readonly after: string; readonly bump: Bump },
): string | undefined {
  const [was, is] = [parseVersion(before), parseVersion(after)];
  if (!is) fail(`must be like 1.5.0, got ${describeValue(after)}`);
  if (before === undefined) {
    fail("needs the earlier version; compare with a package, or with a document that has info.version");
  }
  if (!was) fail(`needs an earlier version like 1.4.0, got ${describeValue(before)}`);
  const least = was.prerelease === "" ? raise(was.numbers, bump) : was.numbers;
  const order = compareVersions(is, was);
  const isEnough = compareLists(is.numbers, least) >= 0 && (bump === "patch" ? order >= 0 : order > 0);
  if (isEnough) return undefined;
  const wanted = was.prerelease === "" ? `${least.join(".")} or later` : "a later one";
  return `the version ${after} is too low: after ${before}, the changes need ${wanted}`;
}

function fail(state: string): never {
  throw new TypeError(`Cannot compare contracts: --version ${state}`);
}

/** Returns the lowest version after another one. Without any change, a version may stay. */
function raise([major, minor, patch]: Version["numbers"], bump: Bump): Version["numbers"] {
  if (bump === "patch") return [major, minor, patch];
  if (major > 0) return bump === "major" ? [major + 1, 0, 0] : [major, minor + 1, 0];
  return bump === "major" && minor > 0 ? [0, minor + 1, 0] : [0, minor, patch + 1];
}

/** Compares versions by their precedence (section 11). */
export function compareVersions(one: Version, other: Version): number {
  const order = compareLists(one.numbers, other.numbers);
  if (order !== 0 || one.prerelease === other.prerelease) return order;
  if (one.prerelease === "" || other.prerelease === "") return one.prerelease === "" ? 1 : -1;
  return compareLists(toIdentifiers(one.prerelease), toIdentifiers(other.prerelease));
}

/** Returns the identifiers of a prerelease; those of digits as numbers, which are lower than all others. */
function toIdentifiers(prerelease: string): (number | string)[] {
  return prerelease.split(".").map((each) => /^\d+$/.test(each) ? Number(each) : each);
}

function compareLists(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const index = one.findIndex((item, at) => item !== other[at]);
  if (index < 0) return one.length - other.length;
  const [item, another] = [one[index]!, other[index]];
  if (another === undefined) return 1;
  if (typeof item !== typeof another) return typeof item === "number" ? -1 : 1;
  return item < another ? -1 : 1;
}
