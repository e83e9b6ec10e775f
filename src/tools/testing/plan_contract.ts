import type { Contract } from "../../contract/contract.ts";
import { routesOf } from "../../contract/node.ts";
import { createLocatedConversions } from "../openapi/locate_converted.ts";
import type { SchemaProvider } from "../openapi/slot_schemas.ts";
import { createLocator } from "./known.ts";
import { createReference } from "./reference.ts";
import { planOutside, planRoute } from "./route_plan.ts";
import type { ContractFacts } from "./test_run.ts";

/**
 * Returns the facts about a contract that its tests share.
 *
 * @param baseUrl The URL of the server, without a trailing slash.
 * @throws {TypeError} If a schema does not convert to JSON Schema.
 */
export function planContract(contract: Contract, baseUrl: string, supply: SchemaProvider | undefined): ContractFacts {
  const nodes = routesOf(contract.routes);
  const conversions = createLocatedConversions();
  return {
    contract,
    plans: new Map(nodes.map((node) => [node.key, planRoute(node, supply, conversions)])),
    outside: planOutside(contract, nodes, supply, conversions),
    judge: createReference(contract),
    locator: createLocator(nodes, baseUrl),
  };
}
