import { isSchemaObject, type JsonSchemaObject } from "../json_schema/json.ts";
import { type LocatedSchema, locatePart, locateSchema } from "../json_schema/locate.ts";
import { type Conversions, createConversions } from "./conversions.ts";
import { remember } from "./definitions.ts";

export interface LocatedConversions extends Conversions {
  /**
   * Prepares a converted schema, once. Those with shared definitions are parts of one whole schema, so that what is
   * known of a definition serves all of them.
   */
  readonly locate: (converted: JsonSchemaObject) => LocatedSchema;
}

/** What is known of shared definitions, also by later sets of conversions: each definition is read once. */
const wholes = new WeakMap<object, LocatedSchema>();

export function createLocatedConversions(): LocatedConversions {
  const conversions = createConversions();
  const located = new Map<JsonSchemaObject, LocatedSchema>();
  const locate = (converted: JsonSchemaObject): LocatedSchema => {
    const { $defs, ...own } = converted;
    if (!isSchemaObject($defs) || !conversions.isShared($defs)) return locateSchema(converted);
    const whole = wholes.get($defs) ?? locateSchema({ $defs });
    wholes.set($defs, whole);
    return locatePart(whole, own);
  };
  return { ...conversions, locate: (converted) => remember(located, converted, locate) };
}
