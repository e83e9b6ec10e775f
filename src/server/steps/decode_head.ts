import { parameterNames } from "../../path.ts";
import { type Ready, whenReady } from "../../awaitable.ts";
import { toRequestCheck } from "../../contract/codec.ts";
import type { RouteNode } from "../../contract/node.ts";
import { undeclaredParams } from "../../contract/slots.ts";
import { type Checked, declaredKeys, type Schema } from "../../schema.ts";
import { routeLabel } from "../../messages.ts";
import type { RequestHeaders } from "../define/call.ts";
import { Failure, type Stop } from "../define/result.ts";
import { isToken, readHeaders } from "../../wire/headers.ts";
import { reportIssues } from "../../wire/problem.ts";
import { isPlainObject, parseQuery } from "../../wire/text_fields.ts";
import { checkFields } from "./check_fields.ts";
import { type BodySettings, type CheckedInput, planBody, validate } from "./decode_body.ts";
import { unlessDisconnected } from "./callbacks.ts";
import type { Exchange, PathParams, Step } from "../http/exchange.ts";

import { refuse } from "../http/answer.ts";
import { queryOf } from "../http/url.ts";

/**
 * Plans the steps that decode and validate the inputs of a route. Inputs that are not declared are not read. The body
 * is read only if all other inputs are valid.
 */
export function planDecode(node: RouteNode, settings: BodySettings): Step[] {
  const { path, params, query, headers, body } = node;
  if (parameterNames(path).length === 0 && !(params || query || headers || body)) return [];
  const head: Step = { phase: "decode", take: planHead(node, settings) };
  return body ? [head, { phase: "decode", take: planBody(node, body, settings) }] : [head];
}

/**
 * Throws if the requests of a route cannot be decoded as declared. It runs at mount, because plans are made at a
 * route's first request.
 */
export function checkDecode(node: RouteNode): void {
  if (node.headers) declaredKeys(node.headers)?.forEach((name) => checkFieldName(name, node));
}

function planHead({ path, params, query, headers }: RouteNode, { maxDepth }: BodySettings): Step["take"] {
  const checkParams = params && planParams(params, path, maxDepth);
  const checkQuery = query && planQuery(query, maxDepth);
  const checkHeaders = headers && planHeaders(headers, maxDepth);
  return (exchange) => {
    const params = checkParams ? checkParams(exchange) : { value: exchange.params };
    const query = checkQuery ? checkQuery(exchange) : notDeclared;
    const headers = checkHeaders ? checkHeaders(exchange) : notDeclared;
    if (!(params instanceof Promise || query instanceof Promise || headers instanceof Promise)) {
      return addHead({ params, query, headers }, exchange);
    }
    const all = Promise.all([params, query, headers]);
    return unlessDisconnected(
      all.then(([params, query, headers]) => addHead({ params, query, headers }, exchange)),
      exchange,
    );
  };
}

/** An input that is not declared is not read. */
const notDeclared: Checked = { value: undefined };

/**
 * Reads one input from a request's head, and validates it. It never rejects, because the schema of another input may
 * still be running.
 */
type CheckSlot = (exchange: Exchange) => Ready<CheckedInput>;

function planParams(schema: Schema, path: string, maxDepth: number): CheckSlot {
  const check = toRequestCheck(schema, maxDepth);
  const undeclared = undeclaredParams(schema, path);
  if (undeclared.length === 0) return ({ params }) => validate(check, params);
  const checkDeclared = (params: PathParams): Ready<Checked> =>
    whenReady(check(params), (checked) => addUndeclared(checked, params, undeclared));
  return ({ params }) => validate(checkDeclared, params);
}

/**
 * Adds the parameters that the schema leaves out. If it does not say which ones, these are all that its output
 * lacks.
 */
function addUndeclared(checked: Checked, params: PathParams, undeclared: readonly string[]): Checked {
  if (checked.issues || !isPlainObject(checked.value)) return checked;
  const { value } = checked;
  const missing = undeclared.filter((name) => !Object.hasOwn(value, name)).map((name) => [name, params[name]]);
  return missing.length === 0 ? checked : { value: { ...value, ...Object.fromEntries(missing) } };
}

function planQuery(schema: Schema, maxDepth: number): CheckSlot {
  const check = toRequestCheck(schema, maxDepth);
  const checkQuery = (target: string): Ready<Checked> => checkFields(check, parseQuery(queryOf(target)));
  return ({ target }) => validate(checkQuery, target);
}

function planHeaders(schema: Schema, maxDepth: number): CheckSlot {
  const check = toRequestCheck(schema, maxDepth);
  const names = declaredKeys(schema);
  const checkHeaders = (headers: RequestHeaders): Ready<Checked> => check(readHeaders(headers, names));
  return ({ headers }) => validate(checkHeaders, headers);
}

/**
 * Throws if a header schema declares a name that a request cannot have: names are tokens (RFC 9110, section 5.1), here
 * in lowercase.
 */
function checkFieldName(name: string, node: RouteNode): void {
  if (isToken(name) && name === name.toLowerCase()) return;
  throw new TypeError(
    `Cannot mount ${routeLabel(node)}: "headers" must declare lower-case header names, got ${JSON.stringify(name)}`,
  );
}

/** The outcomes of validating the inputs of a route. */
interface CheckedSlots {
  readonly params: CheckedInput;
  readonly query: CheckedInput;
  readonly headers: CheckedInput;
}

/** Adds the values of the inputs, or returns a refusal with the issues of all of them. */
function addHead({ params, query, headers }: CheckedSlots, exchange: Exchange): Stop | void {
  if (params instanceof Failure) return params;
  if (query instanceof Failure) return query;
  if (headers instanceof Failure) return headers;
  if (!params.issues && !query.issues && !headers.issues) {
    exchange.slots = { params: params.value, query: query.value, headers: headers.value, body: undefined };
    return;
  }
  const parts = [["params", params.issues], ["query", query.issues], ["headers", headers.issues]] as const;
  return refuse("invalid-request", reportIssues(parts));
}
