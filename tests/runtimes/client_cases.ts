/**
 * The behavior of a client in every runtime, with a server of the test's own. It runs in the runtime, so it must not
 * use Deno's APIs.
 */
import type { Case } from "./case.ts";
import { changes } from "./client/changes.ts";
import { connections } from "./client/connections.ts";
import { tests } from "./client/contract_tests.ts";
import { failures } from "./client/failures.ts";
import { mocks } from "./client/mocks.ts";
import { lasting } from "./client/lasting.ts";
import { requests } from "./client/requests.ts";
import { results } from "./client/results.ts";

export const clientCases: Readonly<Record<string, readonly Case[]>> = {
  "client requests": requests,
  "client results": results,
  "client failures": failures,
  "client mocks": mocks,
  "changes of contracts": changes,
  "contract tests": tests,
  "lasting clients": lasting,
  connections,
};

/** Runs every case in this process, and returns each result by its group and name. */
export async function runClientCases(baseUrl: string): Promise<Record<string, unknown>> {
  const gave: Record<string, unknown> = {};
  for (const [group, cases] of Object.entries(clientCases)) {
    for (const { name, run } of cases) {
      gave[`${group}: ${name}`] = await run(baseUrl).catch((error) => ({ threw: String(error) }));
    }
  }
  return gave;
}
