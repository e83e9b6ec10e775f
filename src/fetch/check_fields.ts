import { type Awaitable, whenReady } from "../awaitable.ts";
import { stepKey } from "../issue.ts";
import { type Check, type Checked, type Issue } from "../schema.ts";
import { type Fields } from "../wire/text_fields.ts";

/**
 * Validates fields. If the schema rejects a single string or file at a key, it is validated again with that value as a
 * list of one. A form or query cannot distinguish a value from a list of one.
 */
export function checkFields(check: Check, fields: Fields<string | File>): Awaitable<Checked> {
  return whenReady(check(fields), (first) => first.issues ? offerLists(check, fields, first.issues) : first);
}

function offerLists(check: Check, fields: Fields<string | File>, first: readonly Issue[]): Awaitable<Checked> {
  const refused = new Set(
    first.map(soleKey).filter((key) => key !== undefined && isSingle(fields, key)),
  );
  if (refused.size === 0) return { issues: first };
  const offered = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, refused.has(key) ? [value] : value]),
  );
  return whenReady(
    check(offered),
    (second) => second.issues ? { issues: remainingIssues(first, second.issues, refused) } : second,
  );
}

/**
 * The issues of the first validation, without those that the lists fixed. If the schema reported other issues the
 * second time, those of the second.
 */
function remainingIssues(
  first: readonly Issue[],
  second: readonly Issue[],
  offered: ReadonlySet<string | undefined>,
): readonly Issue[] {
  const stillRefused = new Set(second.map(firstKey));
  const left = first.filter((issue) => {
    const key = soleKey(issue);
    return !offered.has(key) || stillRefused.has(key);
  });
  return left.length > 0 ? left : second;
}

/** The key of a field that an issue is about, if the path is that key alone. */
function soleKey(issue: Issue): string | undefined {
  return issue.path?.length === 1 ? firstKey(issue) : undefined;
}

/** The key of the field that contains an issue. */
function firstKey({ path }: Issue): string | undefined {
  const key = path && path.length > 0 ? stepKey(path[0]!) : undefined;
  return key === undefined || typeof key === "symbol" ? undefined : String(key);
}

function isSingle(fields: Fields<unknown>, key: string): boolean {
  return Object.hasOwn(fields, key) && !Array.isArray(fields[key]);
}
