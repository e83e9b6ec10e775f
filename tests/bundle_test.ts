import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { bundle } from "./bundle.ts";

/** The most bytes that a bundle may have in gzip. The aims are 3.5 KiB for a client, 3 KiB for a contract and 8 KiB for a server. */
const maxClient = 8300;
const maxContract = 4400;
const maxServer = 14_700;
const maxOpenApi = 8200;

/** The most bytes in gzip that may be left of a contract that nobody uses. The aim is nothing. */
const maxUnused = 100;

Deno.test("a client's bundle has no file of the server's", async () => {
  const { files, gzipBytes } = await bundle(`export * from "@scope/api/client";`);
  console.log(`client: ${gzipBytes} bytes in gzip`);

  assert(files.includes("src/client/client.ts"));
  assertEquals(
    files.filter((file) => /^src\/(?:server|fetch|openapi)\/|^(?:mod|server|fetch|openapi)\.ts$/.test(file)),
    [],
  );
  assertLessOrEqual(gzipBytes, maxClient);
});

Deno.test("a contract's bundle has no file of a client's or server's", async () => {
  const { files, gzipBytes } = await bundle(`export * from "@scope/api";`);
  console.log(`contract: ${gzipBytes} bytes in gzip`);

  assert(files.includes("src/contract/contract.ts"));
  assertEquals(files.filter((file) => /^src\/(?:client|server|fetch|openapi|wire)\//.test(file)), []);
  assertLessOrEqual(gzipBytes, maxContract);
});

Deno.test("a server's bundle has no file of a client's", async () => {
  const { files, gzipBytes } = await bundle(
    `export * from "@scope/api"; export * from "@scope/api/server"; export * from "@scope/api/fetch";`,
  );
  console.log(`contract, server and fetch: ${gzipBytes} bytes in gzip`);

  assert(files.includes("src/fetch/adapter.ts"));
  assertEquals(files.filter((file) => /^src\/(?:client|openapi)\//.test(file)), []);
  assertLessOrEqual(gzipBytes, maxServer);
});

Deno.test("a bundle that describes a contract has no file of a client's or server's, nor of the command", async () => {
  const { files, gzipBytes } = await bundle(`export * from "@scope/api/openapi";`);
  console.log(`openapi: ${gzipBytes} bytes in gzip`);

  assert(files.includes("src/openapi/document.ts"));
  assertEquals(files.filter((file) => /^src\/(?:client|server|fetch)\/|^openapi_cli\.ts$/.test(file)), []);
  assertLessOrEqual(gzipBytes, maxOpenApi);
});

Deno.test("a name that is imported and not used leaves nothing in a bundle", async () => {
  const { bytes } = await bundle(`import { route } from "@scope/api";`);

  assertEquals(bytes, 0);
});

Deno.test("an import for its effects alone leaves little in a bundle, for there are none", async () => {
  const { gzipBytes } = await bundle(`import "@scope/api";`);
  console.log(`unused: ${gzipBytes} bytes in gzip`);

  assertLessOrEqual(gzipBytes, maxUnused);
});
