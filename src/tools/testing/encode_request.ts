/** Encodes wire values as requests. */
import { mapObject } from "../../contract/node.ts";
import type { RequestBody, RequestKind } from "../../contract/request.ts";
import { isStyled } from "../../contract/codec.ts";
import type { Schema } from "../../schema.ts";
import {
  alternativesOf,
  type Requirement,
  requirementsOf,
  type Security,
  type SecurityScheme,
} from "../../contract/security_scheme.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { encodeSegment, parsePath } from "../../path.ts";
import { customBodyOf } from "../../representation/whole_body.ts";
import type { CredentialPlace } from "../../wire/credentials.ts";
import { isExactFieldValue, isToken } from "../../wire/headers.ts";
import { formatFields, formatQuery } from "../../wire/text_fields.ts";
import { boundary, encodeParts } from "./form_parts.ts";
import type { TestedRoute } from "./route_plan.ts";
import { isSignature, type Signers, signRequest } from "./sign_request.ts";
import { toWireTexts, type WireFields, wireFields, type WireRequest, type WireSlots } from "./wire_request.ts";

export interface Caller {
  readonly credentials: ReadonlyMap<string, unknown>;
  readonly headers: Readonly<Record<string, string>>;
  readonly signers: Signers;
}

export const anonymous: Caller = { credentials: new Map(), headers: {}, signers: new Map() };

export async function encodeWireRequest(
  plan: TestedRoute,
  slots: WireSlots,
  caller: Caller,
): Promise<WireRequest | undefined> {
  const { node } = plan;
  const params = toFlat(node.params, slots.params);
  const path = params && encodePath(node.path, params);
  const declared = toFlat(node.headers, slots.headers);
  const fields = declared && encodeHeaders(declared);
  const body = node.body && slots.body !== undefined ? await encodeBody(node.body, plan, slots.body) : undefined;
  const flat = node.query ? toFlat(node.query, slots.query) : {};
  if (path === undefined || fields === undefined || flat === undefined) return undefined;
  if (body === undefined && slots.body !== undefined) return undefined;
  const pairs = Object.entries(flat).filter(([name]) => name.isWellFormed())
    .flatMap(([name, value]) => (toWireTexts(value) ?? []).map((text) => [name, text] as const));
  const query = formatQuery([...pairs, ...showApiKeys(node, caller, "query")]);
  const keys = Object.fromEntries(showApiKeys(node, caller, "header"));
  const credential = { ...keys, ...showCredential(plan, caller, fields) };
  const contentType = body && { "content-type": slots.contentType ?? body.contentType };
  const held = findHeld(node.security ?? [], caller) ?? [];
  const signedBy = held.map(({ scheme }) => scheme).filter(isSignature).map(({ name }) => name);
  return await signRequest({
    method: node.method,
    path: query === "" ? path : `${path}?${query}`,
    headers: { ...caller.headers, ...fields, ...credential, ...contentType },
    body: body?.content,
    secrets: [...Object.keys(caller.headers), ...Object.keys(credential)],
    ...(signedBy.length > 0 && { signedBy }),
  }, caller.signers);
}

/** Writes styled fields as text; `undefined` if text cannot represent their values. */
export function toFlat(schema: Schema | undefined, fields: WireFields): WireFields | undefined {
  try {
    return schema && isStyled(schema) ? wireFields(schema.wire.encode(fields, "the request")) : fields;
  } catch {
    return undefined;
  }
}

function encodePath(path: string, params: WireFields): string | undefined {
  const segments = parsePath(path).map((segment) => {
    if ("literal" in segment) return encodeURI(segment.literal);
    const texts = Object.hasOwn(params, segment.parameter) ? toWireTexts(params[segment.parameter]) : undefined;
    return encodeSingle(texts);
  });
  return segments.includes(undefined) ? undefined : `/${segments.join("/")}`;
}

/** Encodes the text of a path parameter; `undefined` if there is not exactly one, or if a path cannot carry it. */
export function encodeSingle(texts: readonly string[] | undefined): string | undefined {
  const [text, ...others] = texts ?? [];
  return text === undefined || others.length > 0 ? undefined : encodeSegment(text);
}

function encodeHeaders(fields: WireFields): Record<string, string> | undefined {
  const encoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const text = toWireTexts(value)?.join(", ");
    if (text === undefined) continue;
    if (!isSettable(name) || !isExactFieldValue(text)) return undefined;
    encoded[name] = text;
  }
  return encoded;
}

export function isSettable(name: string): boolean {
  return isToken(name) && !/[A-Z]/.test(name) && !unsettable.has(name);
}

const unsettable: ReadonlySet<string> = new Set(
  ["content-length", "transfer-encoding", "connection", "host", "content-type"],
);

export function showCredential(
  { node: { security = [] } }: TestedRoute,
  caller: Caller,
  present: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { credentials } = caller;
  const fields: Record<string, string> = {};
  for (const { scheme: { name, credential } } of findHeld(security, caller) ?? []) {
    if (!credential) continue;
    const { field } = credential;
    fields[field] = formatCredential(credential, credentials.get(name), fields[field] ?? present[field]);
  }
  return fields;
}

/** Returns API keys in a place where only documents of others have them: a query, or the header `authorization`. */
function showApiKeys(
  { security = [] }: TestedRoute["node"],
  { credentials }: Caller,
  place: ApiKeyPlace["place"],
): [name: string, key: string][] {
  return requirementsOf(security).flatMap(({ scheme }): [string, string][] => {
    const found = apiKeyPlaceOf(scheme);
    const key = credentials.get(scheme.name);
    return found?.place === place && typeof key === "string" ? [[found.name, key]] : [];
  });
}

interface ApiKeyPlace {
  readonly place: "query" | "header";
  readonly name: string;
}

/** Returns where the API key of a custom scheme is; `undefined` if its document does not say it. */
export function apiKeyPlaceOf({ credential, options }: SecurityScheme): ApiKeyPlace | undefined {
  const { in: place, name } = Object("openapi" in options ? options.openapi : {}) as Record<string, unknown>;
  if (credential || typeof name !== "string") return undefined;
  if (place === "query") return { place, name };
  return place === "header" && isToken(name) ? { place, name: name.toLowerCase() } : undefined;
}

/** Returns the first schemes that a route accepts together and whose credentials a caller has. */
export function findHeld(
  security: Security,
  { credentials, signers }: Pick<Caller, "credentials" | "signers">,
): readonly Requirement[] | undefined {
  return alternativesOf(security)
    .map((needed) => needed.filter(({ scheme }) => isShowable(scheme)))
    .find((needed) =>
      needed.length > 0 &&
      needed.every(({ scheme }) =>
        isSignature(scheme) ? signers.has(scheme.name) : credentials.get(scheme.name) !== undefined
      )
    );
}

export function isShowable(scheme: SecurityScheme): boolean {
  return scheme.credential !== undefined || isSignature(scheme);
}

/** Returns the value of the header field that shows a credential, which `readSettings` has checked. */
export function formatCredential({ format }: CredentialPlace, credential: unknown, present?: string): string {
  return format(credential as never, present ?? null); // each scheme has its own type of credentials
}

async function encodeBody(
  body: RequestBody,
  plan: TestedRoute,
  value: unknown,
): Promise<{ readonly content: Uint8Array<ArrayBuffer>; readonly contentType: string } | undefined> {
  try {
    const content = await encoders[body.kind](value, body, plan.slots.body?.located);
    const [declared = ""] = [body.contentType].flat();
    const { describes, isTypeFixed } = body.representation;
    const isFormData = describes === "fields" && isTypeFixed; // the boundary is that of these tests
    const contentType = isFormData ? `multipart/form-data; boundary=${boundary}` : declared;
    return { content: await toBytes(content), contentType };
  } catch {
    return undefined; // the representation cannot carry the value
  }
}

type Encode = (value: unknown, body: RequestBody, schema: LocatedSchema | undefined) => unknown;

const encoders: Readonly<Record<RequestKind, Encode>> = {
  json: (value) => JSON.stringify(value),
  text: (value) => typeof value === "string" ? value : String(toWireTexts(value)?.[0]),
  bytes: (value) => value,
  stream: (value) => value,
  ndjson: (value) => `${JSON.stringify(value)}\n`,
  form: (value, body) =>
    formatFields(mapObject(toFormFields(value, body), (field) => toWireTexts(field) ?? []), "the body"),
  formData: (value, body, schema) => encodeParts(toFormFields(value, body), schema),
  as: (value, { representation }) => customBodyOf(representation).custom.encode(value),
};

function toFormFields(value: unknown, { schema }: RequestBody): WireFields {
  return wireFields(schema && isStyled(schema) ? schema.wire.encode(value, "the body") : value);
}

async function toBytes(content: unknown): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
  if (content instanceof Uint8Array) return new Uint8Array(content);
  throw new TypeError("the content is not text or bytes");
}
