import { isPromise } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type Checked, declaredKeys, toCheck } from "../schema.ts";
import { type Slots } from "../server/handler.ts";
import { Failure, guard, proceed, type Stop } from "../server/stop.ts";
import { readHeaders } from "../wire/headers.ts";
import { type ProblemIssue, toProblemIssue } from "../wire/problem.ts";
import { parseQuery } from "../wire/query.ts";
import { checkFields } from "./check_fields.ts";
import { planBody } from "./decode_body.ts";
import { refuse } from "./refusal.ts";
import { queryOf } from "./url.ts";

/** Decodes and validates what a route declares of a request: its slots, or why not. */
export type DecodeRequest = (request: Request, params: RawParams) => Slots | Stop | Promise<Slots | Stop>;

/** The decoded parameters of a path, by name. */
export type RawParams = Readonly<Record<string, string>>;

/** One slot that is read from a request's head. */
interface Slot {
  readonly location: "params" | "query" | "headers";
  readonly decode: (request: Request, params: RawParams) => Checked | Failure | Promise<Checked | Failure>;
}

/** What decodes the requests of a route. A slot that is not declared is not read; the body is read when all others passed. */
export function planDecode(node: RouteNode, maxBodyBytes: number): DecodeRequest {
  const head = planHead(node);
  if (node.body === undefined) return head;
  const body = planBody(node.body, maxBodyBytes);
  return (request, params) =>
    proceed(head(request, params), (slots) => proceed(body(request), (checked) => addBody(slots, checked)));
}

function planHead(node: RouteNode): DecodeRequest {
  const slots = planSlots(node);
  if (slots.length === 0) return (_, params) => ({ params, query: undefined, headers: undefined, body: undefined });
  return (request, params) => {
    const decoded = slots.map((slot) => slot.decode(request, params));
    const collect = (all: readonly (Checked | Failure)[]): Slots | Stop => collectSlots(slots, all, params);
    return decoded.some(isPromise) ? Promise.all(decoded).then(collect) : collect(decoded as (Checked | Failure)[]);
  };
}

function planSlots({ params, query, headers }: RouteNode): Slot[] {
  const slots: Slot[] = [];
  if (params) {
    const check = toCheck(params);
    slots.push({ location: "params", decode: guard("decode", (_: Request, raw: RawParams) => check({ ...raw })) });
  }
  if (query) {
    const check = toCheck(query);
    slots.push({
      location: "query",
      decode: guard("decode", ({ url }: Request) => checkFields(check, parseQuery(queryOf(url)))),
    });
  }
  if (headers) {
    const check = toCheck(headers);
    const names = declaredKeys(headers);
    slots.push({
      location: "headers",
      decode: guard("decode", (request: Request) => check(readHeaders(request.headers, names))),
    });
  }
  return slots;
}

function collectSlots(
  slots: readonly Slot[],
  decoded: readonly (Checked | Failure)[],
  params: RawParams,
): Slots | Stop {
  const values: Record<Slot["location"] | "body", unknown> = {
    params,
    query: undefined,
    headers: undefined,
    body: undefined,
  };
  const issues: ProblemIssue[] = [];
  for (const [index, { location }] of slots.entries()) {
    const checked = decoded[index]!;
    if (checked instanceof Failure) return checked;
    if (checked.issues) { for (const issue of checked.issues) issues.push(toProblemIssue(location, issue)); }
    else values[location] = checked.value;
  }
  return issues.length > 0 ? refuse("invalid-request", issues) : values;
}

function addBody(slots: Slots, checked: Checked): Slots | Stop {
  if (checked.issues) return refuse("invalid-request", checked.issues.map((issue) => toProblemIssue("body", issue)));
  return { params: slots.params, query: slots.query, headers: slots.headers, body: checked.value };
}
