/**
 * A response with other header fields: the same one, or a copy where its fields cannot be changed, as those of a response that was
 * fetched. A response that switches protocols stays as it is.
 */
export function editHeaders(response: Response, edit: (headers: Headers) => void): Response {
  if (response.status === 101) return response;
  try {
    edit(response.headers);
    return response;
  } catch {
    const headers = new Headers(response.headers);
    edit(headers);
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers });
  }
}
