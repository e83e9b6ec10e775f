import { type Mutant } from "./operators.ts";

/** Mutants that no test can detect, and why: the text of a node in a function, wherever the function is. */
export interface Explanation extends Pick<Mutant, "within" | "operator" | "text"> {
  readonly because: string;
}

export const explanations: readonly Explanation[] = [];

export function explain({ within, operator, text }: Mutant): Explanation | undefined {
  return explanations.find((each) => each.within === within && each.operator === operator && each.text === text);
}
