/** What parts of one sample are drawn with. */
import { type Choices } from "./choices.ts";
import { type Json } from "./json.ts";
import { type JsonSchemaObject } from "./json_schema.ts";
import { type ValuePlan } from "./sample_plan.ts";
import { type Shape } from "./shapes.ts";

/** The names and indexes that lead from the whole value to a part. */
export type SamplePath = readonly (string | number)[];

/** Settings of `sample`, none of which is needed. */
export interface SampleOptions {
  /**
   * Whether values look like those of a service that people use: members that may be left out are there as a rule, lists
   * have a few items, `null` is rare. Zero choices then mean the most usual value; without it they mean the least one.
   */
  readonly isRealistic?: boolean | undefined;
  /** A value for the part at a path, which must be valid; `undefined` to have it drawn. */
  readonly supply?: ((path: SamplePath, schema: JsonSchemaObject) => Json | undefined) | undefined;
  /** A value for a part, which is taken if it is valid; `undefined` to have it drawn. */
  readonly suggest?: ((part: SuggestedPart) => Json | undefined) | undefined;
  /** How objects that stand for things are told apart, so that the same thing is the same wherever it is drawn. */
  readonly things?: Things | undefined;
}

/** A part for which a value may be suggested. */
export interface SuggestedPart {
  /** Where it stands. */
  readonly path: SamplePath;
  /** The shape that was chosen for it. */
  readonly shape: Shape;
  /** The choices that it is drawn from. */
  readonly choices: Choices;
  /** Whether it belongs to a thing, and does not only tell one apart. */
  readonly isWithinThing: boolean;
}

/** How objects that stand for things are told apart. */
export interface Things {
  /** The names of members that tell objects apart: the first that an object may have is drawn, and the rest follows from it. */
  readonly names: readonly string[];
  /** The choices for another part of the thing. */
  readonly toChoices: (identifier: Json, part: string) => Choices;
}

/** A thing that is being drawn. */
export interface Thing {
  /** The name of the member that tells it apart. */
  readonly name: string;
  /** Its value. */
  readonly identifier: Json;
  /** The choices for another part of the thing. */
  readonly toChoices: (part: string) => Choices;
}

/** Everything that parts of one value are drawn with. */
export interface Draw {
  /** The choices. */
  readonly choices: Choices;
  /** The settings. */
  readonly options: SampleOptions;
  /** The thing that the part is, where it is one. */
  readonly thing?: Thing | undefined;
  /** Whether the part belongs to a thing. */
  readonly isWithinThing: boolean;
  /** Where the part stands. */
  readonly path: SamplePath;
  /** How many levels of lists and objects may be below the part. */
  readonly depth: number;
  /** What all parts share: how many may still be drawn freely, and how often something may still be drawn again. */
  readonly budget: { parts: number; tries: number };
  /** Draws a value by a plan; `undefined` where none was found. */
  readonly drawPart: (plan: ValuePlan, draw: Draw) => Json | undefined;
}

/** Draws the part that has a name or an index in the part that is being drawn. */
export function drawBelow(plan: ValuePlan, key: string | number, draw: Draw): Json | undefined {
  const { thing, isWithinThing, path, depth } = draw;
  return draw.drawPart(plan, {
    ...draw,
    thing: undefined,
    isWithinThing: isWithinThing || thing !== undefined,
    path: [...path, key],
    depth: depth - 1,
  });
}
