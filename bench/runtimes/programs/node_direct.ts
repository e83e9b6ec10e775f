/** The API by hand on `node:http`: the baseline of servers on Node. It validates input and output with Zod. */
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { findUser, renameUser } from "../../contract/answers.ts";
import { Health, Rename, User, UserParams } from "./schemas.ts";

export const server: Server = createServer(answer);

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url = "", method } = request;
  if (url === "/api/health" && method === "GET") return sendText(response, Health.parse("ok"));
  if (url.startsWith("/api/users/")) {
    const { success, data } = UserParams.safeParse({ id: decodeURIComponent(url.slice("/api/users/".length)) });
    if (success && method === "GET") return sendJson(response, findUser(data.id));
    if (success && method === "PATCH") return rename(request, response, data.id);
  }
  response.writeHead(404).end();
}

function rename(request: IncomingMessage, response: ServerResponse, id: string): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { success, data } = Rename.safeParse(parse(Buffer.concat(chunks).toString()));
    if (success) return sendJson(response, renameUser(id, data.name));
    response.writeHead(400).end();
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

function sendJson(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(User.parse(value));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}
