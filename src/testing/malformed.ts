/** Makes valid requests malformed: their method, path, content type or bytes. */
import { type RouteNode } from "../contract/node.ts";
import { pathOf, type WireRequest } from "./wire_request.ts";

/** Makes a valid request malformed. The path keeps the base path of the contract. */
export type Corruption = (request: WireRequest, basePath: string) => WireRequest;

/** Lists all modifications for the requests of a route. */
export function listCorruptions({ method, body }: RouteNode): readonly Corruption[] {
  const { maxBytes } = body ?? {};
  const tooLarge = maxBytes !== undefined && maxBytes <= maxContent
    ? [withBody(() => new Uint8Array(maxBytes + 1))]
    : [];
  const others = allMethods.filter((each) => each !== method && !(method === "GET" && each === "HEAD"));
  const methods = others.map((each): Corruption => (request) => ({
    ...request,
    method: each,
    ...(bodiless.includes(each) && { body: undefined }),
  }));
  return [...pathCorruptions, ...methods, ...(body ? [...bodyCorruptions, ...tooLarge] : [])];
}

/** The most bytes that are sent to test a limit. */
const maxContent = 2 ** 25;

const allMethods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PURGE"];
const bodiless: readonly string[] = ["GET", "HEAD"];

const pathCorruptions: readonly Corruption[] = [
  (request) => onPath(toggleSlash)(request, ""),
  onPath((path) => `${path}/nothing-here`),
  onPath((path) => path.replace(/[^/]+(?=\/?$)/, "%zz")),
  onPath((path) => path.replace(/[^/]+(?=\/?$)/, "%C3%28")),
  onPath((path) => path.replace(/[^/]+(?=\/?$)/, "a%2Fb")),
  onPath((path) => path.replace(/[^/]+(?=\/?$)/, "..%2F..%2Fetc")),
  onPath((path) => path.replace(/[^/]+(?=\/?$)/, "%00")),
  onPath((path) => path.replace(/[^/]+(?=\/?$)/, "long".repeat(100))),
  onPath((path) => path.replace(/\/([^/]+)(?=\/?$)/, "//$1")),
  onPath((path) => `${path}x`),
  onPath((path) => path.replace(/\/([^/]+)/, "/$1x")),
  onPath((path) => path.toUpperCase()),
  onPath((path) => path.replace(/[^/%](?=[^/]*\/?$)/, (character) => `%${character.charCodeAt(0).toString(16)}`)),
  (request) => ({ ...request, method: request.method.toLowerCase() }),
  (request) => ({ ...request, path: request.path.replace(/\?(.+)$/, "?$1&$1") }),
  (request) => ({ ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}%zz=%&=&a` }),
];

const bodyCorruptions: readonly Corruption[] = [
  withBody((body) => body.subarray(0, Math.max(0, body.length - 1))),
  withBody(() => new Uint8Array()),
  withBody((body) => join(Uint8Array.of(0xef, 0xbb, 0xbf), body)),
  withBody((body) => join(body, new TextEncoder().encode("}"))),
  withBody(() => new TextEncoder().encode("[".repeat(5_000))),
  withBody(() => Uint8Array.of(0xff, 0xfe, 0x00)),
  withBody(() => new TextEncoder().encode("null")),
  withBody(() => undefined),
  withType(() => undefined),
  withType(() => "text/x-unknown"),
  withType(() => "application/json, text/plain"),
  withType(() => ""),
  withType((type) => type.replace("/", "/vnd.test+")),
  withType((type) => type.toUpperCase()),
  withType((type) => `${type}; charset=utf-8`),
  withType((type) => `${type.split(";", 1)[0]}x`),
  withType(() => "multipart/form-data"),
];

/** Adds a trailing slash, or removes it. The root keeps its own. */
function toggleSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
}

function onPath(change: (path: string) => string): Corruption {
  return (request, basePath) => {
    const path = pathOf(request.path);
    const own = basePath.replace(/\/$/, "").length;
    return { ...request, path: `${path.slice(0, own)}${change(path.slice(own))}${request.path.slice(path.length)}` };
  };
}

function withBody(change: (body: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | undefined): Corruption {
  return (request) => ({ ...request, body: change(request.body ?? new Uint8Array()) });
}

function withType(change: (type: string) => string | undefined): Corruption {
  return (request) => {
    const { "content-type": type = "", ...headers } = request.headers;
    const changed = change(type);
    return { ...request, headers: changed === undefined ? headers : { ...headers, "content-type": changed } };
  };
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => {
    joined.set(part, at);
    return at + part.length;
  }, 0);
  return joined;
}
