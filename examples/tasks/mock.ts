/**
 * The page without its server: `deno task mock` makes all answers up.
 *
 * @module
 */
import { mockContract } from "@scope/api/mock";
import { contract } from "./contract.ts";
import { showFile } from "./files.ts";

const mock = mockContract(contract, { seed: 1, delay: 100 });

/** From a `Request` to a `Response`: what a runtime serves and what a test calls. */
export async function handler(request: Request): Promise<Response> {
  const pathname = URL.parse(request.url)?.pathname ?? "";
  return await showFile(pathname) ?? await mock(request);
}

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(`Making answers up. Open http://localhost:${address.port}/#token=any`);
  },
} satisfies Deno.ServeDefaultExport;
