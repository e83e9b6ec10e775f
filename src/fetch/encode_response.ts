import { type Awaitable, whenReady } from "../awaitable.ts";
import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { type RouteNode } from "../contract/node.ts";
import { type ResponseDeclaration } from "../contract/response.ts";
import { type Check, type Checked, formatIssues, type Schema, toCheck } from "../schema.ts";
import { describe, isResult, noResult, type ResponseHeaders, type Result } from "../server/result.ts";
import { ResultError } from "../server/stop.ts";
import { bodyEncoders } from "../wire/body.ts";
import { isFieldValue } from "../wire/headers.ts";
import { type Respond } from "./respond.ts";

/** Checks and encodes what a handler gave; throws where it is not what the route declares. */
export type EncodeResponse = (result: unknown, respond: Respond) => Awaitable<Response>;

/** What encodes the results of a route, by status. */
export function planEncode(node: RouteNode): EncodeResponse {
  const where = `${node.method} ${node.path} (${node.key})`;
  const encoders = new Map(
    Object.entries(node.responses).map(([status, declared]: [string, ResponseDeclaration]) =>
      [Number(status), planResponse(Number(status), declared, where)] as const
    ),
  );
  return (result, respond) => {
    if (!isResult(result)) throw noResult(where, "the handler", result);
    const encode = encoders.get(result.status);
    if (encode) return encode(result, respond);
    throw new ResultError(
      `Cannot answer ${where} with ${result.status}: declared are ${[...encoders.keys()].join(", ")}`,
    );
  };
}

function planResponse(
  status: number,
  declared: ResponseDeclaration,
  where: string,
): (result: Result, respond: Respond) => Awaitable<Response> {
  const build = planBuild(status, declared);
  const checkBody = toAssert(declared.schema, `the body of ${status} from ${where}`);
  const checkHeaders = toAssert(declared.headers, `the headers of ${status} from ${where}`);
  const addHeaders = (body: unknown, headers: ResponseHeaders | undefined, respond: Respond): Awaitable<Response> =>
    checkHeaders
      ? whenReady(checkHeaders(headers ?? {}), (sent) => build(body, sent as ResponseHeaders, respond))
      : build(body, headers, respond);
  return ({ body, headers }, respond) => {
    if (!checkBody) return addHeaders(body, headers, respond);
    const sent = checkBody(body);
    return sent instanceof Promise
      ? sent.then((sent) => addHeaders(sent, headers, respond))
      : addHeaders(sent, headers, respond);
  };
}

/** What gives a schema's output, or a codec's wire value, and throws where it refuses. */
function toAssert(schema: Schema | undefined, what: string): ((value: unknown) => Awaitable<unknown>) | undefined {
  if (!schema) return undefined;
  const check: Check = isCodec(schema) ? toEncodingCheck(schema) : toCheck(schema);
  const settle = (checked: Checked): unknown => {
    if (checked.issues) throw new ResultError(`Cannot send ${what}: ${formatIssues(checked.issues)}`);
    return checked.value;
  };
  return (value) => whenReady(check(value), settle);
}

/** What builds the response: its init is made once, and where a handler adds no header the message needs nothing else. */
function planBuild(
  status: number,
  { kind, contentType }: ResponseDeclaration,
): (body: unknown, headers: ResponseHeaders | undefined, respond: Respond) => Response {
  const usual = status === 200 && kind === "text" && contentType === "text/plain;charset=UTF-8";
  const init = usual
    ? undefined
    : { status, ...(contentType !== undefined && { headers: { "content-type": contentType } }) };
  const encode = kind === "empty" ? encodeNothing : bodyEncoders[kind];
  return (body, headers, respond) => {
    const response = respond(encode(body), init);
    if (headers !== undefined) appendHeaders(response.headers, headers, contentType !== undefined);
    return response;
  };
}

function encodeNothing(body: unknown): null {
  if (body === undefined || body === null) return null;
  throw new ResultError(`An empty response has no body, not ${describe(body)}`);
}

/** Adds the fields that a handler gave to those of the declaration, whose content type wins. */
function appendHeaders(target: Headers, given: ResponseHeaders, hasContent: boolean): void {
  if (given instanceof Headers) throw new ResultError("The headers of a result are a plain object, not a Headers");
  for (const [name, value] of Object.entries(given)) {
    const field = name.toLowerCase();
    if (value === undefined || (hasContent && field === "content-type")) continue;
    if (field === "content-length") target.delete(field); // of an answer to HEAD, which the handler may know better
    for (const text of typeof value === "string" ? [value] : value) {
      if (!isFieldValue(text)) {
        throw new ResultError(`The header ${JSON.stringify(name)} cannot carry the value that was given`);
      }
      target.append(name, text);
    }
  }
}
