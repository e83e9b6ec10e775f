/** Media ranges in declarations, for representations whose media type can differ between messages. */
import { mediaTypeEssence } from "../wire/media_type.ts";
import { isResponseWithin, isWithin } from "../wire/media_ranges.ts";
import { type PlannedContentType, type RangeRules } from "./representation.ts";

/** The functions for media ranges that declarations and clients run. */
export const mediaRanges: RangeRules = /* @__PURE__ */ Object.freeze({ toRanges, planContentType, isResponseWithin });

/** A range, or a media type in the characters of registered names (RFC 6838, section 4.2), without parameters. */
const rangePattern = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;

function toRanges(declared: readonly unknown[], refuse: (state: string) => never): readonly string[] | undefined {
  if (declared.length === 1 && !/^[^;]*\*/.test(String(declared[0]))) return undefined;
  if (declared.length === 0) refuse("contentType is an empty list; write at least one media type");
  const ranges: string[] = [];
  for (const each of declared) {
    const range = String(each).toLowerCase();
    if (typeof each !== "string" || !rangePattern.test(range)) {
      refuse(
        `contentType ${JSON.stringify(each)} is no media type or range; write one like "image/*", without parameters`,
      );
    }
    if (ranges.includes(range)) refuse(`contentType lists ${JSON.stringify(each)} twice; write it once`);
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
      const state = stated === null ? "missing" : JSON.stringify(stated);
      throw new TypeError(`the header "content-type" is ${state}; pass one within ${ranges.join(", ")}`);
    },
  };
}
