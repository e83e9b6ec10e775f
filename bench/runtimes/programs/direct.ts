/** The API by hand, for these three requests: the baseline. It validates input and output with the same schemas. */
import { findUser, renameUser } from "../../contract/answers.ts";
import { Health, Rename, User, UserParams } from "./schemas.ts";

const json = { headers: { "content-type": "application/json" } };
const text = { headers: { "content-type": "text/plain; charset=utf-8" } };

export default { fetch: answer };

function answer(request: Request): Response | Promise<Response> {
  const { url, method } = request;
  const path = url.slice(url.indexOf("/", "https://".length));
  if (path === "/api/health" && method === "GET") return new Response(Health.parse("ok"), text);
  if (path.startsWith("/api/users/")) {
    const { success, data } = UserParams.safeParse({ id: decodeURIComponent(path.slice("/api/users/".length)) });
    if (success && method === "GET") return send(findUser(data.id));
    if (success && method === "PATCH") return rename(request, data.id);
  }
  return new Response("Not Found", { status: 404 });
}

async function rename(request: Request, id: string): Promise<Response> {
  const { success, data } = Rename.safeParse(await readJson(request));
  return success ? send(renameUser(id, data.name)) : new Response("Bad Request", { status: 400 });
}

/** Reads nothing from a body that is not JSON. */
async function readJson(request: Request): Promise<unknown> {
  return await request.json().catch(() => undefined);
}

function send(value: unknown): Response {
  return new Response(JSON.stringify(User.parse(value)), json);
}
