import type { Mutant } from "./operators.ts";

/** Mutants that no test can detect, and why: the text of a node in a function, wherever the function is. */
export interface Explanation extends Pick<Mutant, "within" | "operator" | "text"> {
  readonly because: string;
}

export const explanations: readonly Explanation[] = [
  {
    within: "readParameters",
    operator: "change the literal",
    text: '""',
    because: "Every match of the pattern has a name and a value, so the defaults only satisfy the compiler.",
  },
];

export function explain({ within, operator, text }: Mutant): Explanation | undefined {
  return explanations.find((each) => each.within === within && each.operator === operator && each.text === text);
}
