/**
 * Uploads bytes over a connection that no other request uses. If a server responds before it has read a whole upload,
 * Node keeps the connection open and does not read further requests from it.
 */
export async function uploadApart(
  url: string,
  body: BodyInit,
  contentType = "application/octet-stream",
): Promise<Response> {
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const headers = { "content-type": contentType };
  const response = await fetch(url, { method: "POST", body, headers, client });
  return new Response(await response.arrayBuffer(), response);
}
