/** Breaks the promises about mocks and the values that they generate. */
import { type MutatedFile } from "./mutant.ts";

const mock = ["mock/mock_contract_test.ts"];
const sample = ["json_schema/sample_test.ts"];

export const mocks: readonly MutatedFile[] = [
  {
    file: "src/mock/mock_contract.ts",
    tests: mock,
    mutants: [
      { breaks: "a made-up status is the lowest 2xx", find: "each >= 200 && each < 300", replace: "each >= 300" },
      { breaks: "a request may ask for a status", find: "isPreferred ? preferred : status", replace: "status" },
      {
        breaks: "a request may ask for a status of a route with a handler",
        find: "!(isPreferred && makeUp)",
        replace: "true",
      },
      { breaks: "every scope is granted", find: "({ scopes: scheme.scopes })", replace: "({ scopes: [] })" },
      {
        breaks: "the user's verifiers are called",
        find: "return [...verifiers, ...accepting];",
        replace: "return accepting;",
      },
      { breaks: "responses are delayed", find: "await pause(delay, request.signal);", replace: "" },
      { breaks: "values depend on the seed", find: "    seed,\n    delay,", replace: "    seed: 0,\n    delay," },
      { breaks: "things depend on the seed", find: "createChoices(`${seed} ", replace: "createChoices(`" },
      { breaks: "things depend on their identifier", find: "${formatQuestion(identifier)} ", replace: "" },
      {
        breaks: "a status for an unknown route is refused",
        find: "if (!route) refuse(",
        replace: "if (false) refuse(",
      },
      {
        breaks: "a route cannot have both a handler and a status",
        find: "if (handler && usual !== undefined)",
        replace: "if (false)",
      },
      {
        breaks: "routes with handlers do not need schemas",
        find: "handler ? tryPlan(node, settings)",
        replace: "handler ? planAnswer(node, settings)",
      },
    ],
  },
  {
    file: "src/mock/plan_answer.ts",
    tests: mock,
    mutants: [
      {
        breaks: "another request has another response",
        find: "${formatQuestion([params, query, headers, body])}",
        replace: "",
      },
      {
        breaks: "an id is repeated if the path ends with it",
        find: 'name !== "id" || ',
        replace: 'name !== "id" && ',
      },
      { breaks: "mockContract() refuses what it cannot generate", find: "  probe(result);\n", replace: "" },
      { breaks: "the items of a stream differ", find: "seed: `${question} ${index}`", replace: "seed: question" },
      { breaks: "a range has a default type", find: "usual[type] ??", replace: "" },
    ],
  },
  {
    file: "src/mock/draw_slot.ts",
    tests: mock,
    mutants: [
      { breaks: "codecs decode generated values", find: "isDecoded ? checked.value : value", replace: "value" },
      { breaks: "a value that a schema refuses is generated again", find: "if (count < tries)", replace: "if (false)" },
      {
        breaks: "the output of schemas is tried too",
        find: "schemas[count % schemas.length]!",
        replace: "schemas[0]!",
      },
      { breaks: "a supplied schema is used", find: "if (supplied) return", replace: "if (false) return" },
    ],
  },
  {
    file: "src/mock/suggest.ts",
    tests: mock,
    mutants: [
      { breaks: "ids in lists are not repeated", find: "(isWithinThing || isListed(path))", replace: "isWithinThing" },
      {
        breaks: "ids of nested objects are not repeated",
        find: "(isWithinThing || isListed(path))",
        replace: "isListed(path)",
      },
      { breaks: "examples are used", find: "examples.length > 0)", replace: "false)" },
      {
        breaks: "numbers are repeated",
        find: 'if (type === "number" && Number.isFinite(Number(value))) return Number(value);',
        replace: "",
      },
    ],
  },
  {
    file: "src/mock/question.ts",
    tests: mock,
    mutants: [
      { breaks: "requests with other dates differ", find: '"toJSON" in value &&', replace: "false &&" },
      { breaks: "requests with other bytes differ", find: " ${hashBytes(value)}", replace: "" },
    ],
  },
  {
    file: "src/mock/prefer.ts",
    tests: mock,
    mutants: [{ breaks: "a preference may be one of several", find: "(?:^|[,;])\\s*code", replace: "^code" }],
  },
  {
    file: "src/mock/representations.ts",
    tests: mock,
    mutants: [
      { breaks: "a stream has three items", find: "const streamLength = 3;", replace: "const streamLength = 2;" },
      { breaks: "events have ids", find: "id: String(index + 1), ", replace: "" },
      { breaks: "a disconnected client ends the wait", find: "    clearTimeout(timer);\n", replace: "" },
    ],
  },
  {
    file: "src/json_schema/choices.ts",
    tests: sample,
    mutants: [
      { breaks: "choices after the last byte are zero", find: "bytes[index++] ?? 0", replace: "bytes[index++] ?? 1" },
      { breaks: "large counts are reached", find: "reach < count &&", replace: "false &&" },
    ],
  },
  {
    file: "src/json_schema/sample.ts",
    tests: sample,
    mutants: [
      {
        breaks: "constraints that drawing cannot follow are checked",
        find: "(shape.isCertain || ",
        replace: "(true || ",
      },
      {
        breaks: "supplied values are valid",
        find: "if (value === undefined || isValidForAll(",
        replace: "if (true || isValidForAll(",
      },
      { breaks: "other shapes are tried", find: "shapes[attempt % shapes.length]!", replace: "shapes[0]!" },
    ],
  },
  {
    file: "src/json_schema/sample_depth.ts",
    tests: sample,
    mutants: [
      {
        breaks: "required members end",
        find: "return [...required].every((name) => canEnd(memberSchemas(shape, name), depth - 1));",
        replace: "return true;",
      },
    ],
  },
  {
    file: "src/json_schema/sample_plan.ts",
    tests: sample,
    mutants: [
      {
        breaks: "lists that must contain something are checked",
        find: "shape.contains.length === 0 :",
        replace: "true :",
      },
      {
        breaks: "items of a place have its schemas",
        find: "Math.min(index, countPrefix(",
        replace: "Math.min(0, countPrefix(",
      },
    ],
  },
  {
    file: "src/json_schema/sample_boundaries.ts",
    tests: ["json_schema/sample_boundaries_test.ts"],
    mutants: [
      { breaks: "boundaries are valid", find: "|| !isValid(schema, value)) continue;", replace: ") continue;" },
      { breaks: "each boundary is listed once", find: "seen.has(text) || ", replace: "" },
      { breaks: "recursive schemas end", find: "if (isEntered) return", replace: "if (false) return" },
      { breaks: "examples and defaults are listed", find: "yield* exampleValues(shape);", replace: "" },
      {
        breaks: "each member is omitted once",
        find: "for (const name of names) yield without(base, name);",
        replace: "",
      },
      { breaks: "lists reach their maximum length", find: "? [maxItems - 1, maxItems] :", replace: "? [] :" },
    ],
  },
  {
    file: "src/json_schema/sample_array.ts",
    tests: sample,
    mutants: [
      { breaks: "lists are unique", find: "shape.isUnique ? items : []", replace: "[]" },
      {
        breaks: "lists contain the items that contains requires",
        find: "also ? planValue([...usual.schemas, also]) : usual",
        replace: "usual",
      },
    ],
  },
  {
    file: "src/json_schema/sample_number.ts",
    tests: sample,
    mutants: [
      {
        breaks: "excluded bounds are omitted",
        find: "isMaximumExcluded ? value < maximum",
        replace: "isMaximumExcluded ? value <= maximum",
      },
      {
        breaks: "formats of numbers bound them",
        find: "boundsOf(shape) ?? [-Infinity, Infinity]",
        replace: "[-Infinity, Infinity]",
      },
      {
        breaks: "the simplest number is the nearest to zero",
        find: "Math.max(lowest, Math.min(highest, 0))",
        replace: "lowest",
      },
    ],
  },
  {
    file: "src/json_schema/sample_string.ts",
    tests: sample,
    mutants: [
      {
        breaks: "texts fit their patterns",
        find: "toRegExp(pattern).test(text));",
        replace: "true || toRegExp(pattern).test(text));",
      },
      { breaks: "texts with a pattern reach their minimum length", find: "repeats <= most;", replace: "repeats < 0;" },
    ],
  },
  {
    file: "src/json_schema/sample_object.ts",
    tests: ["json_schema/sample_test.ts", "mock/mock_contract_test.ts"],
    mutants: [
      {
        breaks: "required dependent members are present",
        find: "return addDependents(shape, chosen);",
        replace: "return chosen;",
      },
      {
        breaks: "the members of a thing depend on its identifier",
        find: "{ ...draw, choices: thing.toChoices(name) }",
        replace: "draw",
      },
    ],
  },
];
