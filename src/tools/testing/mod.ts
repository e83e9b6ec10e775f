/**
 * Tests generated from a contract, for any server that implements it, and valid inputs for your own tests.
 *
 * @module
 */
export { type ContractTest, contractTests } from "./contract_tests.ts";
export { ContractTestError, type Rule } from "./finding.ts";
export type { ContractTestOptions, RouteValues, TestValues } from "./settings.ts";
export { sample, type SampleOptions } from "./sample_input.ts";
export type { Target, TargetHandler } from "./target.ts";
