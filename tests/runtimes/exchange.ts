/**
 * Sends text without changes to a server and returns everything that it sends until it closes the connection: requests
 * that `fetch` cannot send.
 */
export async function exchange(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await writeText(connection, text);
  let answer = "";
  for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) answer += chunk;
  return answer;
}

/** Writes the whole of a text to a connection. */
export async function writeText(connection: Deno.Conn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** The status of a raw response, and the text after its fields. */
export function parseAnswer(answer: string): { readonly status: number; readonly body: string } {
  const status = Number(answer.match(/^HTTP\/1\.1 (\d+)/)?.[1]);
  return { status, body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
}
