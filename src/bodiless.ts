/** Whether responses with this status never have content (RFC 9110, sections 15.2, 15.3.5, 15.3.6 and 15.4.5). */
export function isBodiless(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}
