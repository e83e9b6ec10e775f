import { ClientError } from "@scope/api/client";

/** A response with a file or a part of it. */
interface Opened {
  readonly headers: { readonly etag: string };
  readonly body: ReadableStream<Uint8Array>;
  readonly response: Response;
}

/** Yields the bytes of a file, and asks for the rest if a connection breaks, at most `attempts` times in a row. */
export async function* download(
  open: (headers: { range?: string; "if-range"?: string }) => Promise<Opened>,
  attempts = 5,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let etag = "";
  for (let failures = 0; failures < attempts;) {
    try {
      const headers = received === 0 ? {} : { range: `bytes=${received}-`, "if-range": etag };
      const { headers: sent, body, response } = await open(headers);
      const isRest = response.headers.get("content-range")?.startsWith(`bytes ${received}-`) && sent.etag === etag;
      if (received > 0 && !isRest) {
        await body.cancel();
        throw new Error("The file has changed, or the server does not send parts of it");
      }
      etag = sent.etag;
      for await (const chunk of body) {
        received += chunk.byteLength;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== "network" || ++failures === attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 * failures));
    }
  }
}
