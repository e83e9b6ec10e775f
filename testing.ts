/**
 * Tests generated from a contract, for any server that implements it, and valid inputs for your own tests.
 *
 * @module
 */
export { type ContractTest, contractTests } from "./src/testing/contract_tests.ts";
export { ContractTestError, type Rule } from "./src/testing/finding.ts";
export type { ContractTestOptions, RouteValues, TestValues } from "./src/testing/settings.ts";
export { sample, type SampleOptions } from "./src/testing/sample_input.ts";
export type { Target, TargetHandler } from "./src/testing/target.ts";
