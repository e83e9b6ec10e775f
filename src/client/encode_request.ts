import { type Awaitable, whenReady } from "../awaitable.ts";
import { type RouteNode } from "../contract/node.ts";
import { type RequestKind } from "../contract/request.ts";
import { bodyEncoders } from "../wire/body.ts";
import { encodeForm } from "../wire/form.ts";
import { encodeFormData } from "../wire/form_data.ts";
import { planSlot } from "./encode_slot.ts";
import { planUrl, type ToUrl, type UrlInput } from "./encode_url.ts";
import { mergeHeaders } from "./merge_headers.ts";
import { type CallOptions, type ClientSettings, type HeaderFields } from "./settings.ts";
import { checkSource, createUpload, type UploadInit } from "./upload.ts";

/** What a caller gives for the declared slots. */
export interface Input extends UrlInput {
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
  readonly toUrl: ToUrl;
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
