import { type Contract } from "../contract/contract.ts";
import { routesOf } from "../contract/routes_of.ts";
import { type SecurityScheme } from "../contract/security_scheme.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { isMarked } from "../mark.ts";
import { type Verifier } from "./security.ts";

/**
 * Returns the verifiers of a contract's security schemes. Throws a `TypeError` that lists the missing and unknown ones.
 */
export function checkVerifiers(contract: Contract, value: unknown): readonly Verifier[] {
  if (!Array.isArray(value) || !value.every((each) => isMarked(each, "verifier"))) {
    refuse("security must be a list of verifiers; write [verify(scheme, …)]");
  }
  const verifiers: readonly Verifier[] = Object.freeze([...value as Verifier[]]);
  const schemes = schemesOf(contract);
  const verified = verifiers.map(({ scheme }) => scheme);
  const problems = [
    ...schemes.filter((scheme) => !verified.includes(scheme)).map(({ name }) =>
      `the security scheme ${JSON.stringify(name)} has no verifier; add verify(${name}, …) to security`
    ),
    ...verified.filter((scheme) => !schemes.includes(scheme)).map(({ name }) =>
      `security verifies ${JSON.stringify(name)}, which is not a security scheme of the contract; remove it`
    ),
    ...verified.filter((scheme, index) => verified.indexOf(scheme) !== index).map(({ name }) =>
      `security verifies ${JSON.stringify(name)} twice; keep one`
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
  throw new TypeError(`Cannot define a server: ${state}`);
}
