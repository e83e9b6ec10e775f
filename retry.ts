/**
 * Retries of the calls that are safe to repeat, and streams of events that reconnect.
 *
 * @module
 */
export type { Around } from "./src/client/settings.ts";
export type { ItemReader, ReceivedEvent } from "./src/representation/item_stream.ts";
export { type ClosedConnection, follow, type FollowOptions, type OpenConnection } from "./src/retry/follow.ts";
export { type RetriedAttempt, retry, type RetryOptions } from "./src/retry/retry.ts";
