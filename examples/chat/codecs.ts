/**
 * The part of the contract that the page imports in addition to contract.slim.ts. The page runs both schemas of the codec, so they
 * are handwritten: the bundle contains no schema library.
 *
 * @module
 */
import { codec, type Schema } from "@scope/api";

/** The names of the people in the room. */
export interface People {
  readonly type: "people";
  readonly names: readonly string[];
}

/** A message of one person. */
export interface Message<Time = Date> {
  readonly type: "message";
  readonly author: string;
  readonly text: string;
  readonly at: Time;
}

/** An event in the room: a message, or a change of the people. */
export type RoomEvent = People | Message;

/** A `Date` on both sides, and its text on the wire. */
export const roomEvents = codec(
  eventSchema<string>((at) => typeof at === "string" && isTime(new Date(at))),
  eventSchema<Date>(isTime),
  {
    decode: (event) => event.type === "message" ? { ...event, at: new Date(event.at) } : event,
    encode: (event) => event.type === "message" ? { ...event, at: event.at.toISOString() } : event,
  },
);

function isTime(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

/** Returns a schema of events that checks the times of messages. */
function eventSchema<Time>(isAt: (at: unknown) => boolean): Schema<People | Message<Time>> {
  const isEvent = (value: unknown): value is People | Message<Time> => {
    const { type, names, author, text, at } = Object(value) as Record<string, unknown>;
    if (type === "people") return Array.isArray(names) && names.every(isText);
    return type === "message" && isText(author) && isText(text) && isAt(at);
  };
  const refused = { issues: [{ message: "must be an event of the room" }] };
  return {
    "~standard": { version: 1, vendor: "chat", validate: (value) => isEvent(value) ? { value } : refused },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
