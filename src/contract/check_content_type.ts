import { cannotDeclare } from "./declared.ts";

/** `type/subtype` in the characters of registered names (RFC 6838, section 4.2), then parameters that a header can carry. */
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\t -~]*)?$/;

/** Refuses a content type that is no media type. */
export function checkContentType(contentType: unknown, where: string): asserts contentType is string {
  if (typeof contentType === "string" && mediaType.test(contentType)) return;
  cannotDeclare(
    where,
    `contentType ${JSON.stringify(contentType)} is no media type; write one like "application/json"`,
  );
}
