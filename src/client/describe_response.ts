/** Parts of the messages about responses that the contract does not declare. */

/** The most characters of a header field that a message quotes. */
const quotedLength = 200;

/** Describes a status that is not declared. For a redirect the message includes its target, and how to follow it. */
export function describeStatus(response: Response, declared: Iterable<number>): string {
  const { status, type, headers } = response;
  const isHidden = type === "opaqueredirect";
  const location = status >= 300 && status <= 399 ? headers.get("location") : null;
  const received = isHidden ? "a redirect, which the browser hides," : `status ${status}`;
  const target = location === null ? "" : `; it redirects to ${quoteField(location)}`;
  const follow = target || isHidden
    ? `${target}; declare it, or pass init: { redirect: "follow" } to follow redirects to any server`
    : "";
  return `${received} is not declared (declared: ${[...declared].join(", ")})${follow}`;
}

/** Quotes a header field from another server: at most its beginning, in printable ASCII. */
export function quoteField(value: string): string {
  const text = value.length > quotedLength ? `${value.slice(0, quotedLength)}…` : value;
  return JSON.stringify(text).replace(
    /[^ -~…]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
