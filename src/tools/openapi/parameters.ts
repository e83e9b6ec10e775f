import type { RouteNode } from "../../contract/node.ts";
import { parameterNames, parsePath } from "../../path.ts";
import type { Schema } from "../../schema.ts";
import { type FieldSchemas, isList, listFields, openApiStyles, toField } from "./representations.ts";
import { stylesOf } from "../../contract/codec.ts";
import { type FieldStyle, type FieldStyles, isPattern } from "../../wire/field_styles.ts";
import type { EmbeddedSchemas } from "./components.ts";
import type { OpenApiField, OpenApiParameter } from "./types.ts";

/** Formats a path for OpenAPI: parameters in braces, literals percent-encoded as in a URL. */
export function formatTemplate(path: string, params?: Schema): string {
  const styles = stylesOf(params);
  const names = parameterNames(path);
  const segments = parsePath(path).map((segment) => {
    if ("literal" in segment) return encodeLiteral(segment.literal);
    const style = styles[segment.parameter];
    const texts = (isPattern(style) ? style : "*").split("*").map(encodeLiteral);
    const values = valueNames(segment.parameter, style, names);
    return texts.map((text, index) => index === 0 ? text : `{${values[index - 1]}}${text}`).join("");
  });
  return `/${segments.join("/")}`;
}

/**
 * Returns the names that a document gives to the values of a path parameter: that of the parameter, or one for each
 * value if the text of its segment has several.
 *
 * @param names The names of all parameters of the path.
 */
export function valueNames(parameter: string, style: FieldStyle | undefined, names: readonly string[]): string[] {
  const count = isPattern(style) ? style.split("*").length - 1 : 1;
  if (count === 1) return [parameter];
  let stem = parameter;
  while (names.some((name) => name !== parameter && name.startsWith(stem))) stem += "_";
  return Array.from({ length: count }, (_, index) => `${stem}${index + 1}`);
}

/** Percent-encodes literal text as a path requires (RFC 3986, section 3.3). This includes braces. */
export function encodeLiteral(literal: string): string {
  return encodeURIComponent(literal).replaceAll(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

/**
 * Lists the parameters of a route. `names` are the parameter names of the path item that the route shares with others,
 * in order.
 */
export function describeParameters(
  route: RouteNode,
  names: readonly string[],
  schemas: EmbeddedSchemas,
): OpenApiParameter[] {
  const fieldsOf = (slot: "params" | "query" | "headers"): FieldSchemas =>
    listFields(schemas.of(route, slot), schemas.find);
  return [
    ...describePath(route, names, fieldsOf("params")),
    ...describeQuery(fieldsOf("query"), stylesOf(route.query)),
    ...describeHeaders(fieldsOf("headers"), stylesOf(route.headers)),
  ];
}

function describePath(
  { path, params }: RouteNode,
  names: readonly string[],
  { named, others }: FieldSchemas,
): OpenApiParameter[] {
  const styles = stylesOf(params);
  return parameterNames(path).flatMap((own, index) => {
    const schema = named.get(own)?.schema ?? others ?? { type: "string" };
    const field = withStyle(toField(schema, true), styles[own], "path");
    const values = valueNames(names[index] ?? own, styles[own], names);
    const single = values.length === 1 ? undefined : { schema: { type: "string" } }; // not that of the whole segment
    return values.map((name): OpenApiParameter => ({ name, in: "path", ...field, ...single }));
  });
}

/**
 * Lists the parameters of a query. Properties that a schema describes without naming them become one exploded object.
 */
function describeQuery({ named, others }: FieldSchemas, styles: FieldStyles): OpenApiParameter[] {
  const parameters = [...named].map(([name, { schema, required }]): OpenApiParameter => ({
    name,
    in: "query",
    ...(isList(schema) && !styles[name] && { style: "form", explode: true }),
    ...withStyle(toField(schema, required), styles[name], "query"),
  }));
  if (others === undefined || Object.keys(others).length === 0) return parameters;
  let name = "query";
  while (named.has(name)) name = `_${name}`;
  const schema = { type: "object", additionalProperties: others };
  return [...parameters, { name, in: "query", style: "form", explode: true, schema }];
}

/** Header fields that OpenAPI describes elsewhere. It ignores parameters with these names. */
export const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "authorization", "content-type"]);

function describeHeaders({ named }: FieldSchemas, styles: FieldStyles): OpenApiParameter[] {
  return [...named].filter(([name]) => !ignoredHeaders.has(name.toLowerCase())).map(([name, { schema, required }]) => ({
    name,
    in: "header",
    ...withStyle(toField(schema, required), styles[name], "header"),
  }));
}

/** Returns the members of a parameter in its style. Lists in paths and headers have commas anyway. */
function withStyle(field: OpenApiField, style: FieldStyle | undefined, place: OpenApiParameter["in"]): OpenApiField {
  if (style === undefined || isPattern(style) || (style === "comma" && place !== "query")) return field;
  if (style !== "json") return { ...openApiStyles[style], ...field };
  const { schema = {}, ...rest } = field;
  return { ...rest, content: { "application/json": { schema } } };
}

export function describeResponseHeaders(
  route: RouteNode,
  status: number,
  schemas: EmbeddedSchemas,
): Record<string, OpenApiField> | undefined {
  const styles = stylesOf(route.responses[status]?.headers);
  const { named } = listFields(schemas.of(route, `${status}.headers`), schemas.find);
  const listed = [...named].filter(([name]) => name.toLowerCase() !== "content-type")
    .map(([name, { schema, required }]) =>
      [name, withStyle(toField(schema, required), styles[name], "header")] as const
    );
  return listed.length === 0 ? undefined : Object.fromEntries(listed);
}
