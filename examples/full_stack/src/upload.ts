/** Uploads with progress, which `fetch` does not report. */
import { createClient, unwrap } from "@scope/api/client";
import { xhrFetch } from "@scope/api/xhr";
import { contract } from "../contract.ts";

/** Sends a photo. `onProgress` is called with the part that has been sent, from 0 to 1. */
export async function uploadPhoto(
  id: string,
  photo: File,
  onProgress: (part: number) => void,
): Promise<void> {
  const fetch = xhrFetch({
    onUploadProgress: ({ loaded, total }) => onProgress(loaded / total),
  });
  const client = createClient(contract, { baseUrl: location.origin, fetch });
  unwrap(
    await client.notes.setPhoto({
      params: { id },
      body: new Uint8Array(await photo.arrayBuffer()),
    }),
  );
}
