import { type Awaitable, whenReady } from "../awaitable.ts";
import { isCodec, toEncodingCheck } from "../contract/codec.ts";
import { type RouteNode } from "../contract/node.ts";
import { type RequestKind } from "../contract/request.ts";
import { parsePath, type Segment } from "../path.ts";
import { formatIssues, type Schema } from "../schema.ts";
import { bodyEncoders } from "../wire/body.ts";
import { encodeForm } from "../wire/form.ts";
import { encodeFormData } from "../wire/form_data.ts";
import { encodeSegment } from "../wire/pathname.ts";
import { formatQuery } from "../wire/query.ts";
import { isTextValue, toFields, toTextPairs } from "../wire/text_fields.ts";
import { mergeHeaders } from "./merge_headers.ts";

import { findRivals, type Rival } from "./rivals.ts";
import { type CallOptions, type ClientSettings, type HeaderFields } from "./settings.ts";
import { checkSource, createUpload, type UploadInit } from "./upload.ts";

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
  readonly toRequest: (settings: ClientSettings, call: Call) => Awaitable<Request>;
}

/** Works out how the calls of a route become requests; `nodes` are all routes of the contract. */
export function planRequest(node: RouteNode, nodes: readonly RouteNode[]): RequestEncoder {
  const toUrl = planUrl(node, nodes);
  const encodeFields = planSlot(node.headers, "headers");
  const encodeContent = planContent(node);
  const { method } = node;
  const contentType = planContentType(node);
  const isStream = node.body?.kind === "stream";
  return {
    toUrl,
    toRequest: (settings, { input, options, signal }) =>
      whenReady(
        toUrl(settings.base, input),
        (url) =>
          whenReady(encodeContent(input.body), (body) =>
            whenReady(node.headers && encodeFields(input.headers ?? {}), (own) =>
              whenReady(resolveHeaders(settings), (general) => {
                const fields = [general, options.headers, own as HeaderFields | undefined];
                const type = body === undefined && node.body ? noContentType : contentType;
                const headers = fields.some(Boolean) ? mergeHeaders([...fields, type]) : toInit(type);
                const message = { method, headers, body, signal };
                return buildRequest(url, { settings, options, isUpload: isStream && body !== undefined }, message);
              }))),
      ),
  };
}

/** A request of what there is to say: a bare one is made in 400 ns less than one whose init says what it is anyhow. */
function buildRequest(url: string, { settings, options, isUpload }: Given, message: Message): Request {
  const { method, headers, signal } = message;
  if (method === "GET" && !headers && !signal && !settings.init && !options.init) return new Request(url);
  const init = { ...settings.init, ...options.init, ...message };
  return isUpload ? createUpload(url, init as UploadInit) : new Request(url, init as RequestInit); // some may well be undefined
}

/** Who says what a request is built with. */
interface Given {
  readonly settings: ClientSettings;
  readonly options: CallOptions;
  readonly isUpload: boolean;
}

/** What a request is built with that no one else has a say in. */
interface Message {
  readonly method: string;
  readonly headers: HeadersInit | undefined;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

function resolveHeaders({ headers }: ClientSettings): Awaitable<HeaderFields | undefined> {
  return typeof headers === "function" ? headers() : headers;
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

/** What gives the content of a body; `undefined` where there is none, or an optional one is left out. */
function planContent({ body }: RouteNode): (value: unknown) => Awaitable<unknown> {
  if (!body) return () => undefined;
  const encode = planSlot(body.schema, "body");
  const encodeBody = encoders[body.kind];
  return (value) => body.optional && value === undefined ? undefined : whenReady(encode(value), encodeBody);
}

const encoders: Readonly<Record<RequestKind, (value: unknown) => unknown>> = {
  ...bodyEncoders,
  form: encodeForm,
  formData: encodeFormData,
  stream: checkSource,
};

/** No content type, whoever set one. */
const noContentType = { "content-type": undefined };

/** The content type of a body; none for form data, of which the platform says it with the boundary that it makes. */
function planContentType({ body }: RouteNode): Readonly<Record<string, string | undefined>> | undefined {
  if (!body) return undefined;
  return body.kind === "formData" ? noContentType : { "content-type": body.contentType };
}

/** A content type alone, as a request takes it: nothing is to be merged, and the contract has checked it. */
function toInit(type: Readonly<Record<string, string | undefined>> | undefined): HeadersInit | undefined {
  return type?.["content-type"] === undefined ? undefined : type as Record<string, string>;
}

function planUrl(node: RouteNode, nodes: readonly RouteNode[]): RequestEncoder["toUrl"] {
  const segments = parsePath(node.path).map((segment) =>
    "literal" in segment ? { literal: encodeURI(segment.literal) } : segment
  );
  let rivals: readonly Rival[] | undefined; // found at the first call, for most clients call few of a contract's routes
  const encodeParams = planSlot(node.params, "params");
  const encodeQuery = planSlot(node.query, "query");
  return (base, { params = {}, query = {} }) =>
    whenReady(
      encodeParams(params),
      (params) => {
        const path = formatPath(segments, params, rivals ??= findRivals(node, nodes));
        return whenReady(node.query && encodeQuery(query), (query) => `${base}${path}${formatSearch(query)}`);
      },
    );
}

/** The path of a call; refused where it is another route's, or no URL can carry it. */
function formatPath(segments: readonly Segment[], params: unknown, rivals: readonly Rival[]): string {
  const values = params === undefined ? {} : toFields(params, "params");
  const rival = rivals.length === 0
    ? undefined
    : rivals.find(({ literals }) => literals.every(([name, literal]) => String(values[name]) === literal));
  if (rival) throw new TypeError(`the server answers with ${rival.key} where params are these; call that instead`);
  let path = "";
  for (const segment of segments) {
    path += `/${"literal" in segment ? segment.literal : formatParameter(segment.parameter, values)}`;
  }
  return path || "/";
}

function formatParameter(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const encoded = isTextValue(value) ? encodeSegment(String(value)) : undefined;
  if (encoded !== undefined) return encoded;
  const state = value === undefined ? "missing" : isTextValue(value) ? "nothing that a URL can carry" : "no text";
  throw new TypeError(`the path parameter ${name} is ${state}`);
}

function formatSearch(query: unknown): string {
  const fields = query === undefined ? [] : toTextPairs(query, "the query");
  return fields.length === 0 ? "" : `?${formatQuery(fields)}`;
}
