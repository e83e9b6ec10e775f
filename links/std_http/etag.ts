// Stands in for jsr:@std/http/etag where JSR is out of reach: the same functions, from npm, with their types written out.
// Removing "links" from deno.json must be all it takes to run the original: this may offer less, never more or other.

import * as std from "deno-std/http/etag";

export const eTag: (entity: string | Uint8Array, options?: { weak?: boolean }) => Promise<string | undefined> =
  std.eTag;
export const ifMatch: (value: string | null, etag: string | undefined) => boolean = std.ifMatch;
export const ifNoneMatch: (value: string | null, etag: string | undefined) => boolean = std.ifNoneMatch;
