/** Second opinions on random schemas and values. */
import { assert, assertEquals } from "@std/assert";
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { locateSchema } from "../../src/tools/json_schema/locate.ts";
import { normalize } from "../../src/tools/json_schema/normalize.ts";
import { isValid, listFailures } from "../../src/tools/json_schema/validate.ts";
import { tries } from "../support/tries.ts";
import { schemas, schemasClosedAtRoot, values } from "../support/json_schemas.ts";
import { matchesShape } from "./matches_shape.ts";

Deno.test("validate() agrees with @cfworker/json-schema on random schemas and values", () => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    // below the root it lets unevaluatedItems see what a $ref beside the schema evaluated
    fc.property(schemasClosedAtRoot, fc.array(values, { minLength: 1, maxLength: 10 }), (schema, tried) => {
      const located = locateSchema(schema);
      const second = new Validator(schema as never, "2020-12");
      for (const value of tried) {
        const { valid } = second.validate(value);
        seen[valid ? "valid" : "invalid"]++;
        assertEquals(listFailures(located, value).length === 0, valid, JSON.stringify({ schema, value }));
      }
    }),
    tries(2_000),
  );

  assert(seen.valid > seen.invalid / 20 && seen.invalid > seen.valid / 20, JSON.stringify(seen));
});

Deno.test("isValid() agrees with listFailures(), and with the shapes of normalize(), on random schemas and values", () => {
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 10 }), (schema, tried) => {
      const located = locateSchema(schema);
      const shapes = normalize([located]);
      for (const value of tried) {
        const message = JSON.stringify({ schema, value });
        const isFine = listFailures(located, value).length === 0;
        assertEquals(isValid(located, value), isFine, message);
        assertEquals(shapes.some((shape) => matchesShape(shape, value)), isFine, message);
      }
    }),
    tries(2_000),
  );
});
