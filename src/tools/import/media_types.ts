/** The media types of documents: which one is declared, and what its content is. */
import { mediaTypeEssence } from "../../wire/media_type.ts";
import { type Planned, toPlanned } from "./planned.ts";

/**
 * Chooses the media type that is declared where there are several.
 *
 * @param prefer Those that are chosen first.
 */
export function chooseMediaType(
  types: readonly string[],
  what: string,
  prefer: readonly string[] = [],
): Planned<string | undefined> {
  const valid = types.filter((type) => /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(;.*)?$/.test(type));
  const [best] = valid.toSorted((one, other) => rank(one, prefer) - rank(other, prefer));
  if (best === undefined) {
    return toPlanned(undefined, ...(types.length > 0 ? [`the ${what} has no valid media type`] : []));
  }
  const others = types.filter((type) => !valid.includes(type) || mediaTypeEssence(type) !== mediaTypeEssence(best));
  return toPlanned(best, ...(others.length > 0 ? [`the ${what} is ${best} only, not ${others.join(", ")}`] : []));
}

function rank(type: string, prefer: readonly string[]): number {
  const essence = mediaTypeEssence(type);
  const preferred = prefer.findIndex((each) => mediaTypeEssence(each) === essence);
  if (preferred !== -1) return preferred - 1_000;
  if (essence === "application/json") return type === essence ? 0 : 1;
  if (essence.includes("*")) return 9;
  if (isJsonType(essence)) return essence === "application/json-patch+json" ? 3 : 2;
  if (essence === "multipart/form-data") return 4;
  if (essence === "application/x-www-form-urlencoded") return 5;
  return isTextType(essence) ? 7 : 6;
}

export function isJsonType(essence: string): boolean {
  return /[/+]json$/.test(essence) && !isLinesType(essence);
}

export function isLinesType(essence: string): boolean {
  return /^application\/(?:(?:x-)?ndjson|jsonl|x-jsonlines|stream\+json)$/.test(essence);
}

export function isTextType(essence: string): boolean {
  return /^text\/(?!\*)/.test(essence) || /[/+](xml|yaml|x-yaml|javascript|csv|toml|sql|sdp|graphql)$/.test(essence);
}

/** Returns whether content of a media type is bytes, and no text. */
export function isBinaryType(type: string): boolean {
  const essence = mediaTypeEssence(type);
  return /^(?:image|audio|video|font|model|application)\//.test(essence) && !isTextType(essence) &&
    !/[/+](?:json|x-www-form-urlencoded)$/.test(essence);
}

/** Returns a media type as it is declared: none if it is the usual one. */
export function unlessUsual(type: string, usual: string): string | undefined {
  return mediaTypeEssence(type) === usual ? undefined : type;
}

/** Returns the media type of JSON as it is declared: none if it is the usual one. A range stands for the usual one. */
export function toJsonType(type: string): string | undefined {
  const essence = mediaTypeEssence(type);
  const isUsual = essence === "application/json" && /^[^;]*(;\s*charset=[^;]*)?$/i.test(type);
  return isUsual || essence.includes("*") ? undefined : type.trim();
}
