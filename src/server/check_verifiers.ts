import { type Contract } from "../contract/contract.ts";
import { routesOf } from "../contract/routes_of.ts";
import { type SecurityScheme } from "../contract/security_scheme.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { describeValue } from "../describe_value.ts";
import { isMarked } from "../mark.ts";
import { type Verifier } from "./security.ts";

/**
 * Returns the verifiers of a contract's security schemes. Throws a `TypeError` that lists the missing and unknown ones.
 */
export function checkVerifiers(contract: Contract, value: unknown): readonly Verifier[] {
  if (!Array.isArray(value)) {
    refuse(`"security" must be an array like [verify(scheme, …)], got ${describeValue(value)}`);
  }
  const wrong = value.findIndex((each) => !isMarked(each, "verifier"));
  if (wrong !== -1) {
    refuse(`"security[${wrong}]" must be made by verify(scheme, …), got ${describeValue(value[wrong])}`);
  }
  const verifiers: readonly Verifier[] = Object.freeze([...value as Verifier[]]);
  const schemes = schemesOf(contract);
  const verified = verifiers.map(({ scheme }) => scheme);
  const problems = [
    ...schemes.filter((scheme) => !verified.includes(scheme)).map(({ name }) =>
      `"security" must verify the scheme "${name}"; add verify(${name}, …)`
    ),
    ...verified.filter((scheme) => !schemes.includes(scheme)).map(({ name }) =>
      `"security" verifies "${name}", which is not a scheme of the contract; remove it`
    ),
    ...verified.filter((scheme, index) => verified.indexOf(scheme) !== index).map(({ name }) =>
      `"security" verifies "${name}" twice; remove one`
    ),
  ];
  if (problems.length > 0) refuse(problems.join("; "));
  return verifiers;
}

function schemesOf({ routes }: Contract): readonly SecurityScheme[] {
  const all = routesOf(routes).flatMap(({ security = [] }) => requirementsOf(security));
  return [...new Set(all.map(({ scheme }) => scheme))];
}

function refuse(state: string): never {
  throw new TypeError(`defineServer(): ${state}`);
}
