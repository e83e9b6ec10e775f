import { describeValue } from "../describe_value.ts";
import { type Representation } from "../representation/representation.ts";
import { cannotDeclare } from "./declared.ts";

/**
 * `type/subtype` in the characters of registered names (RFC 6838, section 4.2), then parameters that a header can
 * carry.
 */
const contentTypePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\t -~]*)?$/;

/**
 * Returns the content type of a declaration: one media type as written, or a frozen list of media types and ranges in
 * lowercase if the representation accepts ranges.
 */
export function toContentType(
  contentType: unknown,
  { ranges }: Representation,
  where: string,
): string | readonly string[] {
  const list = ranges ? [contentType].flat() : [contentType];
  const several = ranges?.toRanges(list, (state) => cannotDeclare(where, state));
  if (several) return several;
  const [only] = list;
  checkContentType(only, where);
  return only;
}

/** Throws a `TypeError` if the content type is not a media type. */
export function checkContentType(contentType: unknown, where: string): asserts contentType is string {
  if (typeof contentType === "string" && contentTypePattern.test(contentType)) return;
  cannotDeclare(
    where,
    `"contentType" must be a media type like "application/json", got ${describeValue(contentType)}`,
  );
}
