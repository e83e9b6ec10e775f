/** Properties that hold for any two contracts. */
import { assert, assertEquals } from "@std/assert";
import { diffContracts } from "@scope/api/diff";
import fc from "fast-check";
import { sendableValues } from "../../src/tools/diff/witnesses.ts";
import type { Json, JsonSchema, JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { toReader, toSender } from "../../src/tools/json_schema/reading_rules.ts";
import { isValid } from "../../src/tools/json_schema/validate.ts";
import { recursivePairs, schemaPairs } from "../support/json_schemas.ts";
import { tries } from "../support/tries.ts";
import { giving, taking } from "./rows.ts";

/** An object with a member of a schema. References stay those of the schema. */
function wrap(schema: JsonSchema): JsonSchemaObject {
  const { $defs = {}, ...rest }: JsonSchemaObject = typeof schema === "boolean" ? schema ? {} : { not: {} } : schema;
  return { type: "object", properties: { a: rest }, required: ["a"], $defs };
}

/** Pairs of schemas, some of which are recursive. */
const pairs = fc.oneof({ arbitrary: schemaPairs, weight: 4 }, { arbitrary: recursivePairs, weight: 1 });

// proves json-schema | A change that is reported as compatible breaks no value; every reported witness is a value that
//   breaks
Deno.test("no value breaks a change that diffContracts() reports as compatible, and every witness breaks a breaking one", () => {
  const seen = { compatible: 0, breaking: 0, unproven: 0 };
  fc.assert(
    fc.property(pairs, fc.boolean(), ([before, after], isRequest) => {
      const [old, young] = [wrap(before), wrap(after)];
      const make = isRequest ? taking : giving;
      const changes = diffContracts(make(old), make(young), { samples: 100 });
      const verdicts = changes.map(({ verdict }) => verdict);
      const [sent, read] = isRequest ? [old, young] : [young, old];
      const [sender, reader] = [toSender(sent), toReader(read, !isRequest)];
      const broken = findBroken(sender, reader);
      for (const { witness } of changes) {
        if (witness === undefined) continue;
        const message = JSON.stringify([before, after, witness]);
        assert(isValid(locateSchema(sent), witness), message);
        assert(!isValid(reader, witness) || !isValid(locateSchema(read), witness), message); // a oneOf counts for real schemas
      }
      const isCompatible = !verdicts.includes("breaking") && !verdicts.includes("unproven");
      seen[isCompatible ? "compatible" : verdicts.includes("breaking") ? "breaking" : "unproven"]++;
      if (isCompatible) assertEquals(broken, undefined, JSON.stringify([before, after, broken]));
    }),
    tries(100),
  );

  assert(seen.compatible > 20 && seen.breaking > 20, JSON.stringify(seen));
});

function findBroken(sender: ReturnType<typeof toSender>, reader: ReturnType<typeof toReader>): Json | undefined {
  for (const value of sendableValues(sender, 1_000)) if (!isValid(reader, value)) return value;
}
