/** The size of whole content in bytes, with text as UTF-8. */
export function byteLength(content: string | Uint8Array | ArrayBuffer | Blob): number {
  if (typeof content === "string") return new TextEncoder().encode(content).byteLength;
  return content instanceof Blob ? content.size : content.byteLength;
}
