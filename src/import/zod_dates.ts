/** The module of Zod schemas that converts dates in both directions. */
import { quote } from "./code.ts";
import { type HelperModule } from "./writer.ts";

/** The module. `library` is what modules import the toolkit from. */
export function zodDates(library: string): HelperModule {
  return {
    file: "dates",
    names: ["dated", "dateTime", "date"],
    code: `import { codec } from ${quote(library)};
import * as z from "zod";

/** A moment: text with an offset in JSON, a \`Date\` in the program. */
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
export const dated = <Declared extends z.ZodType>(schema: Declared) => {
  const { input } = schema["~standard"].jsonSchema;
  const toSide = <Value>(check: (value: Value) => z.ZodSafeParseResult<unknown>) => ({
    "~standard": {
      version: 1 as const,
      vendor: "zod",
      types: undefined as { readonly input: Value; readonly output: Value } | undefined,
      validate: (value: unknown) => {
        const { error } = check(value as Value);
        return error ? { issues: error.issues } : { value: value as Value };
      },
      jsonSchema: { input, output: input },
    },
  });
  return codec(
    toSide((value: z.input<Declared>) => z.safeDecode(schema, value)),
    toSide((value: z.output<Declared>) => z.safeEncode(schema, value)),
    {
      decode: (value) => z.decode(schema, value),
      encode: (value) => z.encode(schema, value),
    },
  );
};
`,
  };
}
