/** What a runtime provides of one connection, and what it tells about it. */
import type { Frame } from "../representation/socket.ts";

/** The runtime's end of a connection. Its methods do not throw. */
export interface Link {
  /** Sends a frame, after those before it. */
  send(frame: Frame): void;
  /** Closes the connection, after what was sent. */
  close(code: number, reason: string): void;
  /** The number of bytes that were sent and that the connection has not taken yet. 0 if the runtime does not tell. */
  readonly buffered: number;
  /** Stops reading, so that the client has to wait. Absent if the runtime cannot. */
  pause?(): void;
  /** Reads again. */
  resume?(): void;
  /** Asks whether the client is still there, or breaks the connection off if the last question has no answer. */
  ping?(): void;
}

/** What a runtime tells about a connection. */
export interface LinkEvents {
  /** It is open. */
  opened(link: Link): void;
  /** A message has arrived. */
  received(frame: Frame): void;
  /** It has ended, or was never opened. */
  closed(code: number, reason: string): void;
}
