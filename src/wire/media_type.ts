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

/**
 * A media type as it is serialised (MIME Sniffing Standard, section 4.5), in lower case as a `File` has it:
 * `text/html;charset=utf-8`. Malformed parameters are left out; the result is empty where `text` is not a media type.
 */
export function normalizeMediaType(text: string): string {
  const [start, essence] = typeAndSubtype.exec(text) ?? [];
  if (start === undefined) return "";
  const parameters = new Map<string, string>();
  for (const [, name, quoted, token] of text.slice(start.length).toLowerCase().matchAll(parameter)) {
    const value = token ?? (/^[\w!#$%&'*+.^`|~-]+$/.test(quoted!) ? quoted : `"${quoted}"`);
    if (!parameters.has(name!)) parameters.set(name!, `;${name}=${value}`);
  }
  return essence!.toLowerCase() + [...parameters.values()].join("");
}

const typeAndSubtype = /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?=;|$)/;
const parameter =
  /;[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[ !#-[\]-~]|\\[ -~])*)"[^;]*|([\w!#$%&'*+.^`|~-]+)[ \t]*(?=;|$))/g;
