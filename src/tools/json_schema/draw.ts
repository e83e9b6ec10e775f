/** The options and the state of drawing a value: what all parts of a sample share, and where one part is. */
import type { Choices } from "./choices.ts";
import type { Json, JsonSchemaObject } from "./json.ts";
import type { LocatedSchema } from "./locate.ts";
import type { Shape } from "./shapes.ts";

/** The names and indexes that lead from the whole value to a part. */
export type SamplePath = readonly (string | number)[];

export interface DrawOptions {
  /**
   * Whether values resemble those of a real service: most optional members are present, lists have a few items, and
   * `null` is rare. If all choices are 0, the value is then the most typical one, and otherwise the smallest one.
   */
  readonly isRealistic?: boolean | undefined;
  /**
   * Whether objects have only members that the schema describes, as the types of its library do, unless it requires
   * more.
   */
  readonly isDeclared?: boolean | undefined;
  /** How many parts are drawn freely. All others are as small as possible. Default: 150. */
  readonly parts?: number | undefined;
  /** Returns the value of the part at a path, which must be valid, or `undefined` to draw it. */
  readonly supply?: ((path: SamplePath, schema: JsonSchemaObject) => Json | undefined) | undefined;
  /** Returns a value for a part, or `undefined` to draw it. An invalid value is ignored. */
  readonly suggest?: ((part: SuggestedPart) => Json | undefined) | undefined;
  /** How objects that represent things are recognized, so that the same thing has the same value in every sample. */
  readonly things?: Things | undefined;
}

export interface SuggestedPart extends Pick<Draw, "path" | "choices" | "isWithinThing"> {
  readonly shape: Shape;
}

/** How objects that represent things are recognized. */
export interface Things {
  /**
   * The names of members that identify objects. The first name that an object can have is drawn, and determines all
   * other members.
   */
  readonly names: readonly string[];
  /** Returns the choices for another part of the thing. */
  readonly toChoices: (identifier: Json, part: string) => Choices;
}

export interface Thing {
  readonly name: string;
  readonly identifier: Json;
  /** Returns the choices for another part of the thing. */
  readonly toChoices: (part: string) => Choices;
}

export interface Draw {
  readonly choices: Choices;
  readonly options: DrawOptions;
  /** The thing that the part represents, if any. */
  readonly thing?: Thing | undefined;
  /** Whether the part belongs to a thing, and is not its identifier. */
  readonly isWithinThing: boolean;
  readonly path: SamplePath;
  /** How many levels of lists and objects may be below the part. */
  readonly depth: number;
  /** Limits that all parts share: how many parts may still be drawn freely, and how many attempts may still fail. */
  readonly budget: { parts: number; tries: number };
  /** Draws a value that matches all of some schemas; returns `undefined` if none was found. */
  readonly drawPart: (schemas: readonly LocatedSchema[], draw: Draw) => Json | undefined;
}

/** Draws the member or item of the current part with this name or index. */
export function drawBelow(schemas: readonly LocatedSchema[], key: string | number, draw: Draw): Json | undefined {
  const { thing, isWithinThing, path, depth } = draw;
  return draw.drawPart(schemas, {
    ...draw,
    thing: undefined,
    isWithinThing: isWithinThing || thing !== undefined,
    path: [...path, key],
    depth: depth - 1,
  });
}
