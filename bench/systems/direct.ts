/**
 * The baseline for all systems: the contract as a careful engineer implements it by hand, without a framework. The
 * same schemas validate input and output, and refusals are the same problem documents. Everything that can be computed
 * once is: validators are hoisted, and `init` objects are constants. Constant refusals are clones of one response,
 * which takes a fifth of the time of a new one. Only reading bodies is asynchronous.
 */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { findProfile, findUser, listUsers, renameUser } from "../contract/answers.ts";
import {
  Health,
  Import,
  ListHeaders,
  ListQuery,
  Profile,
  Rename,
  User,
  UserList,
  UserParams,
} from "../contract/schemas.ts";
import type { BenchClient, ClientTarget, Handler, System } from "./system.ts";

export const system: System = {
  title: "direct",
  create: () => answer,
  createTable,
  createClient,
};

const checkHealth = validator(Health);
const checkUserParams = validator(UserParams);
const checkUser = validator(User);
const checkRename = validator(Rename);
const checkListQuery = validator(ListQuery);
const checkListHeaders = validator(ListHeaders);
const checkUserList = validator(UserList);
const checkImport = validator(Import);
const checkProfile = validator(Profile);

function answer(request: Request): Response | Promise<Response> {
  const { url, method } = request;
  const pathStart = url.indexOf("/", "https://".length);
  const queryStart = url.indexOf("?", pathStart);
  const path = queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart);

  if (path === "/api/health") return method === "GET" ? sendHealth() : notAllowed.get.clone();
  if (path === "/api/users") {
    if (method !== "GET") return notAllowed.get.clone();
    return sendList(request.headers, queryStart === -1 ? "" : url.slice(queryStart + 1));
  }
  if (path === "/api/import") return method === "POST" ? receiveImport(request) : notAllowed.post.clone();
  if (path.startsWith("/api/users/")) return answerUser(request, method, path.slice("/api/users/".length));
  if (path.startsWith("/api/profiles/")) return answerProfile(method, path.slice("/api/profiles/".length));
  return notFound.clone();
}

function answerUser(request: Request, method: string, segment: string): Response | Promise<Response> {
  if (segment === "" || segment.includes("/")) return notFound.clone();
  const id = decodeSegment(segment);
  if (id === undefined) return invalidPath.clone();
  if (method !== "GET" && method !== "PATCH") return notAllowed.getOrPatch.clone();
  const params = checkUserParams({ id });
  if (params.issues) return refuse("params", params.issues);
  return method === "GET"
    ? sendJson(checkUser(findUser(params.value.id)))
    : receiveJson(request, checkRename, ({ name }) => sendJson(checkUser(renameUser(params.value.id, name))));
}

function answerProfile(method: string, segment: string): Response {
  if (segment === "" || segment.includes("/")) return notFound.clone();
  const id = decodeSegment(segment);
  if (id === undefined) return invalidPath.clone();
  if (method !== "GET") return notAllowed.get.clone();
  const params = checkUserParams({ id });
  if (params.issues) return refuse("params", params.issues);
  return sendJson(checkProfile(findProfile(params.value.id)));
}

function sendHealth(): Response {
  const checked = checkHealth("ok");
  return checked.issues ? internalError.clone() : new Response(checked.value);
}

function sendList(headers: Headers, search: string): Response {
  const fields = new URLSearchParams(search);
  const tags = fields.getAll("tags");
  const page = fields.get("page");
  const query = checkListQuery({
    ...(tags.length > 0 && { tags }),
    ...(page !== null && { page }),
  });
  if (query.issues) return refuse("query", query.issues);
  const head = checkListHeaders({ "x-user": headers.get("x-user") ?? undefined });
  if (head.issues) return refuse("headers", head.issues);
  return sendJson(checkUserList(listUsers(query.value, head.value["x-user"])));
}

function receiveImport(request: Request): Response | Promise<Response> {
  return receiveJson(request, checkImport, (body) => sendJson(checkImport(body)));
}

/** Reads and validates a JSON body, then calls `next`. */
function receiveJson<Value>(
  request: Request,
  check: Check<Value>,
  next: (body: Value) => Response,
): Response | Promise<Response> {
  if (!isJson(request.headers.get("content-type"))) return unsupportedMediaType.clone();
  return request.json().then((body: unknown) => {
    const checked = check(body);
    return checked.issues ? refuse("body", checked.issues) : next(checked.value);
  }, () => invalidBody.clone());
}

function isJson(contentType: string | null): boolean {
  return contentType === "application/json" ||
    contentType !== null && /^application\/([^;]+\+)?json *(;|$)/i.test(contentType);
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

type Result<Value> = StandardSchemaV1.Result<Value>;
type Check<Value> = (value: unknown) => Result<Value>;

/** The schemas of the contract are synchronous. */
function validator<Schema extends StandardSchemaV1>(schema: Schema): Check<StandardSchemaV1.InferOutput<Schema>> {
  return schema["~standard"].validate as Check<StandardSchemaV1.InferOutput<Schema>>;
}

const json = { headers: { "content-type": "application/json" } };

function sendJson(checked: Result<unknown>): Response {
  return checked.issues ? internalError.clone() : new Response(JSON.stringify(checked.value), json);
}

const problemJson = { "content-type": "application/problem+json" };
const badRequest = { status: 400, headers: problemJson };

function refuse(location: string, issues: readonly StandardSchemaV1.Issue[]): Response {
  const problem = {
    type: "about:blank",
    title: "Bad Request",
    status: 400,
    code: "invalid-request",
    issues: issues.map((issue) => {
      const path = (issue.path ?? []).map((part) => typeof part === "object" ? part.key : part);
      const pointer = path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
      return { location, path, pointer, message: issue.message };
    }),
  };
  return new Response(JSON.stringify(problem), badRequest);
}

const invalidPath = constant(400, "Bad Request", "invalid-path");
const invalidBody = constant(400, "Bad Request", "invalid-body");
const notFound = constant(404, "Not Found", "not-found");
const notAllowed = {
  get: constant(405, "Method Not Allowed", "method-not-allowed", { allow: "GET" }),
  post: constant(405, "Method Not Allowed", "method-not-allowed", { allow: "POST" }),
  getOrPatch: constant(405, "Method Not Allowed", "method-not-allowed", { allow: "GET, PATCH" }),
};
const unsupportedMediaType = constant(415, "Unsupported Media Type", "unsupported-media-type");
const internalError = constant(500, "Internal Server Error", "internal-error");

/** Returns a refusal that is the same for every request. */
function constant(status: number, title: string, code: string, headers: Record<string, string> = {}): Response {
  const problem = JSON.stringify({ type: "about:blank", title, status, code });
  return new Response(problem, { status, headers: { ...problemJson, ...headers } });
}

/** Serves many resources, each with items: finds the resource by name, then dispatches as above. */
function createTable(size: number): Handler {
  const resources = new Map<string, (id: string) => Response>();
  for (let index = 0; index < size; index++) {
    resources.set(`resource${index}`, (id) => {
      const params = checkUserParams({ id });
      if (params.issues) return refuse("params", params.issues);
      return sendJson(checkUser(findUser(params.value.id)));
    });
  }
  return ({ url, method }) => {
    const pathStart = url.indexOf("/", "https://".length);
    const queryStart = url.indexOf("?", pathStart);
    const path = queryStart === -1 ? url.slice(pathStart) : url.slice(pathStart, queryStart);
    if (!path.startsWith("/api/")) return notFound.clone();
    const nameEnd = path.indexOf("/", "/api/".length);
    const find = resources.get(path.slice("/api/".length, nameEnd));
    if (find === undefined || !path.startsWith("/items/", nameEnd)) {
      return notFound.clone();
    }
    const segment = path.slice(nameEnd + "/items/".length);
    if (segment === "" || segment.includes("/")) return notFound.clone();
    if (method !== "GET") return notAllowed.get.clone();
    const id = decodeSegment(segment);
    return id === undefined ? invalidPath.clone() : find(id);
  };
}

/** Handwritten `fetch` code that checks the status and encodes the path. */
function createClient(fetch: Handler, { baseUrl, signal }: ClientTarget): Promise<BenchClient> {
  const patch = { "content-type": "application/json" };
  const ending = signal && { signal };
  return Promise.resolve({
    findUser: async (id) => {
      const response = await fetch(new Request(`${baseUrl}/api/users/${encodeURIComponent(id)}`, ending));
      if (response.status !== 200) throw new Error(`Cannot find the user: status ${response.status}`);
      return await response.json();
    },
    renameUser: async (id, name) => {
      const request = new Request(
        `${baseUrl}/api/users/${encodeURIComponent(id)}`,
        { method: "PATCH", headers: patch, body: JSON.stringify({ name }), ...ending },
      );
      const response = await fetch(request);
      if (response.status !== 200) throw new Error(`Cannot rename the user: status ${response.status}`);
      return await response.json();
    },
  });
}
