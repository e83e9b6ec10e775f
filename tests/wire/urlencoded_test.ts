/** The cases of the web platform tests' `url/urlencoded-parser`, of queries and of forms. */
import { assertEquals } from "@std/assert";
import { decodeForm } from "../../src/representation/form.ts";
import { parseQuery } from "../../src/wire/text_fields.ts";

const cases: readonly (readonly [text: string, fields: readonly (readonly [name: string, value: string])[]])[] = [
  ["test", [["test", ""]]],
  ["\uFEFFtest=\uFEFF", [["\uFEFFtest", "\uFEFF"]]],
  ["%EF%BB%BFtest=%EF%BB%BF", [["\uFEFFtest", "\uFEFF"]]],
  ["%EF%BF%BF=%EF%BF%BF", [["\uFFFF", "\uFFFF"]]],
  ["%FE%FF", [["\uFFFD\uFFFD", ""]]],
  ["%FF%FE", [["\uFFFD\uFFFD", ""]]],
  ["†&†=x", [["†", ""], ["†", "x"]]],
  ["%C2", [["\uFFFD", ""]]],
  ["%C2x", [["\uFFFDx", ""]]],
  ["_charset_=windows-1252&test=%C2x", [["_charset_", "windows-1252"], ["test", "\uFFFDx"]]],
  ["", []],
  ["a", [["a", ""]]],
  ["a=", [["a", ""]]],
  ["=b", [["", "b"]]],
  ["&", []],
  ["&a", [["a", ""]]],
  ["a&", [["a", ""]]],
  ["a&a", [["a", ""], ["a", ""]]],
  ["a=b&c=d&", [["a", "b"], ["c", "d"]]],
  ["&&&a=b&&&&c=d&", [["a", "b"], ["c", "d"]]],
  ["a=a&a=b&a=c", [["a", "a"], ["a", "b"], ["a", "c"]]],
  ["a==a", [["a", "=a"]]],
  ["a=a+b+c+d", [["a", "a b c d"]]],
  ["%=a", [["%", "a"]]],
  ["%a=a", [["%a", "a"]]],
  ["%a_=a", [["%a_", "a"]]],
  ["%61=a", [["a", "a"]]],
  ["%61+%4d%4D=", [["a MM", ""]]],
  ["id=0&value=%", [["id", "0"], ["value", "%"]]],
  ["b=%2sf%2a", [["b", "%2sf*"]]],
  ["b=%2%2af%2a", [["b", "%2*f*"]]],
  ["b=%%2a", [["b", "%*"]]],
];

/** The fields as the list rule has them: one value is a text, several are a list. */
function toRecord(fields: readonly (readonly [name: string, value: string])[]): Record<string, string | string[]> {
  const groups = Map.groupBy(fields, ([name]) => name);
  return Object.fromEntries(
    [...groups].map(([name, all]) => [name, all.length === 1 ? all[0]![1] : all.map(([, value]) => value)]),
  );
}

// proves queries | The web platform tests' `urlencoded-parser` | URL Standard, 5.1
Deno.test("parseQuery() reads the web platform tests' cases of urlencoded text", () => {
  for (const [text, fields] of cases) assertEquals(parseQuery(text), toRecord(fields), text);
});

// proves queries | Bytes of a body: the web platform tests' `urlencoded-parser` | URL Standard, 5.1
Deno.test("decodeForm() reads the web platform tests' cases of urlencoded bytes", () => {
  for (const [text, fields] of cases) assertEquals(decodeForm(new TextEncoder().encode(text)), toRecord(fields), text);
});
