/**
 * What the page imports of the contract beside its rows. The page runs both schemas of the codec, so they are written by hand: no schema
 * library is in its bundle.
 *
 * @module
 */
import { codec, type Schema } from "@scope/api";

/** Who is in the room now. */
export interface People {
  readonly type: "people";
  readonly names: readonly string[];
}

/** Someone said something. */
export interface Message<Time = Date> {
  readonly type: "message";
  readonly author: string;
  readonly text: string;
  readonly at: Time;
}

/** What happens in the room: someone says something, or who is there changes. */
export type RoomEvent = People | Message;

/** Both sides see a `Date`; between them goes its text. */
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

/** A schema of events whose messages have times that pass a check. */
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
