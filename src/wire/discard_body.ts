/** Cancels the body of a response that nobody is going to read. It does not wait: a copy that nobody reads would keep it waiting. */
export function discardBody(response: Pick<Response, "body">): undefined {
  response.body?.cancel().catch(() => {}); // an error of the source changes nothing
}
