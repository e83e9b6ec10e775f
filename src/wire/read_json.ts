import { maxLevels } from "./parse_json.ts";

/**
 * Parses a JSON text for clients. It is a third of the size of {@linkcode parseJson}, which checks the depth before it
 * allocates. Throws a `SyntaxError` if the text is malformed or nested too deeply.
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > maxLevels && isTooDeep(value, maxLevels)) {
    throw new SyntaxError(`The JSON has more than ${maxLevels} levels of nesting`);
  }
  return value;
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1));
}
