/** Types and checks of the calls that become options of TanStack Query, and the keys of their queries. */
import type { DataTag } from "@tanstack/query-core";
import type { DataTag as DataTagOfRequire } from "@tanstack/query-core" with { "resolution-mode": "require" };
import {
  type AnyCall,
  type AnyResult,
  type CallError,
  isCall,
  isSuccessful,
  type SuccessfulResult,
  toDeclared,
} from "../../client/result.ts";
import type { CallOptions } from "../../client/settings.ts";
import type { RouteCall } from "../../contract/call.ts";
import { mark } from "../../mark.ts";
import { checkKeys, isPlainObject } from "../../options.ts";
import { toTexts } from "../../wire/text_fields.ts";

/**
 * A query key that tells TanStack Query the data and the error of its query. `getQueryData` and `setQueryData` are typed
 * by it.
 */
export interface TypedQueryKey<Data, Failure> extends TaggedKey<Data, Failure> {}

/**
 * A key with the tags of TanStack Query. A program of CommonJS sees other declarations of it, with other symbols.
 *
 * @internal
 */
export type TaggedKey<Data, Failure> = DataTag<
  DataTagOfRequire<readonly unknown[], Data, Failure>,
  Data,
  Failure
>;

/**
 * A call by its arguments and its results. The functions infer these and not the call, because an editor shows what they
 * infer, and would show a call with all its methods.
 *
 * @internal
 */
export type CallOf<Args extends readonly unknown[], Result extends AnyResult> = (...args: Args) => Promise<Result>;

/**
 * The input among the arguments of a call; `never` if its route declares no slots.
 *
 * @internal
 */
export type InputIn<Args extends readonly unknown[]> = Required<Args> extends readonly [infer Input, unknown] ? Input
  : never;

/**
 * The data of a query. An empty body becomes `null`, because TanStack Query rejects `undefined`.
 *
 * @internal
 */
export type QueryData<Result extends AnyResult> = SuccessfulResult<Result>["body"] extends infer Body
  ? Body extends undefined ? null : Body
  : never;

/** A call of any route, without the types of that route. */
type LooseCall = (input: unknown, options: CallOptions | undefined) => Promise<AnyResult>;

/**
 * The compiler's message for a call whose data can be read only once.
 *
 * @internal
 */
export type ReadAgainCheck<Result extends AnyResult> = [
  Extract<SuccessfulResult<Result>["body"], AsyncIterable<unknown> | ReadableStream<unknown> | Response>,
] extends [never] ? unknown : "the response can be read only once; call it without TanStack Query";

/** Returns a call as data, and a function that makes it with an input, which it drops if the route declares no slots. */
export function readQueryCall(call: AnyCall, name: string): readonly [declared: RouteCall, send: LooseCall] {
  const declared = toDeclared(call, name);
  const send = call as (...args: readonly unknown[]) => Promise<AnyResult>; // the types of the arguments match
  return [declared, declared.slots.length > 0 ? send : (_, options) => send(options)];
}

/** The options of a call that a query passes on: all but the signal, which is TanStack Query's. */
const queryOptionNames: readonly Exclude<keyof CallOptions, "signal">[] = [
  "timeout",
  "silence",
  "headers",
  "init",
  "maxBodyBytes",
  "maxRecordBytes",
];

/** Throws a `TypeError` for options that no call would accept. The call checks their values. */
export function checkCallOptions(options: unknown, name: string, others: readonly string[] = []): void {
  checkKeys(options, [...queryOptionNames, ...others], "option", `${name}()`);
}

/** Does the same. Throws a `TypeError` if the data can be read only once: a query keeps them for several readers. */
export function readQuery(call: AnyCall, name: string): ReturnType<typeof readQueryCall> {
  const read = readQueryCall(call, name);
  for (const [status, { representation }] of read[0].responses) {
    if (!isSuccessful({ status }) || !representation.readLater) continue;
    throw new TypeError(
      `${name}(): the response ${status} of ${read[0].key} can be read only once; call it without TanStack Query`,
    );
  }
  return read;
}

/**
 * The arguments of {@linkcode queryKey} after the call, for the key of one query.
 *
 * @internal
 */
export type KeyArguments<Args extends readonly unknown[]> = [InputIn<Args>] extends [never] ? []
  : [] extends Args ? [input?: InputIn<Args>]
  : [input: InputIn<Args>];

/**
 * Returns the key of a query: the parts of the route's key, then the input. TanStack Query's cache is typed by it. Two
 * inputs have the same key if their requests are the same: numbers of a path, a query or headers become text, and what
 * is not sent is left out.
 *
 * With a part of an input, or without an input that is required, the key matches the queries of all inputs that contain
 * this part. With a group of a client, it matches the queries of all routes below.
 *
 * @example The key of one query, of all queries of a route, and of a group
 * ```ts
 * import { defineContract, response, route, router } from "@scope/api";
 * import { createClient } from "@scope/api/client";
 * import { queryKey } from "@scope/api/tanstack-query";
 * import { assertEquals } from "@std/assert";
 *
 * const contract = defineContract({
 *   routes: { users: router("/users", { routes: { byId: route.get("/:id", { responses: { 200: response.text() } }) } }) },
 * });
 * const client = createClient(contract, { baseUrl: "https://api.example.com" });
 *
 * assertEquals<readonly unknown[]>(queryKey(client.users.byId, { params: { id: 1 } }), [
 *   "users",
 *   "byId",
 *   { params: { id: "1" } },
 * ]);
 * assertEquals(queryKey(client.users.byId), ["users", "byId"]);
 * assertEquals(queryKey(client.users), ["users"]);
 * ```
 *
 * @throws {TypeError} If the argument is not a call or a group of a client. Also if the input has an unknown slot, or
 * contains a value that JSON drops, such as a `Map`.
 */
export function queryKey<Args extends readonly unknown[], Result extends AnyResult>(
  call: CallOf<Args, Result>,
  ...input: KeyArguments<Args>
): TypedQueryKey<QueryData<Result>, CallError<Exclude<Result, SuccessfulResult<Result>>>>;
/** Returns the key of all queries of a route whose input contains a part. */
export function queryKey<Args extends readonly unknown[], Result extends AnyResult>(
  call: CallOf<Args, Result>,
  input?: Partial<InputIn<Args>>,
): readonly unknown[];
/** Returns the key of all queries of the routes below a group of a client. */
export function queryKey(group: Readonly<Record<string, object>>): readonly unknown[];
export function queryKey(call: unknown, input?: unknown): readonly unknown[] {
  const group = findGroupKey(call);
  if (group === undefined) return toQueryKey(toDeclared(call, "queryKey"), input);
  return group === "" ? [] : toParts(group);
}

/** Returns what the keys of all calls of a client's group begin with. `undefined` if the value is not such a group. */
function findGroupKey(value: unknown): string | undefined {
  if (!isPlainObject(value)) return undefined;
  for (const [name, entry] of Object.entries(value)) {
    const key = isCall(entry) ? entry[mark].key : findGroupKey(entry);
    if (key === name) return "";
    if (key?.endsWith(`.${name}`)) return key.slice(0, -name.length - 1);
  }
}

/** Returns the key of a route's queries, for all inputs or for one. The types of the call are those of its data. */
export function toQueryKey<Data, Failure>(call: RouteCall, input: unknown): TypedQueryKey<Data, Failure> {
  const kept = toKeyInput(call, input);
  checkKeys(kept, call.slots, "slot", "queryKey()");
  const key: readonly unknown[] = [...toParts(call.key), ...kept === undefined ? [] : [kept]];
  return key as TypedQueryKey<Data, Failure>; // the tags exist only in types
}

function toParts(key: string): readonly string[] {
  return key.split(".");
}

/** Returns what an input contributes to a key: the slots with something to send. `undefined` if there are none. */
function toKeyInput({ key, coders }: RouteCall, input: unknown): unknown {
  if (!isPlainObject(input)) return toKeyValue(input, key);
  return withMembers(input, (value, slot) => {
    if (slot === "body" || !isPlainObject(value)) return toKeyValue(value, key);
    const toKey = coders[slot]?.encode ? toKeyValue : toKeyText;
    return withMembers(value, (field) => toKey(field, key));
  });
}

/** Returns an object with other members, without those that are `undefined`. `undefined` if none is left. */
function withMembers(
  members: Readonly<Record<string, unknown>>,
  map: (value: unknown, name: string) => unknown,
): unknown {
  const kept = Object.entries(members).map(([name, value]) => [name, map(value, name)] as const)
    .filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Returns the text of a field, or a list of several texts. The server cannot distinguish a list of one from its item. */
function toKeyText(field: unknown, key: string): unknown {
  const texts = toTexts(field);
  if (texts === undefined) return toKeyValue(field, key);
  return texts.length > 1 ? texts : texts[0];
}

/** Returns a value whose JSON is unique to it, because TanStack Query finds queries by the JSON of their keys. */
function toKeyValue(value: unknown, key: string): unknown {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  const isDropped = typeof value === "function" || typeof value === "symbol"; // by JSON
  if (!isDropped && (typeof value !== "object" || value === null || hasJson(value))) return value;
  if (Array.isArray(value)) return value.map((item) => toKeyValue(item, key));
  const isPlain: boolean = isPlainObject(value); // the guard would narrow the value below to never
  if (isPlain) return withMembers(Object(value), (member) => toKeyValue(member, key)) ?? {};
  throw new TypeError(
    `queryKey(): the input of ${key} must be JSON, got a ${
      Object(value).constructor.name
    }; write the options of the query yourself`,
  );
}

function hasJson(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}
