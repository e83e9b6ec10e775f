import { type Awaitable, whenReady } from "../awaitable.ts";
import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { type RouteNode } from "../contract/node.ts";
import { parsePath, type Segment } from "../path.ts";
import { formatIssues, type Schema } from "../schema.ts";
import { bodyEncoders, type EncodedBody } from "../wire/body.ts";
import { encodeSegment } from "../wire/pathname.ts";
import { formatQuery } from "../wire/query.ts";
import { isTextValue, toTexts } from "../wire/text_fields.ts";
import { mergeHeaders } from "./merge_headers.ts";
import { type CallOptions, type ClientSettings, type HeaderFields } from "./settings.ts";

/** What a caller gives for the declared slots. */
export interface Input {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** One call, as a caller makes it. */
export interface Call {
  readonly input: Input;
  readonly options: CallOptions;
  /** Aborts when the caller does, or the time is up. */
  readonly signal: AbortSignal | undefined;
}

/** What encodes the calls of a route. It throws, whatever error, where a call cannot be sent as it was meant. */
export interface RequestEncoder {
  /** The URL of a call, at once unless a codec is asynchronous. */
  readonly toUrl: (base: string, input: Input) => Awaitable<string>;
  /** The request of a call. */
  readonly toRequest: (settings: ClientSettings, call: Call) => Promise<Request>;
}

/** Works out how the calls of a route become requests. */
export function planRequest(node: RouteNode): RequestEncoder {
  const toUrl = planUrl(node);
  const encodeFields = planSlot(node.headers, "headers");
  const encodeContent = planContent(node);
  return {
    toUrl,
    async toRequest(settings, { input, options, signal }): Promise<Request> {
      const url = await toUrl(settings.base, input);
      const content = await encodeContent(input.body);
      const fields = await encodeFields(input.headers ?? {}) as HeaderFields | undefined;
      const general = typeof settings.headers === "function" ? await settings.headers() : settings.headers;
      const headers = mergeHeaders([general, options.headers, node.headers && fields]);
      if (content) headers.set("content-type", node.body!.contentType);
      return new Request(url, {
        ...settings.init,
        ...options.init,
        method: node.method,
        headers,
        body: content ? content.body : null,
        signal: signal ?? null,
      });
    },
  };
}

/** What gives a slot's wire value: what a codec encodes, or what the caller gave. */
function planSlot(schema: Schema | undefined, name: string): (value: unknown) => Awaitable<unknown> {
  if (!schema || !isCodec(schema)) return (value) => value;
  const check = toEncodingCheck(schema);
  return (value) =>
    whenReady(check(value), (checked) => {
      if (checked.issues) throw new TypeError(`${name} does not fit its codec: ${formatIssues(checked.issues)}`);
      return checked.value;
    });
}

function planContent({ body }: RouteNode): (value: unknown) => Awaitable<{ readonly body: EncodedBody } | undefined> {
  if (!body) return () => undefined;
  const encode = planSlot(body.schema, "body");
  const encodeBody = bodyEncoders[body.kind];
  return (value) => whenReady(encode(value), (content) => ({ body: encodeBody(content) }));
}

function planUrl(node: RouteNode): RequestEncoder["toUrl"] {
  const segments = parsePath(node.path);
  const encodeParams = planSlot(node.params, "params");
  const encodeQuery = planSlot(node.query, "query");
  return (base, { params = {}, query = {} }) =>
    whenReady(
      encodeParams(params),
      (params) =>
        whenReady(node.query && encodeQuery(query), (query) =>
          `${base}${formatPath(segments, params)}${formatSearch(query)}`),
    );
}

function formatPath(segments: readonly Segment[], params: unknown): string {
  const values = toFields(params, "params");
  if (segments.length === 0) return "/";
  return segments.map((segment) => {
    if ("literal" in segment) return `/${encodeURI(segment.literal)}`;
    const value = Object.hasOwn(values, segment.parameter) ? values[segment.parameter] : undefined;
    if (!isTextValue(value)) {
      throw new TypeError(`the path parameter ${segment.parameter} is ${value === undefined ? "missing" : "no text"}`);
    }
    const encoded = encodeSegment(String(value));
    if (encoded !== undefined) return `/${encoded}`;
    throw new TypeError(
      `the path parameter ${segment.parameter} is empty, a dot segment or no well-formed text, which no URL can carry`,
    );
  }).join("");
}

function formatSearch(query: unknown): string {
  const fields = Object.entries(toFields(query, "query")).flatMap(([name, value]) => {
    const texts = toTexts(value);
    if (texts === undefined) throw new TypeError(`the query's ${JSON.stringify(name)} is no text and no list of texts`);
    return texts.map((text) => [name, text] as const);
  });
  if (fields.some(([name, text]) => !name.isWellFormed() || !text.isWellFormed())) {
    throw new TypeError("the query has half of a surrogate pair, which no URL can carry");
  }
  return fields.length === 0 ? "" : `?${formatQuery(fields)}`;
}

function toFields(fields: unknown, slot: string): Readonly<Record<string, unknown>> {
  if (fields === undefined) return {};
  if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) return fields as Record<string, unknown>;
  throw new TypeError(`${slot} is no object`);
}
