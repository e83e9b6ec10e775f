/**
 * The page with a mock instead of its server: `deno task mock`.
 *
 * @module
 */
import { mockContract } from "@scope/api/mock";
import { contract } from "./contract.ts";
import { showFile } from "./files.ts";

const mock = mockContract(contract, { seed: 1, delay: 100 });

/** The handler, from a `Request` to a `Response`, for a runtime or a test. */
export async function handler(request: Request): Promise<Response> {
  const pathname = URL.parse(request.url)?.pathname ?? "";
  return await showFile(pathname) ?? await mock(request);
}

export default {
  fetch: handler,
  onListen(address): void {
    if ("port" in address) console.log(`Serving made-up data. Open http://localhost:${address.port}/#token=any`);
  },
} satisfies Deno.ServeDefaultExport;
