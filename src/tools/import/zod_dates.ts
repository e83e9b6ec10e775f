/** The module of Zod schemas that converts dates in both directions. */
import { quote } from "../code/print.ts";
import { zod } from "./write_zod.ts";
import type { HelperModule } from "./writer.ts";

/** Returns the module. `library` is what modules import the toolkit from. */
export function zodDates(library: string): HelperModule {
  return {
    file: "dates",
    names: ["dated", "dateTime", "date"],
    code: `import { type Codec, codec, type Schema } from ${quote(library)};
${zod.imports}

${converters}`,
  };
}

const converters = `/** A moment: text with an offset in JSON, a \`Date\` in the program. */
export const dateTime = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (value) => value.toISOString(),
});

/** A day: \`2026-01-31\` in JSON, a \`Date\` at midnight UTC in the program. */
export const date = z.codec(
  z.iso.date(),
  z.date().refine((value) => value.getTime() % 86_400_000 === 0, "Invalid input: expected midnight UTC"),
  {
    decode: (text) => new Date(text),
    encode: (value) => value.toISOString().slice(0, 10),
  },
);

/** Declares a body whose dates are converted. */
export function dated<Declared extends z.core.$ZodType>(
  schema: Declared,
): Codec<Schema<z.input<Declared>>, Schema<z.output<Declared>>> {
  return codec(
    toSide<z.input<Declared>>(schema, (value) => z.safeDecode(schema, value)),
    toSide<z.output<Declared>>(schema, (value) => z.safeEncode(schema, value)),
    {
      decode: (value) => z.decode(schema, value),
      encode: (value) => z.encode(schema, value),
    },
  );
}

/** One side of a codec. It validates values and returns them as they are. */
function toSide<Value>(schema: z.core.$ZodType, check: (value: Value) => z.ZodSafeParseResult<unknown>): Schema<Value> {
  const { input } = (schema as z.ZodType)["~standard"].jsonSchema; // every schema of Zod is one
  const standard = {
    version: 1,
    vendor: "zod",
    validate: (value: unknown) => {
      const { error } = check(value as Value);
      return error ? { issues: error.issues } : { value: value as Value };
    },
    jsonSchema: { input, output: input },
  } as const;
  return { "~standard": standard };
}
`;
