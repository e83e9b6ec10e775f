import { codec, type Schema } from "@scope/api";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

interface Input {
  readonly a: string;
}
interface Output {
  readonly b: number;
}

Deno.test("Schema equals Standard Schema, in both directions", () => {
  assertType<Schema<Input, Output> extends StandardSchemaV1<Input, Output> ? true : false>(true);
  assertType<StandardSchemaV1<Input, Output> extends Schema<Input, Output> ? true : false>(true);
  assertType<IsExact<StandardSchemaV1.InferInput<Schema<Input, Output>>, Input>>(true);
  assertType<IsExact<StandardSchemaV1.InferOutput<Schema<Input, Output>>, Output>>(true);
  assertType<(StandardSchemaV1 & StandardJSONSchemaV1) extends Schema ? true : false>(true);
});

Deno.test("Codec is a Standard Schema of its decoded value", () => {
  const Count = codec(type("string"), type("number"), { decode: Number, encode: String });
  const standard: StandardSchemaV1<string, number> = Count;
  assertType<IsExact<StandardSchemaV1.InferOutput<typeof Count>, number>>(true);
  assertType<IsExact<StandardSchemaV1.InferInput<typeof Count>, string>>(true);
  standard["~standard"] satisfies StandardSchemaV1.Props<string, number>;
});
