/**
 * The essence of a media type: type and subtype in lower case, without parameters (RFC 9110, section 8.3.1). What is not one
 * media type has an essence that equals no other.
 */
export function mediaTypeEssence(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** Throws a `TypeError` where a declared content type is no media type. */
export function checkContentType(contentType: unknown, where: string): asserts contentType is string {
  if (typeof contentType === "string" && mediaType.test(contentType)) return;
  throw new TypeError(
    `Cannot declare ${where}: contentType ${
      JSON.stringify(contentType)
    } is no media type; write one like "application/json"`,
  );
}

/** `type/subtype` and parameters (RFC 9110, section 8.3.1), of characters that a header can carry. */
const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[\t -~]*)?$/;
