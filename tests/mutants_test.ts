import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { listSourceMutants } from "../scripts/mutants/list.ts";
import { applyMutant, listMutants, operators } from "../scripts/mutants/operators.ts";
import { explanations } from "../scripts/mutants/survivors.ts";
import { syntaxErrors } from "./support/syntax_errors.ts";

const { mutants, sources } = await listSourceMutants(new URL("../", import.meta.url), { only: [], sample: 1, seed: 0 });

/** Returns the sources that an operator makes of one source. */
function mutate(operator: string, source: string): string[] {
  return listMutants("source.ts", source).filter((mutant) => mutant.operator === operator)
    .map((mutant) => applyMutant(source, mutant));
}

Deno.test("each operator of `deno task mutate` breaks code in its own way", () => {
  const examples: readonly (readonly [operator: string, source: string, ...mutants: string[]])[] = [
    ["negate the condition", "if (a) b();", "if (!(a)) b();"],
    ["negate the condition", "c = a ? b : c;", "c = !(a) ? b : c;"],
    ["negate the condition", "if (a === b) c();"],
    ["skip the loop", "while (a) b();", "while (false) b();"],
    ["skip the loop", "for (let a = b; a < c; a++) d();", "for (let a = b; false; a++) d();"],
    ["swap the operator", "a = b === c;", "a = b !== c;"],
    ["swap the operator", "a = b < c;", "a = b <= c;"],
    [
      "swap the operator",
      "a = b && c || d;",
      "a = ((b && c) && (d));",
      "a = ((b) || (c)) || d;",
    ],
    ["swap the operator", 'a = b + "c";'],
    ["drop the fallback", "a = b ?? c;", "a = (b);"],
    ["drop the statement", "a();", ";"],
    ["drop the statement", "throw a;", ";"],
    ["drop the statement", "class A extends B { constructor() { super(); } }"],
    ["empty the body", "function a() { b(); return c; }", "function a() {}"],
    ["empty the body", "a = () => b;", "a = () => undefined;"],
    ["drop the member", "a = { b, c: d };", "a = { ...{}, c: d };", "a = { b, ...{} };"],
    ["drop the member", "a = [b];", "a = [...[]];"],
    ["drop the spread", "a = { ...b, c: [...d] };", "a = { ...{}, c: [...d] };", "a = { ...b, c: [...[]] };"],
    ["change the literal", "a = true;", "a = false;"],
    ["change the literal", "a = 1;", "a = 2;"],
    ["change the literal", 'a = "b";', 'a = "mutant";'],
    ["change the literal", 'throw new TypeError("Cannot do this");'],
    ["change the literal", 'import { a } from "b"; type C = "d"; typeof a === "object";'],
    ["drop an anchor", "a = /^b$/;", "a = /b$/;"],
    ["drop an anchor", "a = /b$/u;", "a = /b/u;"],
    ["keep the receiver", "a = b.toLowerCase();", "a = b;"],
  ];

  assertEquals(new Set(examples.map(([operator]) => operator)), new Set(Object.keys(operators)));
  for (const [operator, source, ...expected] of examples) assertEquals(mutate(operator, source), expected);
});

Deno.test("mutants of the source are code that parses and differs from the source", () => {
  assert(mutants.length > 10_000);
  for (const mutant of mutants.filter((_, index) => index % 97 === 0)) {
    const source = sources.get(mutant.file)!;
    const broken = applyMutant(source, mutant);
    const parsed = ts.createSourceFile(mutant.file, broken, ts.ScriptTarget.Latest);
    assertEquals(syntaxErrors(parsed), [], JSON.stringify(mutant));
    assert(broken !== source, JSON.stringify(mutant));
  }
});

Deno.test("every explained survivor is a mutant of the source", () => {
  const unused = explanations.filter(({ within, operator, text }) =>
    !mutants.some((mutant) => mutant.within === within && mutant.operator === operator && mutant.text === text)
  );
  assertEquals(unused, []);
});
