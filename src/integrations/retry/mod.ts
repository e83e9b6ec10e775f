/**
 * Retries of the calls that are safe to repeat, and streams of events that reconnect.
 *
 * @module
 */
export type { Around } from "../../client/settings.ts";
export type { ItemReader, ReceivedEvent } from "../../representation/item_stream.ts";
export { type ClosedConnection, follow, type FollowOptions, type OpenConnection } from "./follow.ts";
export { type RetriedAttempt, retry, type RetryOptions } from "./retry.ts";
