/** Returns the status that the header field `prefer` of a request asks for: `prefer: code=404` (RFC 7240). */
export function preferredStatus(headers: Headers): number | undefined {
  const field = headers.get("prefer");
  const [, code] = /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?:[,;]|$)/i.exec(field ?? "") ?? [];
  return code === undefined ? undefined : Number(code);
}
