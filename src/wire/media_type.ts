/**
 * The essence of a media type: type and subtype in lower case, without parameters (RFC 9110, section 8.3.1) or the spaces and tabs
 * around it. What is not one media type has an essence that equals no other.
 */
export function mediaTypeEssence(contentType: string): string {
  const [, essence] = severalTypes.test(contentType) ? [] : firstWord.exec(contentType) ?? [];
  return (essence ?? contentType).toLowerCase();
}

/** A comma outside of quotation marks: it joins the values of a repeated field. */
const severalTypes = /^(?:[^",]|"(?:[^"\\]|\\.)*")*,/;

/** What stands before the parameters. White space is spaces and tabs (RFC 9110, section 5.6.3), not all that `trim` takes. */
const firstWord = /^[ \t]*([^ \t;]+)[ \t]*(?:;|$)/;
