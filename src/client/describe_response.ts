/** What an error's message says of a response that is not a declared one. */

/** The most characters of a header field that a message quotes. */
const quotedLength = 200;

/** Why a status is not one of those declared; a redirect says where to, and how to follow it. */
export function describeStatus(response: Response, declared: Iterable<number>): string {
  const { status, type, headers } = response;
  const states = `(declared: ${[...declared].join(", ")})`;
  const follow = `pass init: { redirect: "follow" } to follow redirects`;
  if (type === "opaqueredirect") {
    return `a redirect, which the browser hides, is not a declared status ${states}; ${follow}`;
  }
  const location = status >= 300 && status <= 399 ? headers.get("location") : null;
  const target = location === null ? "" : `; it redirects to ${quoteField(location)}; ${follow}`;
  return `status ${status} is not declared ${states}${target}`;
}

/** A header field that another server wrote, in quotation marks: at most its beginning, in printable ASCII. */
export function quoteField(value: string): string {
  const text = value.length > quotedLength ? `${value.slice(0, quotedLength)}…` : value;
  return JSON.stringify(text).replace(
    /[^ -~…]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
