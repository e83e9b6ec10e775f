import { type Awaitable, isPromise } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ProblemIssue } from "../contract/problem.ts";
import { type Checked, declaredKeys, toCheck } from "../schema.ts";
import { type Slots } from "../server/call.ts";
import { Failure, proceed, type Stop, toFailure } from "../server/stop.ts";
import { readHeaders } from "../wire/headers.ts";
import { toProblemIssue } from "../wire/problem.ts";
import { parseQuery } from "../wire/query.ts";
import { checkFields } from "./check_fields.ts";
import { type BodySettings, planBody } from "./decode_body.ts";
import { refuse, unlessGone } from "./refusal.ts";
import { queryOf } from "./url.ts";

/** Decodes and validates what a route declares of a request: its slots, or why not. */
export type DecodeRequest = (request: Request, params: RawParams) => Slots | Stop | Promise<Slots | Stop>;

/** The decoded parameters of a path, by name. */
export type RawParams = Readonly<Record<string, string>>;

/** One slot that is read from a request's head. */
interface Slot {
  readonly location: "params" | "query" | "headers";
  readonly check: (request: Request, params: RawParams) => Awaitable<Checked>;
}

/** What decodes the requests of a route. A slot that is not declared is not read; the body is read when all others passed. */
export function planDecode(node: RouteNode, settings: BodySettings): DecodeRequest {
  const head = planHead(node);
  if (node.body === undefined) return head;
  const body = planBody(node.body, settings);
  return (request, params) =>
    proceed(head(request, params), (slots, request) => proceed(body(request), addBody, slots), request);
}

/** Refuses a route whose requests can't be decoded as it declares. For mount: plans are made at a route's first request. */
export function checkDecode(node: RouteNode): void {
  if (node.headers) declaredKeys(node.headers)?.forEach((name) => checkFieldName(name, node));
}

function planHead(node: RouteNode): DecodeRequest {
  const slots = planSlots(node);
  if (slots.length === 0) return (_, params) => ({ params, query: undefined, headers: undefined, body: undefined });
  return (request, params) => {
    const checked = new Array<Checked | Failure | Promise<Checked | Failure>>(slots.length);
    let waits = false;
    for (let index = 0; index < slots.length; index++) {
      const each = checkSlot(slots[index]!, request, params);
      waits ||= each instanceof Promise;
      checked[index] = each;
    }
    if (waits) return Promise.all(checked).then((all) => unlessGone(request, collectSlots(slots, all, params)));
    return collectSlots(slots, checked as (Checked | Failure)[], params);
  };
}

/** Checks a slot. A schema that throws fails by itself: another slot's may be at work and must not be left alone. */
function checkSlot(slot: Slot, request: Request, params: RawParams): Checked | Failure | Promise<Checked | Failure> {
  try {
    const checked = slot.check(request, params);
    if (!isPromise(checked)) return checked;
    return Promise.resolve(checked).then(undefined, (error) => toFailure("decode", error));
  } catch (error) {
    return toFailure("decode", error);
  }
}

function planSlots(node: RouteNode): Slot[] {
  const { params, query, headers } = node;
  const slots: Slot[] = [];
  if (params) {
    const check = toCheck(params);
    slots.push({ location: "params", check: (_, raw) => check(raw) });
  }
  if (query) {
    const check = toCheck(query);
    slots.push({ location: "query", check: ({ url }) => checkFields(check, parseQuery(queryOf(url))) });
  }
  if (headers) {
    const check = toCheck(headers);
    const names = declaredKeys(headers);
    slots.push({ location: "headers", check: ({ headers }) => check(readHeaders(headers, names)) });
  }
  return slots;
}

/** Refuses a name that the headers of a request never have: they are tokens (RFC 9110, section 5.1), here in lower case. */
function checkFieldName(name: string, { method, path, key }: RouteNode): void {
  if (/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return;
  throw new TypeError(
    `Cannot mount ${method} ${path} (${key}): its headers declare ${
      JSON.stringify(name)
    }; write a header's name in lower case`,
  );
}

/** The slots' values, or a refusal with the issues of all of them. */
function collectSlots(
  slots: readonly Slot[],
  checked: readonly (Checked | Failure)[],
  params: RawParams,
): Slots | Stop {
  const values = {
    params: params as unknown,
    query: undefined as unknown,
    headers: undefined as unknown,
    body: undefined,
  };
  let issues: ProblemIssue[] | undefined;
  for (let index = 0; index < slots.length; index++) {
    const { location } = slots[index]!;
    const each = checked[index]!;
    if (each instanceof Failure) return each;
    if (each.issues) { for (const issue of each.issues) (issues ??= []).push(toProblemIssue(location, issue)); }
    else values[location] = each.value;
  }
  return issues ? refuse("invalid-request", issues) : values;
}

function addBody(checked: Checked, slots: Slots): Slots | Stop {
  if (checked.issues) return refuse("invalid-request", checked.issues.map((issue) => toProblemIssue("body", issue)));
  return { params: slots.params, query: slots.query, headers: slots.headers, body: checked.value };
}
