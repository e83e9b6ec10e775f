// Stands in for jsr:@std/http/file-server where JSR is out of reach: serveDir, without ranges, listings and logging. On npm
// there are the parts it is made of and not the whole, so it is put together here in the same order.
// Removing "links" from deno.json must be all it takes to run the original: this may offer less, never more or other.

import { eTag, ifNoneMatch } from "deno-std/http/etag";
import { isRedirectStatus } from "deno-std/http/status";
import { contentType } from "deno-std/media-types/content-type";
import { extname } from "deno-std/path/extname";
import { join } from "deno-std/path/join";
import { normalize } from "deno-std/path/posix/normalize";

/** The options of `serveDir`. */
export interface ServeDirOptions {
  /** The folder that is served. Default: the working directory. */
  fsRoot?: string;
  /** Header fields of every response that is not a 3xx, each as `name: value`. */
  headers?: string[];
  /** Nothing is logged: what would be is left out here. */
  quiet: true;
}

/** Answers GET and HEAD with the files of a folder. */
export async function serveDir(req: Request, opts: ServeDirOptions): Promise<Response> {
  if (req.method !== "GET" && req.method !== "HEAD") return createResponse(405, "Method Not Allowed");
  const response = await answer(req, opts.fsRoot ?? ".").catch(explain);
  if (isRedirectStatus(response.status)) return response; // every 3xx: a 304 has no more fields either
  for (const header of opts.headers ?? []) {
    const [name = "", ...value] = header.split(":");
    response.headers.append(name, value.join(":"));
  }
  return response;
}

async function answer(req: Request, root: string): Promise<Response> {
  const url = new URL(req.url);
  const pathname = decodeURIComponent(url.pathname);
  const normalized: string = normalize(pathname);
  if (normalized !== pathname) return redirect(url, normalized);
  if (normalized.includes("/.")) return createResponse(404, "Not Found"); // dotfiles
  const path: string = join(root, normalized);
  const info = await Deno.stat(path.replace(/[/\\]$/, ""));
  const isFolderUrl = url.pathname.endsWith("/");
  if (info.isFile && isFolderUrl) return redirect(url, url.pathname.slice(0, -1));
  if (info.isDirectory && !isFolderUrl) return redirect(url, `${url.pathname}/`);
  const file = info.isDirectory ? join(path, "index.html") : path;
  return await serveFile(req, file, info.isDirectory ? await Deno.lstat(file) : info);
}

async function serveFile(req: Request, path: string, info: Deno.FileInfo): Promise<Response> {
  if (!info.isFile) return createResponse(404, "Not Found");
  const tag: string | undefined = info.mtime ? await eTag(info, { algorithm: "SHA-256" }) : undefined;
  const headers = new Headers({ server: "deno" });
  if (info.mtime) headers.set("last-modified", info.mtime.toUTCString());
  if (tag) headers.set("etag", tag);
  const type: string | undefined = contentType(extname(path));
  if (type) headers.set("content-type", type);
  if (req.method === "GET" && isFresh(req, tag, info.mtime)) return createResponse(304, "Not Modified", headers);
  headers.set("content-length", String(info.size));
  if (req.method === "HEAD") return new Response(null, { status: 200, statusText: "OK", headers });
  return new Response((await Deno.open(path)).readable, { status: 200, statusText: "OK", headers });
}

function isFresh({ headers }: Request, tag: string | undefined, changed: Date | null): boolean {
  const tags = headers.get("if-none-match");
  const since = headers.get("if-modified-since");
  if (!tag) return false;
  if (!ifNoneMatch(tags, tag)) return true;
  return tags === null && since !== null && changed !== null && changed.getTime() < new Date(since).getTime() + 1000;
}

function explain(error: unknown): Response {
  return error instanceof Deno.errors.NotFound
    ? createResponse(404, "Not Found")
    : createResponse(500, "Internal Server Error");
}

function redirect(url: URL, pathname: string): Response {
  url.pathname = pathname;
  return Response.redirect(url, 301);
}

function createResponse(status: number, statusText: string, headers = new Headers()): Response {
  return new Response(status === 304 ? null : statusText, { status, statusText, headers });
}
