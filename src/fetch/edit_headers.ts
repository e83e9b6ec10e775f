/**
 * A response with other header fields: the same one, or a copy where its fields cannot be changed, as those of a response that was
 * fetched. A response that switches protocols stays as it is, and so does one that cannot be sent anyway: its body is being read, or
 * it is `Response.error()`.
 */
export function editHeaders(response: Response, edit: (headers: Headers) => void): Response {
  if (response.status === 101) return response;
  try {
    edit(response.headers);
    return response;
  } catch {
    return copyWith(response, edit);
  }
}

function copyWith(response: Response, edit: (headers: Headers) => void): Response {
  const { status, statusText } = response;
  try {
    const headers = new Headers(response.headers);
    edit(headers);
    return new Response(response.body, { status, statusText, headers });
  } catch {
    return response;
  }
}
