/** Runs contract tests for tests of them. */
import { type ContractTest, ContractTestError } from "@scope/api/testing";

/** What tests found, all together. */
export async function findAll(tests: readonly ContractTest[]): Promise<ContractTestError["findings"]> {
  const found: ContractTestError["findings"][number][] = [];
  for (const { run } of tests) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ContractTestError)) throw error;
      found.push(...error.findings);
    }
  }
  return found;
}

/** The first line of what was found: the route, the rule and the request. */
export function firstLine({ message }: { readonly message: string }): string {
  return message.split("\n", 1)[0]!;
}
