import { xhrFetch, type XhrFetchOptions } from "@scope/api/xhr";
import { assertThrows } from "@std/assert";

Deno.test("xhrFetch() throws a TypeError if there is no XMLHttpRequest", () => {
  assertThrows(() => xhrFetch(), TypeError, "XMLHttpRequest is not available; use fetch outside of browsers");
});

Deno.test("xhrFetch() throws a TypeError for invalid options", () => {
  const misspelt = { onProgress: () => {} } as XhrFetchOptions;
  const wrong = { onUploadProgress: true } as unknown as XhrFetchOptions;

  assertThrows(() => xhrFetch(misspelt), TypeError, 'unknown option "onProgress" (allowed: onUploadProgress)');
  assertThrows(() => xhrFetch(wrong), TypeError, '"onUploadProgress" must be a function, got ');
  assertThrows(() => xhrFetch(null as never), TypeError, "xhrFetch(): the options must be an object, got null");
});
