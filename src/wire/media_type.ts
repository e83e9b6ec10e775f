/**
 * The essence of a media type: type and subtype in lower case, without parameters (RFC 9110, section 8.3.1). What is not one
 * media type has an essence that equals no other.
 */
export function mediaTypeEssence(contentType: string): string {
  const end = severalTypes.test(contentType) ? -1 : contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** A comma outside of quotation marks: it joins the values of a repeated field. */
const severalTypes = /^(?:[^",]|"(?:[^"\\]|\\.)*")*,/;
