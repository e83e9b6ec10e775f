/**
 * Retries of the calls that are safe to repeat, and streams of events that reconnect.
 *
 * @module
 */
export { type Around } from "./src/client/around.ts";
export { type ItemReader, type ReceivedEvent } from "./src/representation/stream.ts";
export { follow } from "./src/retry/follow.ts";
export { type ClosedConnection, type FollowOptions, type OpenConnection } from "./src/retry/read_events.ts";
export { type RetriedAttempt, retry, type RetryOptions } from "./src/retry/retry.ts";
