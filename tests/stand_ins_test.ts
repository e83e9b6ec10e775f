// The stand-ins in links/ must be as strict as the packages on JSR. These tests pass on both.
import { assert, assertEquals } from "@std/assert";
import { serveDir } from "@std/http/file-server";
import { assertType, type IsExact } from "@std/testing/types";

// deno-lint-ignore no-explicit-any -- it is what is compared
type Any = any;

Deno.test("IsExact distinguishes a readonly property from a mutable one", () => {
  assertType<IsExact<{ readonly a: string }, { a: string }>>(false);
  assertType<IsExact<{ a: string }, { readonly a: string }>>(false);
  assertType<IsExact<{ a: { readonly b: string } }, { a: { b: string } }>>(false);
  assertType<IsExact<{ readonly a: string } | undefined, { a: string } | undefined>>(false);
  assertType<IsExact<{ readonly a: string }, { readonly a: string }>>(true);
});

Deno.test("IsExact distinguishes a readonly array from a mutable one", () => {
  assertType<IsExact<readonly string[], string[]>>(false);
  assertType<IsExact<readonly [string], [string]>>(false);
  assertType<IsExact<{ a: readonly string[] }, { a: string[] }>>(false);
  assertType<IsExact<readonly string[], readonly string[]>>(true);
});

Deno.test("IsExact distinguishes any, unknown and never at every depth", () => {
  assertType<IsExact<Any, unknown>>(false);
  assertType<IsExact<Any, never>>(false);
  assertType<IsExact<unknown, never>>(false);
  assertType<IsExact<Any, string>>(false);
  assertType<IsExact<never, string>>(false);
  assertType<IsExact<{ a: Any }, { a: unknown }>>(false);
  assertType<IsExact<{ a: Any }, { a: never }>>(false);
  assertType<IsExact<{ a: Any }, { a: string }>>(false);
  assertType<IsExact<Any, Any>>(true);
  assertType<IsExact<unknown, unknown>>(true);
  assertType<IsExact<never, never>>(true);
});

Deno.test("IsExact distinguishes an optional property from a required one, and unions from their members", () => {
  assertType<IsExact<{ a?: string }, { a: string }>>(false);
  assertType<IsExact<{ a?: string }, { a: string | undefined }>>(false);
  assertType<IsExact<string | undefined, string>>(false);
  assertType<IsExact<boolean, true>>(false);
  assertType<IsExact<boolean, true | false>>(true);
});

const options = { fsRoot: new URL("../examples/chat/public", import.meta.url).pathname, quiet: true } as const;

Deno.test("serveDir() adds the header fields of its options to 200 and 404, and to neither 304 nor 301", async () => {
  const serve = async (path: string, headers: Record<string, string> = {}): Promise<Response> => {
    const request = new Request(`http://localhost${path}`, { headers });
    const response = await serveDir(request, { ...options, headers: ["x-extra: yes"] });
    await response.body?.cancel();
    return response;
  };
  const found = await serve("/page.css");
  const etag = found.headers.get("etag") ?? "";
  const fresh = await serve("/page.css", { "if-none-match": etag });
  const shown = [found, await serve("/nowhere.css"), fresh, await serve("/page.css/")]
    .map(({ status, headers }) => [status, headers.get("x-extra")]);

  assertEquals(shown, [[200, "yes"], [404, "yes"], [304, null], [301, null]]);
  assert(etag !== "");
  assertEquals(fresh.headers.get("etag"), etag);
});
