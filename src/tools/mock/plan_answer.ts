/** Plans the responses of routes without a handler. */
import { type Awaitable, isPromise, wait, whenReady } from "../../awaitable.ts";
import type { RouteNode } from "../../contract/node.ts";
import type { ResponseDeclaration, ResponseKind, Responses } from "../../contract/response.ts";
import { isInstance } from "../../mark.ts";
import { type Choices, choose, hashText } from "../json_schema/choices.ts";
import { parameterNames } from "../../path.ts";
import { routeLabel } from "../../messages.ts";
import type { Slots } from "../../server/define/call.ts";
import type { Result } from "../../server/define/result.ts";
import { outside } from "../openapi/slot_schemas.ts";
import { statusPhrase } from "../../wire/problem.ts";
import type { Schema } from "../../schema.ts";
import { socketOf } from "../openapi/sockets.ts";
import type { Conversation } from "../../contract/socket.ts";
import { type DrawnSlot, type DrawSettings, type Echoes, NotMockedError, planSlotValue } from "./draw_slot.ts";
import { drawSentence } from "./words.ts";

export interface AnswerSettings extends DrawSettings {
  readonly seed: number | string;
  readonly delay: number;
  /** The keys of routes whose answers are drawn like those of another one. */
  readonly alike: ReadonlyMap<string, string>;
}

type MakeUp = (slots: Partial<Slots>, status: number) => Awaitable<Result>;

type DrawResult = (question: string, echoes: Echoes) => Awaitable<Result>;

/**
 * Plans the generated responses of a route.
 *
 * @throws {TypeError} If a schema does not convert to JSON Schema, or the option `sample` returns an invalid value.
 */
export function planAnswer(route: RouteNode, settings: AnswerSettings): MakeUp {
  const facts = socketOf(route.responses[101]);
  const { 101: _, ...others } = route.responses;
  const results = planResults(facts ? others : route.responses, () => route, settings);
  const draw = facts && planConversation(route, facts.fromServer, settings);
  const echoed = listEchoed(route);
  const ask = planQuestion(route.key, settings);
  return (slots, status) => {
    if (draw && status === 101) return whenReady(draw(ask(slots)), (body) => ({ status, body }));
    const echoes = Object.entries(Object(slots.params)).filter(([name]) => echoed.has(name));
    return results.get(status)!(ask(slots), Object.fromEntries(echoes));
  };
}

/** How many messages are sent before any of the client. */
const openingLength = 3;

/**
 * Plans what a server sends on connections: three messages, and one more for each valid message of the client. They
 * depend on the question, and are drawn before the connection opens, as far as that is possible, so that a route without
 * a possible value is refused.
 */
function planConversation(
  route: RouteNode,
  { kind, schema: declared }: NonNullable<ReturnType<typeof socketOf>>["fromServer"],
  settings: AnswerSettings,
): (question: string) => Awaitable<Conversation<unknown, unknown>> {
  const schema = declared as Schema | undefined; // of a contract
  const draw = planSlotValue(toDrawnSlot({ route, slot: "101.fromServer", schema }, kind, 101, settings), settings);
  return (question) => {
    const drawAt = (index: number) => draw({ seed: `${question} ${index}`, echoes: {}, path: [index] });
    const opening = Array.from({ length: openingLength }, (_, index) => drawAt(index));
    return whenReady(Promise.all(opening), (drawn): Conversation<unknown, unknown> => async (socket) => {
      for (const [index, message] of drawn.entries()) {
        if (index > 0 && settings.delay > 0) await wait(settings.delay, socket.signal);
        await socket.send(message);
      }
      let index = openingLength;
      for await (const _ of socket) await socket.send(await drawAt(index++));
    });
  };
}

/** Adds how the wire value is generated to a slot, if its JSON Schema does not say it. */
function toDrawnSlot(
  drawn: DrawnSlot,
  kind: keyof typeof madeUp,
  status: number,
  { supplySchema }: AnswerSettings,
): DrawnSlot {
  const { route, slot, schema } = drawn;
  const { drawWire, isOpaque } = madeUp[kind];
  const isFree = drawWire && (isOpaque || (!schema && !(route && supplySchema?.(route, slot))));
  return { ...drawn, drawWire: isFree ? (choices) => drawWire(choices, status) : undefined };
}

/**
 * Plans the generated refusals of requests, which depend on nothing but the route.
 *
 * @param key The key of the route, or what stands for requests without one.
 * @throws {TypeError} If a schema does not convert to JSON Schema, or the option `sample` returns an invalid value.
 */
export function planRefusals(
  key: string,
  responses: Responses,
  routeOf: RouteOf,
  settings: AnswerSettings,
): (status: number) => Awaitable<Result> | undefined {
  const results = planResults(responses, routeOf, settings);
  const question = planQuestion(key, settings)({});
  return (status) => results.get(status)?.(question, {});
}

/** Returns the route whose response this is, if any. */
type RouteOf = (status: number, declared: ResponseDeclaration) => RouteNode | undefined;

function planResults(
  responses: Responses,
  routeOf: RouteOf,
  settings: AnswerSettings,
): ReadonlyMap<number, DrawResult> {
  return new Map(
    Object.entries(responses).map(([name, declared]) => {
      const status = Number(name);
      return [status, planResult(routeOf(status, declared), status, declared, settings)];
    }),
  );
}

/** Returns what the random choices of an answer depend on. */
function planQuestion(key: string, { seed, alike }: AnswerSettings): (slots: Partial<Slots>) => string {
  const beginning = `${seed} ${alike.get(key) ?? key}`;
  return ({ params, query, headers, body }) => `${beginning} ${formatQuestion([params, query, headers, body])}`;
}

/** Returns the parameters that responses repeat: those of the path. `id` is repeated only if the path ends with it. */
function listEchoed({ path }: RouteNode): ReadonlySet<string> {
  const names = parameterNames(path);
  return new Set(names.filter((name, index) => name !== "id" || index === names.length - 1));
}

function planResult(
  route: RouteNode | undefined,
  status: number,
  declared: ResponseDeclaration,
  settings: AnswerSettings,
): DrawResult {
  const { kind, headers: schema } = declared;
  const { unsupported } = madeUp[kind];
  if (unsupported !== undefined) {
    return () => {
      throw new NotMockedError(`response ${status} of ${route ? routeLabel(route) : outside} ${unsupported}`);
    };
  }
  const drawBody = planBody(route, status, declared, settings);
  const drawHeaders = schema && planSlotValue({ route, slot: `${status}.headers`, schema }, settings);
  const stated = stateType(declared.contentType);
  const result: DrawResult = (question, echoes) =>
    whenReady(drawBody(question, echoes), (body) =>
      whenReady(
        drawHeaders?.({ seed: `${question} headers`, echoes: {}, path: [] }),
        (headers) => ({ status, body, headers: { ...Object(headers), ...stated } }),
      ));
  if (settings.supplyValue) probe(result);
  return result;
}

/** Generates a response once, so that `mockContract` throws for an invalid value of the option `sample`. */
function probe(result: DrawResult): void {
  try {
    const drawn = result("probe", {});
    if (isPromise(drawn)) drawn.then(undefined, () => {}); // an asynchronous schema fails at the first request instead
  } catch (error) {
    if (!(error instanceof Error) || isInstance(error, NotMockedError)) return; // a request reports it
    throw new TypeError(`mockContract(): ${error.message}`, { cause: error });
  }
}

type DrawBody = (question: string, echoes: Echoes) => Awaitable<unknown>;

function planBody(
  route: RouteNode | undefined,
  status: number,
  { kind, schema }: ResponseDeclaration,
  settings: AnswerSettings,
): DrawBody {
  const { isEmpty, isStream, toItem = (item: unknown) => item } = madeUp[kind];
  if (isEmpty) return () => undefined;
  const draw = planSlotValue(toDrawnSlot({ route, slot: status, schema }, kind, status, settings), settings);
  if (!isStream) return (seed, echoes) => draw({ seed, echoes, path: [] });
  return (question, echoes) =>
    drawItems(
      (index) =>
        whenReady(draw({ seed: `${question} ${index}`, echoes, path: [index] }), (item) => toItem(item, index)),
      settings.delay,
    );
}

/**
 * Returns the content type of a response that must state one: the first declared type, with a common subtype for a
 * range.
 */
function stateType(contentType: ResponseDeclaration["contentType"]): { readonly "content-type": string } | undefined {
  if (typeof contentType !== "object") return undefined;
  const [type = ""] = contentType;
  const usual: Readonly<Record<string, string>> = {
    "image/*": "image/png",
    "text/*": "text/plain",
    "audio/*": "audio/mpeg",
    "video/*": "video/mp4",
  };
  return { "content-type": type.endsWith("*") ? usual[type] ?? "application/octet-stream" : type };
}

const deepest = 16;

/**
 * Formats a decoded value, including the outputs of codecs and schemas. Streams are not read; files count by name, size
 * and type.
 */
export function formatQuestion(value: unknown, depth = deepest): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "function";
  if (typeof value !== "object" || value === null) return String(value);
  if (depth === 0) return "…";
  return formatObject(value, depth - 1);
}

function formatObject(value: object, depth: number): string {
  if (ArrayBuffer.isView(value)) return `bytes ${value.byteLength} ${hashBytes(value)}`;
  if (value instanceof Blob) return `file ${"name" in value ? value.name : ""} ${value.size} ${value.type}`;
  if (value instanceof Promise || value instanceof ReadableStream || Symbol.asyncIterator in value) return "stream";
  if ("toJSON" in value && typeof value.toJSON === "function") return formatQuestion(value.toJSON(), depth);
  if (Symbol.iterator in value) {
    return `[${Array.from(value as Iterable<unknown>, (item) => formatQuestion(item, depth)).join()}]`; // it has the method
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => left < right ? -1 : 1)
    .map(([name, member]) => `${JSON.stringify(name)}:${formatQuestion(member, depth)}`);
  return `{${members.join()}}`;
}

function hashBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): number {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return hashText(String.fromCharCode(...bytes.subarray(0, 10_000)));
}

/** Why a connection is not opened. */
const needsSockets = "is a connection; pass the option sockets, such as denoSockets()";

/** Returns the result of a handler of a route whose connections are not opened, unless it opens one. */
export function checkClosed(route: RouteNode, result: unknown): unknown {
  if (Object(result).status !== 101 || typeof Object(result).body !== "function") return result;
  throw new NotMockedError(`response 101 of ${routeLabel(route)} ${needsSockets}`);
}

interface MadeUp {
  readonly isEmpty?: boolean;
  readonly isStream?: boolean;
  /** Generates the wire value of content without a JSON Schema. */
  readonly drawWire?: (choices: Choices, status: number) => unknown;
  /** Whether `drawWire` is used for declared schemas too, because JSON Schema cannot describe them. */
  readonly isOpaque?: boolean;
  /** Converts an item to the value that a handler returns for it. */
  readonly toItem?: (item: unknown, index: number) => unknown;
  readonly unsupported?: string;
}

const madeUp: Readonly<Record<ResponseKind, MadeUp>> = {
  json: {},
  text: { drawWire: drawSentence },
  bytes: { drawWire: drawBytes, isOpaque: true },
  empty: { isEmpty: true },
  problem: { drawWire: (_choices, status) => ({ type: "about:blank", title: statusPhrase(status), status }) },
  stream: { isStream: true, drawWire: drawBytes, isOpaque: true },
  ndjson: { isStream: true },
  sse: { isStream: true, toItem: (data, index) => ({ id: String(index + 1), data }) },
  raw: { unsupported: "is raw; pass a handler that returns it" },
  socket: { unsupported: needsSockets },
  as: {},
};

function drawBytes(choices: Choices): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${drawSentence(choices)} ${choose(choices, 1000)}\n`);
}

const streamLength = 3;

/** Generates the items of a stream. If responses are delayed, it pauses before each item except the first. */
function drawItems(draw: (index: number) => Awaitable<unknown>, delay: number): Awaitable<object> {
  if (delay > 0) return drawSlowly(draw, delay);
  const items = Array.from({ length: streamLength }, (_, index) => draw(index));
  return items.some(isPromise) ? Promise.all(items) : items;
}

async function* drawSlowly(draw: (index: number) => Awaitable<unknown>, delay: number): AsyncGenerator<unknown> {
  for (let index = 0; index < streamLength; index++) {
    if (index > 0) await wait(delay);
    yield await draw(index);
  }
}
