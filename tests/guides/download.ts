import { ClientError } from "@scope/api/client";

/** A response with a file or a part of it. */
interface Opened {
  readonly status: 200 | 206;
  readonly headers: { readonly etag: string };
  readonly body: ReadableStream<Uint8Array>;
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
      const { status, headers: sent, body } = await open(headers);
      if (received > 0 && status === 200) {
        await body.cancel();
        throw new Error("The file has changed");
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
