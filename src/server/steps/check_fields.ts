/**
 * Validates fields by a schema, and offers it lists. A form or query cannot distinguish a value from a list of one.
 */
import { type Ready, whenReady } from "../../awaitable.ts";
import { isObject } from "../../mark.ts";
import { type Check, type Checked, type Issue, stepKey } from "../../schema.ts";
import type { Fields } from "../../wire/text_fields.ts";

/**
 * Validates fields. If the schema rejects a single string or file at a key, it is validated again with that value as a
 * list of one. If it is a union of objects, lists are offered at the keys at which an alternative needs one.
 */
export function checkFields(check: Check, fields: Fields<string | File>): Ready<Checked> {
  return whenReady(check(fields), (first) => first.issues ? offerLists(check, fields, first.issues) : first);
}

function offerLists(check: Check, fields: Fields<string | File>, first: readonly Issue[]): Ready<Checked> {
  const isSingle = (key: string | undefined): key is string =>
    key !== undefined && Object.hasOwn(fields, key) && !Array.isArray(fields[key]);
  const refused = first.map(soleKey).filter(isSingle);
  const offers = refused.length > 0 ? [refused] : listOffers(first, isSingle);
  const most = refused.length > 0 ? 1 + maxOffers : maxOffers;
  const offerNext = (index: number, issues: readonly Issue[]): Ready<Checked> => {
    const offer = index < most && offers[index];
    if (!offer) return { issues };
    const keys = new Set<string | undefined>(offer);
    const offered = Object.entries(fields).map(([key, value]) => [key, keys.has(key) ? [value] : value]);
    return whenReady(check(Object.fromEntries(offered)), (checked) => {
      if (!checked.issues) return checked;
      const further = listOffers(checked.issues, (key) => isSingle(key) && !keys.has(key));
      offers.push(...further.map((each) => [...offer, ...each]));
      return offerNext(index + 1, offer === refused ? remainingIssues(first, checked.issues, keys) : issues);
    });
  };
  return offerNext(0, first);
}

/** The most offers for the alternatives of a union. */
const maxOffers = 8;

/**
 * Lists the keys to offer as lists for the alternatives of a union: all that need one, those of each alternative, and
 * each alone. The issue of a union has no path, and contains the issues of its alternatives.
 */
function listOffers(issues: readonly Issue[], isOffered: (key: string | undefined) => boolean): string[][] {
  const groups = issues.filter(isOfWhole).flatMap(alternativesOf)
    .map((group) => group.filter(needsList).map(soleKey).filter(isOffered) as string[]);
  const keys = [...new Set(groups.flat())];
  return keys.length < 2
    ? [keys].filter(({ length }) => length > 0)
    : [keys, ...groups, ...keys.slice(0, maxOffers).map((key) => [key])];
}

function isOfWhole({ path = [] }: Issue): boolean {
  return path.length === 0;
}

/** Returns the issues of each alternative of a union: of Zod 4 and 3, or of all alternatives, of Valibot and ArkType. */
function alternativesOf(issue: Issue): readonly (readonly Issue[])[] {
  const { errors, issues, unionErrors } = issue as { readonly [Name in "errors" | "issues" | "unionErrors"]?: unknown };
  const found = unionErrors ?? errors ?? issues;
  if (!Array.isArray(found)) return [];
  const lists = found.map((each) => isObject(each) && !("path" in each) && each.issues || each);
  const groups: Issue[][] = lists.every(Array.isArray) ? lists : [lists];
  return groups.flatMap((group) => [group, ...group.filter(isOfWhole).flatMap(alternativesOf)]);
}

/**
 * Returns whether an issue says that a list is expected, in the terms of Zod, Valibot and ArkType. A union of several
 * lists says so for each of them.
 */
function needsList(issue: Issue): boolean {
  const { expected } = issue as { readonly expected?: unknown };
  return /^(?:an )?(?:array|tuple)$/i.test(String(expected)) || alternativesOf(issue).flat().some(needsList);
}

/**
 * Returns the issues of the first validation, without those that the lists fixed. If the schema accepts a list at a
 * key, but not its element, the issues of the element replace those of the key. If only other issues are left, those of
 * the second.
 */
function remainingIssues(
  first: readonly Issue[],
  second: readonly Issue[],
  offered: ReadonlySet<string | undefined>,
): readonly Issue[] {
  const ofLists = new Map<string | undefined, Issue[]>(); // those of their elements
  for (const issue of second) {
    const key = firstKey(issue);
    const ofElements = ofLists.get(key) ?? [];
    ofLists.set(key, ofElements);
    if (issue.path && issue.path.length > 1) ofElements.push(issue);
  }
  const left = first.flatMap((issue) => {
    const key = soleKey(issue);
    const ofElements = ofLists.get(key);
    if (!offered.has(key) || ofElements?.length === 0) return [issue];
    ofLists.delete(key); // they replace all issues of the key
    return ofElements ?? [];
  });
  return left.length > 0 ? left : second;
}

/** Returns the key of a field that an issue is about, if the path is that key alone. */
function soleKey(issue: Issue): string | undefined {
  return issue.path?.length === 1 ? firstKey(issue) : undefined;
}

/** Returns the key of the field that contains an issue. */
function firstKey({ path }: Issue): string | undefined {
  const key = path && path.length > 0 ? stepKey(path[0]!) : undefined;
  return key === undefined || typeof key === "symbol" ? undefined : String(key);
}
