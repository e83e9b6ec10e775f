/** The gate of the engine: the official test suite of JSON Schema, draft 2020-12. */
import { assert, assertEquals } from "@std/assert";
import type { Json } from "../../src/tools/json_schema/json.ts";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { normalize } from "../../src/tools/json_schema/normalize.ts";
import { canBeSent } from "../../src/tools/json_schema/reading_rules.ts";
import { subset } from "../../src/tools/json_schema/subset.ts";
import { isValid, listFailures } from "../../src/tools/json_schema/validate.ts";
import { tries } from "../support/tries.ts";
import { matchesShape } from "./matches_shape.ts";
import { readSuite, type SuiteGroup } from "./suite.ts";

const suite = await readSuite();
const groups = typeof suite === "string" ? [] : suite;
if (typeof suite === "string") {
  console.error(`NOT TESTED: the official test suite of JSON Schema. It cannot be had: ${suite}`);
}
const options = { ignore: groups.length === 0 };

/** Of so many pairs of schemas, one is compared: `deno task properties` compares all. */
const stride = tries(1).numRuns > 1 ? 1 : 4;

/**
 * The references that the engine rejects: those that lead out of the schema, which it does not follow, and those that
 * depend on the way to them.
 */
const refusals = /^Cannot follow \$ref "https?:\/\/[^"]+"|^Cannot read a JSON Schema: \$dynamicRef/;

/** The reason why a schema is refused. */
function refusalOf({ schema, tests }: SuiteGroup): string | undefined {
  try {
    const located = locateSchema(schema);
    for (const { data } of tests) listFailures(located, data);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The cases of the suite that an interpretation of schemas gets wrong, by name. */
function listWrong(interpret: (group: SuiteGroup) => (value: Json) => boolean): string[] {
  return groups.filter((group) => refusalOf(group) === undefined).flatMap((group) => {
    const accepts = interpret(group);
    return group.tests.filter(({ data, valid }) => accepts(data) !== valid)
      .map(({ description }) => `${group.file}: ${group.description}: ${description}`);
  });
}

// proves json-schema | Validation agrees with all required files of the suite
Deno.test("validate() agrees with the required files of the official test suite", options, () => {
  const wrong = listWrong(({ schema }) => {
    const located = locateSchema(schema);
    return (value) => listFailures(located, value).length === 0;
  });

  assert(groups.flatMap(({ tests }) => tests).length > 1_000);
  assertEquals(wrong, []);
});

Deno.test("isValid() agrees with the required files of the official test suite", options, () => {
  const wrong = listWrong(({ schema }) => {
    const located = locateSchema(schema);
    return (value) => isValid(located, value);
  });

  assertEquals(wrong, []);
});

// proves json-schema | The normal form of a schema accepts the same values as the schema
Deno.test("the shapes of normalize() agree with the required files of the official test suite", options, () => {
  const wrong = listWrong(({ schema }) => {
    const shapes = normalize([locateSchema(schema)]);
    return (value) => shapes.some((shape) => matchesShape(shape, value));
  });

  assertEquals(wrong, []);
});

Deno.test("every refused schema of the official test suite refers outside of itself", options, () => {
  const refused = groups.flatMap((group) => refusalOf(group) ?? []);

  assertEquals(refused.filter((message) => !refusals.test(message)), []);
  assert(refused.length > 0 && refused.length < groups.length / 20, `${refused.length} of ${groups.length}`);
});

Deno.test(
  "subset() proves no inclusion of unevaluated parts that a value of the official test suite disproves",
  options,
  () => {
    const readable = groups.filter((group) => group.file.startsWith("unevaluated") && refusalOf(group) === undefined)
      .map((group) => ({ ...group, located: locateSchema(group.schema) }));

    const wrong = readable.flatMap((sender) => {
      const sent = sender.tests.filter(({ valid }) => valid).map(({ data }) => data);
      return readable.filter(({ located, tests }) => {
        const refused = tests.filter(({ valid }) => !valid).map(({ data }) => data);
        const isDisproved = sent.some((value) => !isValid(located, value)) ||
          refused.some((value) => isValid(sender.located, value));
        return isDisproved && subset(sender.located, located).length === 0;
      }).map((reader) => `${sender.file}: ${sender.description} in ${reader.file}: ${reader.description}`);
    });

    assertEquals(wrong, []);
  },
);

Deno.test(
  "subset() proves no inclusion of two schemas of the official test suite that a value of the suite disproves",
  options,
  () => {
    const readable = groups.filter((group) => refusalOf(group) === undefined)
      .map((group) => ({ ...group, located: locateSchema(group.schema) }));
    const all = readable.flatMap(({ tests }) => tests.map(({ data }) => data));
    const values = [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
    // A sender sends only members that it declares, at all levels.
    const senders = readable.map((group) => ({
      ...group,
      sent: values.filter((value) => canBeSent([group.located], value)),
    }));

    let proofs = 0;
    const wrong = senders.flatMap((sender, index) =>
      readable.filter((_, at) => (index + at) % stride === 0).flatMap((reader) => {
        if (subset(sender.located, reader.located).length > 0) return [];
        proofs++;
        const refused = sender.sent.find((value) => !isValid(reader.located, value));
        const names = [sender, reader].map(({ file, description }) => `${file}: ${description}`);
        return refused === undefined ? [] : [`${names.join(" in ")}: ${JSON.stringify(refused)}`];
      })
    );

    assertEquals(wrong, []);
    assert(proofs > 20_000 / stride, `${proofs} proofs`); // of about 96,000 / stride pairs
  },
);
