/** Values that an API might have: from what its schemas say, else from the names of members. */
import { type Choices, chooseFrom } from "../json_schema/choices.ts";
import { type SuggestedPart } from "../json_schema/draw.ts";
import { type Json } from "../json_schema/json.ts";
import { type Shape } from "../json_schema/shapes.ts";
import { drawNamedNumber, drawNamedText } from "./words.ts";

/** The values of members that a request asks for by its path, by name. */
export type Echoes = Readonly<Record<string, unknown>>;

/** A value for a part; `undefined` to have it drawn. It may be invalid. */
export function suggestValue(part: SuggestedPart, echoes: Echoes): Json | undefined {
  const name = part.path.findLast((key) => typeof key === "string") ?? "";
  return echo(part, echoes) ?? suggestBySchema(part) ?? suggestByName(name, part.shape, part.choices);
}

/** A parameter's value in the member of its name: an `id` only in what the path is about, not in lists nor below. */
function echo({ path, shape: { type }, isWithinThing }: SuggestedPart, echoes: Echoes): Json | undefined {
  const name = path.at(-1);
  if (typeof name !== "string" || !Object.hasOwn(echoes, name)) return undefined;
  if (name === "id" && (isWithinThing || isListed(path))) return undefined;
  const value = echoes[name];
  if (type === "number") return Number(value);
  return type === "string" ? String(value) : undefined;
}

function isListed(path: SuggestedPart["path"]): boolean {
  return path.some((key) => typeof key === "number");
}

/** An example or the default. In lists, what tells objects apart is drawn, so that they differ. */
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
