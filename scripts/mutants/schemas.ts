/** Breaks the JSON Schema engine. */
import { type MutatedFile } from "./mutant.ts";

const validation = ["json_schema/validate_test.ts", "json_schema/agreement_test.ts"];
const comparison = ["json_schema/subset_test.ts", "diff/rows_test.ts"];

export const schemas: readonly MutatedFile[] = [
  {
    file: "src/json_schema/check.ts",
    tests: validation,
    mutants: [
      {
        breaks: "the number of failures is limited",
        find: "failures && failures.length < maxFailures",
        replace: "failures",
      },
      { breaks: "deep values are refused", find: "walk.path.length >= maxDepth", replace: "false" },
      {
        breaks: "a known failure has the path of its place",
        find: "path: [...path, ...each.path.slice(depth)]",
        replace: "path: each.path",
      },
      { breaks: "parts are checked once", find: "known.set(value, result);", replace: "" },
      {
        breaks: "parts that a passed attempt evaluated count",
        find: "if (isFine && own) addSeen",
        replace: "if (false && own) addSeen",
      },
      {
        breaks: "parts that a failed attempt evaluated do not count",
        find: "if (isFine && own) addSeen",
        replace: "if (own) addSeen",
      },
      {
        breaks: "every failure is found",
        find: "if (!walk.failures) return parts.every(test);",
        replace: "return parts.every(test);",
      },
    ],
  },
  {
    file: "src/json_schema/assertions.ts",
    tests: validation,
    mutants: [
      { breaks: "1.0 is an integer", find: "&& Number.isInteger(value))", replace: "&& false)" },
      {
        breaks: "a minimum is valid",
        find: "value >= least, (least) => `must be ${least} or more`",
        replace: "value > least, (least) => `must be ${least} or more`",
      },
      { breaks: "an exclusive maximum is invalid", find: "value < above", replace: "value <= above" },
      {
        breaks: "the shortest length counts code points",
        find: "text.length >= least && countCodePoints(text) >= least",
        replace: "text.length >= least",
      },
      {
        breaks: "the longest length counts code points",
        find: "text.length <= most || countCodePoints(text) <= most",
        replace: "text.length <= most",
      },
      {
        breaks: "members of the prototype are not members",
        find: "!Object.hasOwn(value as JsonObject, name)",
        replace: "!(name in (value as JsonObject))",
      },
      {
        breaks: "an enum may have structures",
        find: "structures.some((each) => isEqual(each, value))",
        replace: "false",
      },
    ],
  },
  {
    file: "src/json_schema/applicators.ts",
    tests: validation,
    mutants: [
      { breaks: "oneOf accepts exactly one branch", find: "return passed === 1 ||", replace: "return passed >= 1 ||" },
      {
        breaks: "every branch of anyOf evaluates",
        find: "if (!walk.failures && !seen) return",
        replace: "if (!walk.failures) return",
      },
      {
        breaks: "a union is explained by the intended branch",
        find: "if (meant.length !== 1)",
        replace: "if (true)",
      },
      {
        breaks: "a tag selects the intended branch",
        find: '(keyword === "const" || keyword === "enum")',
        replace: "false",
      },
      { breaks: "a condition chooses", find: "? met : unmet", replace: "? unmet : met" },
    ],
  },
  {
    file: "src/json_schema/child_applicators.ts",
    tests: validation,
    mutants: [
      {
        breaks: "contains requires one item",
        find: 'typeof minContains === "number" ? minContains : 1',
        replace: 'typeof minContains === "number" ? minContains : 0',
      },
      {
        breaks: "additional members match no pattern",
        find: "matching.length > 0 ? matching : rest",
        replace: "[...matching, ...rest]",
      },
      {
        breaks: "named members may have patterns too",
        find: "return own ? [own, ...matching]",
        replace: "return own ? [own]",
      },
      { breaks: "evaluated items are skipped", find: "isSeen(seen!.items, index) ||", replace: "" },
      { breaks: "evaluated members are skipped", find: "isSeen(seen!.names, name) ||", replace: "" },
    ],
  },
  {
    file: "src/json_schema/validate.ts",
    tests: validation,
    mutants: [
      { breaks: "a schema that leads to itself throws", find: 'known.set(key, "in progress");', replace: "" },
      { breaks: "a loop throws each time", find: "known.delete(key); //", replace: "//" },
    ],
  },
  {
    file: "src/json_schema/unique.ts",
    tests: validation,
    mutants: [
      {
        breaks: "the order of members does not count",
        find: "Object.keys(value as object).sort()",
        replace: "Object.keys(value as object)",
      },
      { breaks: "deep items are refused", find: "if (depth === 0) return undefined;", replace: "" },
    ],
  },
  {
    file: "src/json_schema/normalize.ts",
    tests: ["json_schema/normalize_test.ts", "json_schema/agreement_test.ts"],
    mutants: [
      {
        breaks: "branches that overlap are counted",
        find: "hasOverlap(branches) ? withAlso(joined, part) : joined",
        replace: "joined",
      },
      { breaks: "the other branch is not met", find: "not: [...shape.not, when!]", replace: "not: shape.not" },
      {
        breaks: "dependent members are kept",
        find: '"dependentSchemas", "dependentRequired"',
        replace: '"dependentSchemas"',
      },
    ],
  },
  {
    file: "src/json_schema/unevaluated.ts",
    tests: ["json_schema/normalize_test.ts", "json_schema/agreement_test.ts"],
    mutants: [
      {
        breaks: "members that a branch may evaluate stay open",
        find: "[allOf, anyOf, oneOf].flatMap",
        replace: "[allOf].flatMap",
      },
      {
        breaks: "the schema itself decides",
        find: "const also = [...shape.also, located];",
        replace: "const also = shape.also;",
      },
    ],
  },
  {
    file: "src/json_schema/reading_rules.ts",
    tests: comparison,
    mutants: [
      {
        breaks: "open readers ignore unknown members",
        find: '? without(without(part, "unevaluatedProperties"), "additionalProperties") : part',
        replace: "? part : part",
      },
      {
        breaks: "senders send only declared members",
        find: "return members.length === 0 || members.some(({ rest })",
        replace: "return true || members.some(({ rest })",
      },
      {
        breaks: "listed values are the only ones",
        find: "if (shape.values) return shape.values.some((each) => isEqual(each, value));",
        replace: "if (shape.values) return true;",
      },
      { breaks: "oneOf is read as anyOf", find: "? { ...rest, anyOf: oneOf }", replace: "? { ...rest, oneOf }" },
    ],
  },
  {
    file: "src/json_schema/same_schema.ts",
    tests: comparison,
    mutants: [
      {
        breaks: "schemas that differ are not the same",
        find: "return keywords!.length === others!.length &&",
        replace: "return",
      },
      {
        breaks: "lists of schemas have a length",
        find: "left.length === right.length && left.every((part",
        replace: "left.every((part",
      },
    ],
  },
  {
    file: "src/json_schema/subset.ts",
    tests: comparison,
    mutants: [
      {
        breaks: "pairs in progress add no differences",
        find: "known.set(key, []);",
        replace: 'known.set(key, [differ("$ref", undefined, undefined)]);',
      },
      {
        breaks: "a proof from an assumption that proved wrong is forgotten",
        find: "if (differences.length > 0 && assumed.has(key))",
        replace: "if (false)",
      },
      { breaks: "a cause is reported in few places", find: "before.length < mostPlaces", replace: "true" },
      {
        breaks: "rejected types are reported",
        find: "return unite([...compareTypes(missing, wanted), ...differences]);",
        replace: "return unite([...differences]);",
      },
      {
        breaks: "rejected values are reported",
        find: "if (refused.length > 0) return",
        replace: "if (refused.length > 9) return",
      },
      {
        breaks: "a tag chooses the branch",
        find: "if (parts) return parts.flatMap",
        replace: "if (false) return parts!.flatMap",
      },
      {
        breaks: "constraints outside the shape are compared",
        find: "[...reader.also, ...reader.not].length > 0",
        replace: "false",
      },
      {
        breaks: "an uncertain difference is not proof",
        find: "return isWhole(shape) || !first ? found[0]! : doubt(found[0]!);",
        replace: "return [];",
      },
    ],
  },
  {
    file: "src/json_schema/subset_scalars.ts",
    tests: comparison,
    mutants: [
      {
        breaks: "an excluded bound is narrower",
        find: "sender.minimum === reader.minimum && reader.isMinimumExcluded",
        replace: "false && reader.isMinimumExcluded",
      },
      { breaks: "integers have integer bounds", find: "Math.floor(minimum) + 1", replace: "minimum" },
      { breaks: "a step divides", find: "isMultipleOf(each, factor)", replace: "each === factor" },
      { breaks: "a longer text is reported", find: "if (sender.maxLength > reader.maxLength)", replace: "if (false)" },
      {
        breaks: "a new pattern is reported",
        find: "filter((pattern) => !sender.patterns.includes(pattern))",
        replace: "filter(() => false)",
      },
    ],
  },
  {
    file: "src/json_schema/subset_structures.ts",
    tests: comparison,
    mutants: [
      {
        breaks: "a required member is reported",
        find: 'reader.required.has(name) && presence !== "required"',
        replace: "false",
      },
      {
        breaks: "members of other names are compared",
        find: "...compareOtherMembers(sender, reader, comparison),",
        replace: "",
      },
      { breaks: "items are compared", find: "...compareItems(sender, reader, comparison), ", replace: "" },
      {
        breaks: "the fewest items are compared",
        find: "if (sender.minItems < reader.minItems)",
        replace: "if (false)",
      },
      { breaks: "the most members are compared", find: "if (most > reader.maxProperties)", replace: "if (false)" },
    ],
  },
];
