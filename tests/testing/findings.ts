/** Runs contract tests for tests of them. */
import { type ContractTest, ContractTestError } from "@scope/api/testing";

/** The findings of all tests together. */
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

/** The first line of a finding: the route, the rule and the request. */
export function firstLine({ message }: { readonly message: string }): string {
  return message.split("\n", 1)[0]!;
}
