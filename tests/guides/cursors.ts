import { Buffer } from "node:buffer";
import * as z from "zod";

/** The position of an item in the order of the list. */
export type Position = readonly [createdAt: string, id: string];

const Position = z.tuple([z.iso.datetime(), z.string()]);

/** Returns the cursor of a position: text that callers do not have to understand. */
export function formatCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Returns the position of a cursor, or `undefined` if it is not one. */
export function parseCursor(cursor: string): Position | undefined {
  try {
    return Position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    return undefined;
  }
}
