/** Plans the responses of routes without a handler. */
import { type Awaitable, isPromise, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { routeLabel } from "../route_label.ts";
import { parameterNames } from "../path.ts";
import { type Slots } from "../server/call.ts";
import { type Result } from "../server/result.ts";
import { type DrawSettings, type DrawSlot, planSlotValue } from "./draw_slot.ts";
import { NotMockedError } from "./not_mocked.ts";
import { formatQuestion } from "./question.ts";
import { drawItems, madeUp } from "./representations.ts";
import { type Echoes } from "./suggest.ts";

/** The settings of all generated responses. */
export interface AnswerSettings extends DrawSettings {
  /** The option `seed`. */
  readonly seed: number | string;
  /** The option `delay`. */
  readonly delay: number;
}

/** Generates the result of a call, with a declared status. */
export type MakeUp = (slots: Partial<Slots>, status: number) => Awaitable<Result>;

/** Generates one response. */
type DrawResult = (question: string, echoes: Echoes) => Awaitable<Result>;

/**
 * Plans the generated responses of a route.
 *
 * @throws {TypeError} If a value cannot be generated for a response.
 */
export function planAnswer(route: RouteNode, settings: AnswerSettings): MakeUp {
  const results = new Map(
    Object.entries(route.responses).map(([name, declared]) => {
      const status = Number(name);
      return [status, planResult(route, status, declared as ResponseDeclaration, settings)];
    }),
  );
  const echoed = listEchoed(route);
  const { seed } = settings;
  return ({ params, query, headers, body }, status) => {
    const question = `${seed} ${route.key} ${formatQuestion([params, query, headers, body])}`;
    const echoes = Object.entries(Object(params)).filter(([name]) => echoed.has(name));
    return results.get(status)!(question, Object.fromEntries(echoes));
  };
}

/** Returns the parameters that responses repeat: those of the path. `id` is repeated only if the path ends with it. */
function listEchoed({ path }: RouteNode): ReadonlySet<string> {
  const names = parameterNames(path);
  return new Set(names.filter((name, index) => name !== "id" || index === names.length - 1));
}

function planResult(
  route: RouteNode,
  status: number,
  declared: ResponseDeclaration,
  settings: AnswerSettings,
): DrawResult {
  const { kind, headers: schema } = declared;
  const { refused } = madeUp[kind];
  if (refused !== undefined) {
    return () => {
      throw new NotMockedError(`response ${status} of ${routeLabel(route)} ${refused}`);
    };
  }
  const drawBody = planBody(route, status, declared, settings);
  const drawHeaders = schema && planSlotValue({ route, slot: `${status}.headers`, schema }, settings);
  const stated = stateType(declared.contentType);
  const result: DrawResult = (question, echoes) =>
    whenReady(drawBody(question, echoes), (body) => {
      const drawing = { seed: `${question} headers`, echoes: {}, path: [] };
      return whenReady(
        drawHeaders?.(drawing),
        (headers) => ({ status, body, headers: { ...headers as object, ...stated } }),
      );
    });
  probe(result);
  return result;
}

/** Generates a response once, so that `mockContract` throws for one that cannot be generated. */
function probe(result: DrawResult): void {
  try {
    const drawn = result("probe", {});
    if (isPromise(drawn)) drawn.then(undefined, () => {}); // an asynchronous schema fails at the first request instead
  } catch (error) {
    throw error instanceof Error
      ? new TypeError(`mockContract(): ${error.message.replace(/^mockContract\(\): /, "")}`, { cause: error })
      : error;
  }
}

type DrawBody = (question: string, echoes: Echoes) => Awaitable<unknown>;

function planBody(
  route: RouteNode,
  status: number,
  { kind, schema }: ResponseDeclaration,
  settings: AnswerSettings,
): DrawBody {
  const { isDrawn, isStream, drawWire, isOpaque, toItem = (item: unknown) => item } = madeUp[kind];
  if (!isDrawn) return () => undefined;
  const isFree = drawWire && (isOpaque || (!schema && !settings.supplySchema?.(route, status)));
  const draw: DrawSlot = planSlotValue(
    { route, slot: status, schema, drawWire: isFree ? (choices) => drawWire(choices, status) : undefined },
    settings,
  );
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
