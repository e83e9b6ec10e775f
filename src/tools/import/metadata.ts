/** What a document says of the API in texts: its description, servers, tags and links. */
import { isPart, type Part, toObject, toPart } from "../openapi/part.ts";
import type { Raw } from "./copied_parts.ts";

/** The members that are objects, and the text that each must have. */
const objects: Readonly<Record<string, string | undefined>> = {
  contact: undefined,
  license: "name",
  externalDocs: "url",
};

/**
 * Returns such a part as OpenAPI has it. A member that is `null`, as an empty line of YAML is, is left out, and a number,
 * such as a port, becomes a text. Extensions are as they were.
 */
export function toMetadata(part: Part): Part {
  return toObject(
    Object.entries(part).flatMap(([name, value]): (readonly [string, unknown])[] => {
      if (name.startsWith("x-")) return [[name, value]];
      if (name === "variables") return isPart(value) ? [[name, toVariables(value)]] : [];
      if (Object.hasOwn(objects, name)) return hasText(value, objects[name]) ? [[name, toMetadata(toPart(value))]] : [];
      if (Array.isArray(value)) return [[name, value.map(String)]]; // the values of a variable
      return value === null || isPart(value) ? [] : [[name, String(value)]];
    }),
  );
}

/** Returns the parts of a list that have a text, such as the name of a tag, which may be written as a number. */
export function listMetadata(list: readonly unknown[], name: string): Part[] {
  return list.filter((each) => hasText(each, name)).map((each) => toMetadata(toPart(each)));
}

/** Returns the member `externalDocs`, if it is a link. */
export function linkOf(value: unknown, raw: Raw): Part {
  return toMetadata({ externalDocs: raw(value) });
}

function toVariables(variables: Part): Part {
  const parts = Object.entries(variables).map(([name, each]) => [name, toMetadata(toPart(each))] as const);
  return toObject(parts.filter(([, each]) => hasText(each, "default")));
}

function hasText(value: unknown, name: string | undefined): boolean {
  return isPart(value) && (name === undefined || ["string", "number", "boolean"].includes(typeof value[name]));
}
