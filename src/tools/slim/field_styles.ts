import type { SlotCoder } from "../../contract/call.ts";
import { markAs, type Marked } from "../../mark.ts";
import { type FieldStyles, hasSpaces, writeStyled } from "../../wire/field_styles.ts";

/**
 * The styles of fields, without their schema.
 *
 * @internal
 */
export interface SlimStyles<Styles extends FieldStyles = FieldStyles> extends Marked<"field styles"> {
  /** The styles by the names of fields. */
  readonly styles: Styles;
  /** How calls write the fields. */
  readonly client: SlotCoder;
}

/**
 * Declares in a slim contract how some fields of a query, path parameters, headers or a form are written, as `styled()`
 * does in a whole one.
 *
 * @example A list in one field
 * ```ts
 * import { createClient } from "@scope/api/client";
 * import { fieldStyles, json, type SlimRoute, slimRoutes, type TypedResponse } from "@scope/api/slim";
 * import { assertEquals } from "@std/assert";
 *
 * const list: SlimRoute<{
 *   method: "GET";
 *   path: "/items";
 *   query: { ids: number[] };
 *   responses: { 200: TypedResponse<"json", string> };
 * }> = ["GET", "/items", { query: fieldStyles({ ids: "comma" }) }, { 200: json }];
 *
 * const client = createClient(slimRoutes({ list }), {
 *   baseUrl: "https://api.example.com",
 *   fetch: (request) => Response.json(new URL(request.url).searchParams.get("ids")),
 * });
 * assertEquals((await client.list({ query: { ids: [1, 2] } })).body, "1,2");
 * ```
 *
 * @param styles The styles of fields, by name.
 */
export function fieldStyles<const Styles extends FieldStyles>(styles: Styles): SlimStyles<Styles> {
  const client: SlotCoder = {
    encode: (value, slot) => writeStyled(value, styles, slot),
    isSpaced: hasSpaces(styles),
  };
  return markAs("field styles", { styles, client });
}
