/** What an error's message says of a response that is not a declared one. */

/** The most characters of a header field that a message quotes. */
const quotedLength = 200;

/** Why a status is not one of those declared; a redirect says where to, and how to follow it. */
export function describeStatus(response: Response, declared: Iterable<number>): string {
  const { status, type, headers } = response;
  const isHidden = type === "opaqueredirect";
  const location = status >= 300 && status <= 399 ? headers.get("location") : null;
  const received = isHidden ? "a redirect, which the browser hides," : `status ${status}`;
  const target = location === null ? "" : `; it redirects to ${quoteField(location)}`;
  const follow = target || isHidden ? `${target}; pass init: { redirect: "follow" } to follow redirects` : "";
  return `${received} is not declared (declared: ${[...declared].join(", ")})${follow}`;
}

/** A header field that another server wrote, in quotation marks: at most its beginning, in printable ASCII. */
export function quoteField(value: string): string {
  const text = value.length > quotedLength ? `${value.slice(0, quotedLength)}…` : value;
  return JSON.stringify(text).replace(
    /[^ -~…]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
