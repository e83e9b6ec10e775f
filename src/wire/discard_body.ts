/** Cancels the body of a response that will not be read. It does not wait, because an unread copy would block it. */
export function discardBody(response: Pick<Response, "body">): undefined {
  response.body?.cancel().catch(() => {}); // errors of the source are ignored
}
