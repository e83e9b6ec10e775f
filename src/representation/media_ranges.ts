/** Media ranges in declarations, for representations whose media type can differ between messages. */
import { describeValue } from "../describe_value.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";
import { isResponseWithin, isWithin } from "../wire/media_ranges.ts";
import { type PlannedContentType, type RangeRules } from "./representation.ts";

/** The functions for media ranges that declarations and clients run. */
export const mediaRanges: RangeRules = /* @__PURE__ */ Object.freeze({ toRanges, planContentType, isResponseWithin });

/** A range, or a media type in the characters of registered names (RFC 6838, section 4.2), without parameters. */
const rangePattern = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;

function toRanges(declared: readonly unknown[], refuse: (state: string) => never): readonly string[] | undefined {
  if (declared.length === 1 && !/^[^;]*\*/.test(String(declared[0]))) return undefined;
  if (declared.length === 0) refuse('"contentType" must have at least one media type, got an empty array');
  const ranges: string[] = [];
  for (const each of declared) {
    const range = String(each).toLowerCase();
    if (typeof each !== "string" || !rangePattern.test(range)) {
      refuse(
        `"contentType" must be a media type or range like "image/*" without parameters, got ${describeValue(each)}`,
      );
    }
    if (ranges.includes(range)) refuse(`"contentType" has ${JSON.stringify(each)} twice; remove one`);
    ranges.push(range);
  }
  return Object.freeze(ranges);
}

function planContentType(content: unknown, ranges: readonly string[]): PlannedContentType {
  const isTyped = content instanceof Blob && content.type !== "";
  return {
    defaults: isTyped ? { "content-type": content.type } : undefined,
    checkType: (stated) => {
      if (stated !== null && isWithin(mediaTypeEssence(stated), ranges)) return;
      const found = stated === null ? "none" : JSON.stringify(stated);
      throw new TypeError(`the header "content-type" must be within ${ranges.join(", ")}, got ${found}`);
    },
  };
}
