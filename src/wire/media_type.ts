/**
 * The essence of a media type: type and subtype in lower case, without parameters (RFC 9110, section 8.3.1). What is not one
 * media type has an essence that equals no other.
 */
export function mediaTypeEssence(contentType: string): string {
  const end = severalTypes.test(contentType) ? -1 : contentType.indexOf(";");
  return trimSpace(end === -1 ? contentType : contentType.slice(0, end)).toLowerCase();
}

/** A field's text without the white space around it, which is spaces and tabs (RFC 9110, section 5.6.3), not all that `trim` takes. */
function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** A comma outside of quotation marks: it joins the values of a repeated field. */
const severalTypes = /^(?:[^",]|"(?:[^"\\]|\\.)*")*,/;
