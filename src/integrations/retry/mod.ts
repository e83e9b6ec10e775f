/**
 * Retries of the calls that are safe to repeat, and streams of events that reconnect.
 *
 * @module
 */
export type { Around } from "../../client/settings.ts";
export type { ItemReader } from "../../representation/stream.ts";
export type { ReceivedEvent } from "../../representation/sse.ts";
export { type ClosedConnection, follow, type FollowOptions, type OpenConnection } from "./follow.ts";
export { type RetriedAttempt, retry, type RetryOptions } from "./retry.ts";
