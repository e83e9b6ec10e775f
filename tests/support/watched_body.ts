/** A body that records how it ended. */
export interface WatchedBody {
  /** The body. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What has happened to it so far. */
  readonly state: () => "open" | "consumed" | "cancelled";
}

/** Returns a body with these chunks. If it stalls, nothing follows them, not even its end. */
export function watchBody(
  chunks: readonly (string | Uint8Array<ArrayBuffer>)[],
  { stalls = false }: { readonly stalls?: boolean } = {},
): WatchedBody {
  let state: ReturnType<WatchedBody["state"]> = "open";
  const left = chunks.map((chunk) => typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller): Promise<void> | void {
      const chunk = left.shift();
      if (chunk) return controller.enqueue(chunk);
      if (stalls) return new Promise(() => {});
      state = "consumed";
      controller.close();
    },
    cancel(): void {
      state = "cancelled";
    },
  }, { highWaterMark: 0 });
  return { stream, state: () => state };
}
