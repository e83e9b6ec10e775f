/** What documents leave out of converted schemas: noise of the libraries, and closed objects that nobody declared. */
import { isSchemaObject, type JsonSchema, type JsonSchemaObject, listParts, mapParts } from "../json_schema/json.ts";
import { compile } from "../json_schema/pattern_syntax.ts";
import { tryTo } from "./definitions.ts";
import { type Definitions, findDefinition, mapObjects } from "../json_schema/references.ts";

export function tidySchema(schema: JsonSchemaObject): JsonSchemaObject {
  return mapObjects(schema, tidyObject) as JsonSchemaObject; // an object stays one
}

function tidyObject(schema: JsonSchemaObject): JsonSchemaObject {
  const { type, minimum, maximum, format, contentEncoding, required, propertyNames, pattern } = schema;
  const isInteger = type === "integer";
  const isInt32 = isInteger && minimum === -(2 ** 31) && maximum === 2 ** 31 - 1 &&
    (format === undefined || format === "int32");
  const noise = [
    ...(isInt32 || (isInteger && minimum === Number.MIN_SAFE_INTEGER) ? ["minimum"] : []),
    ...(isInt32 || (isInteger && maximum === Number.MAX_SAFE_INTEGER) ? ["maximum"] : []),
    ...(format === "binary" && contentEncoding === "binary" ? ["contentEncoding"] : []),
    ...(Array.isArray(required) && required.length === 0 ? ["required"] : []),
    ...(isAnyText(propertyNames) ? ["propertyNames"] : []),
    ...(isImplied(pattern, format) ? ["pattern"] : []),
  ];
  if (noise.length === 0) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !noise.includes(keyword));
  return { ...Object.fromEntries(kept), ...(isInt32 && { format: "int32" }) };
}

/**
 * Texts of formats that differ as much as those of a format do. A pattern that says more than the format refuses one: a
 * pattern for the months of one season, the addresses of one domain, or the version of an identifier.
 */
const probes: Readonly<Record<string, () => readonly string[]>> = {
  date: listDates,
  "date-time": () => [...listDates().map((date) => `${date}T00:00:00Z`), "2000-02-29T23:59:59.123+14:00"],
  email: () => ["a@b.co", "z9@a.io", "First.Last+tag_1@sub-1.Example.museum"],
  ipv4: () => ["0.0.0.0", "9.10.99.100", "192.168.1.1", "255.199.20.10"],
  ipv6: () => ["::", "::1", "2001:DB8::a:1", "fe80:1:2:3:4:5:6:7"],
  uuid: () => [
    ...["0", "f"].map((digit) => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join("-")),
    ..."12345678".split("").map((version) => `c232ab00-9414-${version}1ec-b3c8-9f6bdeced846`),
    "C232AB00-9414-11EC-B3C8-9F6BDECED846",
    "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
  ],
};

function listDates(): string[] {
  const months = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, "0"));
  const days = months.flatMap((month) => ["01", "09", "10", "19", "20", "28"].map((day) => `${month}-${day}`));
  return [
    ...["0001", "1999", "2024"].flatMap((year) => days.map((day) => `${year}-${day}`)),
    "2000-02-29",
    "9999-12-31",
  ];
}

/**
 * Tests whether a pattern that a library writes beside a format refuses no text of the format. The schemas of a program
 * run their patterns on every value, so that running one here is no further risk.
 */
function isImplied(pattern: unknown, format: unknown): boolean {
  if (typeof pattern !== "string" || typeof format !== "string" || !Object.hasOwn(probes, format)) return false;
  const expression = tryTo(() => compile(pattern));
  return expression !== undefined && probes[format]!().every((text) => expression.test(text));
}

/** Tests whether a schema accepts every name of a property. */
function isAnyText(schema: unknown): boolean {
  return isSchemaObject(schema) && Object.keys(schema).length === 1 && schema["type"] === "string";
}

interface OpenedSides {
  readonly output: Record<string, JsonSchema>;
  readonly input: Definitions;
  readonly opened: Set<string>;
}

/**
 * Opens the objects of an output whose input is open in the same place: a schema that strips undeclared members sends
 * none, but a later version may declare more. Only a schema that refuses them has promised that there are none.
 */
export function openOutput(output: JsonSchemaObject, input: JsonSchemaObject | undefined): JsonSchemaObject {
  const { $defs, ...own } = output;
  const definitions = isSchemaObject($defs) ? { ...$defs } as Record<string, JsonSchema> : {};
  const inputs = input && isSchemaObject(input.$defs) ? input.$defs as Definitions : {};
  const opened = openSchema(own, input, { output: definitions, input: inputs, opened: new Set() });
  return $defs === undefined ? opened as JsonSchemaObject : { ...opened as JsonSchemaObject, $defs: definitions };
}

function openSchema(output: JsonSchema, input: unknown, opening: OpenedSides): JsonSchema {
  if (!isSchemaObject(output)) return output;
  const other = followInput(input, opening);
  openTarget(output, other, opening);
  const entries = Object.entries(output).flatMap(([keyword, part]): [string, unknown][] => {
    const beside = isSchemaObject(other) ? other[keyword] : undefined;
    if (keyword === "additionalProperties" && part === false && beside !== false) return [];
    return [[keyword, openPart(keyword, part, beside, opening)]];
  });
  return Object.fromEntries(entries);
}

function openPart(keyword: string, part: unknown, beside: unknown, opening: OpenedSides): unknown {
  const isOtherList = Array.isArray(part) && part.length !== (Array.isArray(beside) ? beside.length : 0);
  const others = new Map(isOtherList ? [] : listParts(keyword, beside));
  return mapParts(keyword, part, (each, step) => openSchema(each, others.get(step), opening));
}

/** Opens the definition that a schema of the output refers to, once. */
function openTarget({ $ref }: JsonSchemaObject, input: unknown, opening: OpenedSides): void {
  const target = typeof $ref === "string" ? findDefinition($ref, opening.output) : undefined;
  if (target === undefined || target.rest !== "" || opening.opened.has(target.name)) return;
  opening.opened.add(target.name);
  opening.output[target.name] = openSchema(target.schema, input, opening);
}

function followInput(input: unknown, { input: definitions }: OpenedSides): unknown {
  let found = input;
  for (let hops = 0; hops < 50 && isSchemaObject(found) && typeof found.$ref === "string"; hops++) {
    found = findDefinition(found.$ref, definitions)?.schema;
  }
  return found;
}
