/** Reads the messages of clients, and encodes those of the server, as a contract declares them. */
import { attempt, type Awaitable, whenReady } from "../awaitable.ts";
import { toSentCheck } from "../contract/codec.ts";
import { isCustomDeeperThan } from "../representation/whole_body.ts";
import {
  decodeMessage,
  encodeMessage,
  type Frame,
  isNeverEmpty,
  isTextual,
  type MessageFormat,
  type SocketFacts,
} from "../representation/socket.ts";
import { acceptedValue, type Check, type Checked, isSchema, toCheck } from "../schema.ts";
import { isDeeperThan } from "../wire/json.ts";

/** How the messages of a route are read and written. */
export interface Messages {
  /** Whether those of clients are text frames. */
  readonly isTextual: boolean;
  /** Whether those of the server are never empty. */
  readonly isNeverEmpty: boolean;
  /** Decodes and validates a message of a client. Throws or rejects only if a schema does. */
  readonly read: (frame: Frame) => Awaitable<Checked>;
  /** Validates and encodes a message of the server. Throws or rejects if it does not fit. */
  readonly encode: (message: unknown) => Awaitable<Frame>;
}

/** Plans the messages of a route. `name` names it in messages of errors. */
export function planMessages({ fromClient, fromServer }: SocketFacts, name: string, maxDepth: number): Messages {
  return {
    isTextual: isTextual(fromClient),
    isNeverEmpty: isNeverEmpty(fromServer),
    read: planRead(fromClient, maxDepth),
    encode: planEncode(fromServer, name),
  };
}

function planRead(format: MessageFormat, maxDepth: number): Messages["read"] {
  const { schema, custom } = format;
  const check: Check = isSchema(schema) ? toCheck(schema) : (value) => ({ value });
  const isDeep = custom ? isCustomDeeperThan : isDeeperThan;
  const read = (value: unknown, frame: Frame): Awaitable<Checked> =>
    frame.length > maxDepth && isDeep(maxDepth, value) ? tooDeep : check(value);
  const decode = (frame: Frame): Awaitable<unknown> => decodeMessage(frame, format);
  return (frame) => attempt(decode, refuse, read, frame);
}

function refuse(): Checked {
  return malformed;
}

const malformed: Checked = { issues: [{ message: "The message is malformed" }] };
const tooDeep: Checked = { issues: [{ message: "The message is nested too deeply" }] };

function planEncode(format: MessageFormat, name: string): Messages["encode"] {
  const { schema } = format;
  if (!isSchema(schema)) return (message) => encodeMessage(message, format);
  const check = toSentCheck(schema);
  const encode = (checked: Checked): Awaitable<Frame> =>
    encodeMessage(acceptedValue(checked, `Cannot send a message of ${name}: `), format);
  return (message) => whenReady(check(message), encode);
}
