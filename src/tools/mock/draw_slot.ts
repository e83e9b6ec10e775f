/** Generates the values that handlers return for the body or the headers of a response. */
import { messageOf } from "../../messages.ts";
import { type Awaitable, whenReady } from "../../awaitable.ts";
import { isCodec } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import { isInstance } from "../../mark.ts";
import { type Choices, chooseFrom, createChoices } from "../json_schema/choices.ts";
import type { SamplePath, SuggestedPart, Things } from "../json_schema/draw.ts";
import type { Json, JsonSchemaObject } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { findSample } from "../json_schema/sample.ts";
import type { Shape } from "../json_schema/shapes.ts";
import { StepLimitError } from "../json_schema/steps.ts";
import type { LocatedConversions } from "../openapi/locate_converted.ts";
import { ownMember, toPart } from "../openapi/part.ts";
import { formatSlot, outside, type SchemaProvider, type SchemaSlot } from "../openapi/slot_schemas.ts";
import { type Checked, type Schema, toCheck } from "../../schema.ts";
import type { RouteInfo } from "../../server/define/call.ts";
import { problemType } from "../../wire/media_type.ts";
import { statusPhrase } from "../../wire/problem.ts";
import { drawNamedNumber, drawNamedText } from "./words.ts";

/** Returns a value to use instead of a generated one, which the schema must accept; `undefined` to generate it. */
export type SampleProvider = (route: RouteInfo, path: SamplePath, schema: JsonSchemaObject) => unknown;

/** The settings that all slots of a mock share. */
export interface DrawSettings {
  readonly supplySchema: SchemaProvider | undefined;
  readonly supplyValue: SampleProvider | undefined;
  readonly docs: object | undefined;
  /** How objects that represent the same thing are recognized. */
  readonly things: Things;
  readonly conversions: LocatedConversions;
}

export interface DrawnSlot {
  /** The route that the user's options are asked about. `undefined` if no route has the slot. */
  readonly route: RouteNode | undefined;
  readonly slot: SchemaSlot;
  readonly schema: Schema | undefined;
  /** Generates the wire value, for content that JSON Schema does not describe. */
  readonly drawWire?: ((choices: Choices) => unknown) | undefined;
}

interface SlotDrawing {
  readonly seed: string;
  readonly echoes: Echoes;
  /** The path of the value in the body: the index of an item. */
  readonly path: SamplePath;
}

export type DrawSlot = (drawing: SlotDrawing) => Awaitable<unknown>;

/** The most attempts to generate a value that the schema accepts. */
const tries = 20;

/**
 * Plans how the values of a slot are generated: on the wire, from its JSON Schema, and then through its codec.
 *
 * @throws {TypeError} If the schema does not convert to JSON Schema.
 */
export function planSlotValue(drawn: DrawnSlot, settings: DrawSettings): DrawSlot {
  const { schema } = drawn;
  const draw = withExamples(drawn.drawWire ?? planSample(drawn, settings), listExamples(drawn, settings));
  if (!schema) return (drawing) => draw(createChoices(drawing.seed), drawing, 0);
  const check = toCheck(schema);
  const isDecoded = isCodec(schema);
  const attempt = (drawing: SlotDrawing, count: number): Awaitable<unknown> => {
    const value = draw(createChoices(count === 0 ? drawing.seed : `${drawing.seed} ${count}`), drawing, count);
    return whenReady(check(value), (checked: Checked): Awaitable<unknown> => {
      if (!checked.issues) return isDecoded ? checked.value : value;
      return count < tries ? attempt(drawing, count + 1) : failToFind(drawn, checked.issues[0]?.message);
    });
  };
  return (drawing) => attempt(drawing, 0);
}

/** Returns the examples of a response in the prose of its route: beside the contract, or else in it. */
function listExamples({ route, slot }: DrawnSlot, { docs }: DrawSettings): readonly Json[] {
  if (typeof slot !== "number" || route === undefined) return [];
  const beside = route.key.split(".").reduce<unknown>((tree, key) => ownMember(tree, key), docs);
  const { range = "" } = route.responses[slot] ?? {};
  const found = [beside, route.docs].flatMap((each) => {
    const responses = ownMember(each, "responses");
    return ownMember(responses, String(slot)) ?? ownMember(responses, range) ?? [];
  });
  const listed = found.map((each): readonly unknown[] => {
    const { example, examples } = toPart(each);
    const named = Object.values(toPart(examples)).map((one) => toPart(one)["value"]);
    return [example, ...named].filter((one) => one !== undefined);
  });
  return (listed.find((each) => each.length > 0) ?? []) as readonly Json[]; // documents are JSON
}

/** Prefers examples to generated values. Those that the schema refuses are not tried again. */
function withExamples(draw: DrawWire, examples: readonly Json[]): DrawWire {
  if (examples.length === 0) return draw;
  return (choices, drawing, count) => {
    if (drawing.path.length > 0 || count >= examples.length) return draw(choices, drawing, count);
    const first = examples.indexOf(chooseFrom(createChoices(drawing.seed), examples));
    return examples[(first + count) % examples.length];
  };
}

/** Draws a wire value. `count` is the number of attempts before. */
type DrawWire = (choices: Choices, drawing: SlotDrawing, count: number) => unknown;

function failToFind({ route, slot }: DrawnSlot, message: string | undefined): never {
  throw new NotMockedError(
    `found no value for ${formatSlot(slot)} of ${route?.key ?? outside} that its schema accepts: ${message}; ` +
      `pass a handler, or return a narrower JSON Schema from the option schema(route, slot)`,
  );
}

/**
 * Plans how wire values are generated from JSON Schema: from the JSON Schema of the input or, in turns, of the output.
 */
function planSample(drawn: DrawnSlot, settings: DrawSettings): DrawWire {
  const { route } = drawn;
  const schemas = listSchemas(drawn, settings);
  const { supplyValue, things } = settings;
  return (choices, { path: start, echoes }, count) => {
    try {
      const value = findSample(schemas[count % schemas.length]!, choices, {
        isRealistic: true,
        things,
        suggest: (part) => suggestValue({ ...part, path: [...start, ...part.path] }, echoes),
        supply: supplyValue && route &&
          ((path, schema) => supplyValue(route, [...start, ...path], schema) as Json | undefined), // validated there
      });
      return value !== undefined ? value : failToFind(drawn, "no value was found that matches its JSON Schema");
    } catch (error) {
      if (!isInstance(error, StepLimitError)) throw error;
      failToFind(drawn, error.message);
    }
  };
}

function listSchemas(
  { route, slot, schema }: DrawnSlot,
  { supplySchema, conversions }: DrawSettings,
): readonly LocatedSchema[] {
  const supplied = route && supplySchema?.(route, slot);
  if (supplied) return [conversions.locate(conversions.copy(supplied))];
  const place = `${formatSlot(slot)} of ${route?.key ?? outside}`;
  if (!schema) fail(`${place} does not have a schema`);
  const found = new Set<JsonSchemaObject>();
  let reason: string | undefined;
  for (const side of ["input", "output"] as const) {
    try {
      found.add(conversions.convert(schema, side));
    } catch (error) {
      reason ??= messageOf(error);
    }
  }
  if (found.size === 0) fail(`the schema of ${place} does not convert to JSON Schema: ${reason}`);
  return [...found].map((each) => conversions.locate(each));
}

function fail(state: string): never {
  throw new TypeError(`mockContract(): ${state}; return one from the option schema(route, slot), or pass a handler`);
}

export class NotMockedError extends Error {
  override readonly name = "NotMockedError";
}

/** Returns a 501 for a response that could not be generated; `undefined` for any other error. */
export function answerNotMocked(error: unknown): Response | undefined {
  if (!isInstance(error, NotMockedError)) return undefined;
  const problem = { type: "about:blank", title: statusPhrase(501), status: 501, detail: error.message };
  return new Response(JSON.stringify(problem), { status: 501, headers: { "content-type": problemType } });
}

/** The members whose values the path of a request determines, by name. */
export type Echoes = Readonly<Record<string, unknown>>;

/** Suggests a value for a part; `undefined` to generate it. The value may be invalid. */
function suggestValue(part: SuggestedPart, echoes: Echoes): Json | undefined {
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
  if (example !== undefined) return example;
  const source = type === "array" ? undefined : sources.find((source) => source.default !== undefined);
  return source?.default;
}

function suggestByName(name: string, shape: Shape, choices: Choices): Json | undefined {
  if (shape.values) return undefined;
  if (shape.type === "number") return drawNamedNumber(name, choices);
  if (shape.type !== "string" || shape.formats.length > 0) return undefined;
  return drawNamedText(name, choices);
}
