/** Suggests realistic values: from the examples and defaults of schemas, then from the names of members. */
import { type Choices, chooseFrom } from "../json_schema/choices.ts";
import { type SuggestedPart } from "../json_schema/draw.ts";
import { type Json } from "../json_schema/json.ts";
import { type Shape } from "../json_schema/shapes.ts";
import { drawNamedNumber, drawNamedText } from "./words.ts";

/** The members whose values the path of a request determines, by name. */
export type Echoes = Readonly<Record<string, unknown>>;

/** Suggests a value for a part; `undefined` to generate it. The value may be invalid. */
export function suggestValue(part: SuggestedPart, echoes: Echoes): Json | undefined {
  const name = part.path.findLast((key) => typeof key === "string") ?? "";
  return echo(part, echoes) ?? suggestBySchema(part) ?? suggestByName(name, part.shape, part.choices);
}

/**
 * Returns the value of the path parameter with the member's name. An `id` is repeated only in the object that the path
 * identifies, not in lists or nested objects.
 */
function echo({ path, shape: { type }, isWithinThing }: SuggestedPart, echoes: Echoes): Json | undefined {
  const name = path.at(-1);
  if (typeof name !== "string" || !Object.hasOwn(echoes, name)) return undefined;
  if (name === "id" && (isWithinThing || isListed(path))) return undefined;
  const value = echoes[name];
  if (type === "number" && Number.isFinite(Number(value))) return Number(value);
  return type === "string" ? String(value) : undefined;
}

function isListed(path: SuggestedPart["path"]): boolean {
  return path.some((key) => typeof key === "number");
}

/** Returns an example or the default. The ids of listed objects are generated instead, so that they differ. */
function suggestBySchema({ path, shape: { sources, type }, choices }: SuggestedPart): Json | undefined {
  if (path.at(-1) === "id" && isListed(path)) return undefined;
  const { examples, example } =
    sources.find((source) => Array.isArray(source.examples) || source.example !== undefined) ?? {};
  if (Array.isArray(examples) && examples.length > 0) return chooseFrom(choices, examples);
  if (example !== undefined) return example as Json;
  const source = type === "array" ? undefined : sources.find((source) => source.default !== undefined);
  return source?.default as Json | undefined;
}

function suggestByName(name: string, shape: Shape, choices: Choices): Json | undefined {
  if (shape.values) return undefined;
  if (shape.type === "number") return drawNamedNumber(name, choices);
  if (shape.type !== "string" || shape.formats.length > 0) return undefined;
  return drawNamedText(name, choices);
}
