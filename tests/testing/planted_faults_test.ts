/** Each rule finds the fault that it is there for, names it, and shows the least request that has it. */
import { contractTests, type Rule } from "@scope/api/testing";
import { assertEquals } from "@std/assert";
import { findAll, firstLine } from "./findings.ts";
import { tries } from "../support/tries.ts";
import { contract, createHandler, createThings } from "./things.ts";

type Serve = (request: Request) => Response | Promise<Response>;

/** A server with a fault: it changes the behavior of the correct one. */
type Fault = (serve: Serve) => Serve;

const credentials = { token: "test" };

/** A fault, and the findings for it. */
interface Planted {
  readonly rule: Rule;
  readonly fault: Fault;
  /** The first line of the finding. */
  readonly found: string;
}

const planted: Readonly<Record<string, Planted>> = {
  "a status that is not declared": {
    rule: "declared-status",
    fault: after(
      "GET",
      /\/health$/,
      () => new Response("ok", { status: 203, headers: { "content-type": "text/plain" } }),
    ),
    found: "health: declared-status: GET /api/health was answered 203; GET declares 200, 401",
  },
  "another content type": {
    rule: "declared-content-type",
    fault: after(
      "GET",
      /\/things$/,
      async (answer) => new Response(await answer.text(), { headers: { "content-type": "text/html" } }),
    ),
    found: "things.list: declared-content-type: GET /api/things was answered 200 with the content type text/html; " +
      "the contract declares application/json",
  },
  "a member of another type": {
    rule: "body-matches",
    fault: after("GET", /\/things\/1$/, () => Response.json({ id: 1, name: "one" })),
    found:
      "things.byId: body-matches: GET /api/things/1 was answered 200 with a body that the contract does not declare: " +
      "/id must be a string",
  },
  "an event that is not as declared": {
    rule: "body-matches",
    fault: after("GET", /\/events$/, (answer) => new Response('data: {"count":"1"}\n\n', answer)),
    found: "events: body-matches: GET /api/events was answered 200 with a body that the contract does not declare: " +
      "/count must be a number",
  },
  "a header field that is missing": {
    rule: "headers-match",
    fault: after("POST", /\/things$/, (answer) => without(answer, "location")),
    found:
      'things.create: headers-match: POST /api/things {"name":"a"} was answered 201 with header fields that the contract ' +
      'does not declare: it must have the member "location"',
  },
  "a member that the schema strips": {
    rule: "undeclared-members",
    fault: after("GET", /\/things\/1$/, () => Response.json({ id: "1", name: "one", secret: "x" })),
    found:
      "things.byId: undeclared-members: GET /api/things/1 was answered 200 with a body that the contract does not " +
      "declare: /secret is not allowed",
  },
  "a failure": {
    rule: "no-failure",
    fault: before(
      "PATCH",
      /\/things\/\d+$/,
      (_, { name }) => name.includes("b") ? new Response(null, { status: 500 }) : undefined,
    ),
    found: 'things.rename: no-failure: PATCH /api/things/1 {"name":"b"} was answered 500; the server failed',
  },
  "an answer that never comes": {
    rule: "no-failure",
    fault: before(
      "PATCH",
      /\/things\/\d+$/,
      (_, { name }) => name.length > 10 ? new Promise<Response>(() => {}) : undefined,
    ),
    found: 'things.rename: no-failure: PATCH /api/things/1 {"name":"aaaaaaaaaaa"} was not answered within 20 ms',
  },
  "a handler that rejects": {
    rule: "no-failure",
    fault: before(
      "PATCH",
      /\/things\/\d+$/,
      (_, { name }) => name === "a" ? Promise.reject(new Error("no database")) : undefined,
    ),
    found: 'things.rename: no-failure: PATCH /api/things/1 {"name":"a"} was not answered: Error: no database',
  },
  "a valid request that is refused": {
    rule: "valid-refused",
    fault: before("PATCH", /\/things\/\d+$/, (_, { name }) => name.length === 20 ? refuse(400) : undefined),
    found:
      'things.rename: valid-refused: PATCH /api/things/1 {"name":"aaaaaaaaaaaaaaaaaaaa"} was answered 400; the contract ' +
      "allows it",
  },
  "an invalid request that is taken": {
    rule: "invalid-accepted",
    fault: before(
      "PATCH",
      /\/things\/\d+$/,
      (_, { name }) => name === "" ? Response.json({ id: "1", name: "" }) : undefined,
    ),
    found:
      'things.rename: invalid-accepted: PATCH /api/things/1 {"name":""} was answered 200; the contract refuses it: ' +
      "/name must be non-empty",
  },
  "a body that is not JSON and taken": {
    rule: "invalid-accepted",
    fault: before("PATCH", /\/things\/\d+$/, (text) => text === "" ? Response.json({ id: "1", name: "" }) : undefined),
    found: "things.rename: invalid-accepted: PATCH /api/things/1 was answered 200; the contract refuses it: " +
      "the request is malformed",
  },
  "another content type that is taken": {
    rule: "invalid-accepted",
    fault: (serve) => (request) => {
      const headers = new Headers(request.headers);
      if (request.method === "PATCH" && headers.get("content-type") === "text/x-unknown") {
        headers.set("content-type", "application/json");
      }
      return serve(new Request(request, { headers }));
    },
    found:
      'things.rename: invalid-accepted: PATCH /api/things/1 {"name":"a"} was answered 200; the contract refuses it: ' +
      "the content type is not the declared one",
  },
  "a path that no route has": {
    rule: "not-found",
    fault: before("GET", /\/healthx$/, () => new Response("ok")),
    found: "health: not-found: GET /api/healthx was answered 200; the contract refuses it: no route has the path",
  },
  "a method that no route has": {
    rule: "method-not-allowed",
    fault: after("PURGE", /\/health$/, () => new Response("ok"), 405),
    found:
      "health: method-not-allowed: PURGE /api/health was answered 200; the contract refuses it: the path does not have " +
      "the method",
  },
  "a 405 without the methods": {
    rule: "method-not-allowed",
    fault: after("PURGE", /\/health$/, (answer) => without(answer, "allow"), 405),
    found: "health: method-not-allowed: PURGE /api/health was answered 405; its field allow does not list GET",
  },
  "HEAD that is answered in another way": {
    rule: "head-as-get",
    fault: after("HEAD", /\/health$/, (answer) => without(answer, "content-type")),
    found: "health: head-as-get: HEAD /api/health was answered with content-type: (none), by GET with content-type: " +
      "text/plain;charset=UTF-8",
  },
  "a stack in a refusal": {
    rule: "no-leak",
    fault: after(
      "GET",
      /\/things\/./,
      () => Response.json({ message: "Error: none\n    at find (file:///srv/things.ts:12:3)" }, { status: 404 }),
      404,
    ),
    found:
      "things.byId: no-leak: GET /api/things/a was answered 404 with a part of a stack: at find (file:///srv/things.ts:12:3",
  },
  "a credential in a refusal": {
    rule: "no-leak",
    fault: (serve) => async (request) => {
      const answer = await serve(request);
      if (answer.status !== 401) return answer;
      return new Response(JSON.stringify({ given: request.headers.get("authorization") }), answer);
    },
    found: "events: no-leak: GET /api/events was answered 401 with the credential that it showed",
  },
  "a created thing that is not there": {
    rule: "created-is-there",
    fault: after("POST", /\/things$/, (answer) => {
      const headers = new Headers(answer.headers);
      if (answer.status === 201) headers.set("location", "/api/things/none");
      return new Response(answer.body, { status: answer.status, headers });
    }),
    found:
      "things.create: created-is-there: GET /api/things/none was answered 404, though a 201 named it as the location of " +
      'what it created (after POST /api/things {"name":"a"})',
  },
  "a deleted thing that is still there": {
    rule: "deleted-is-gone",
    fault: before("DELETE", /\/things\/\d+$/, () => new Response(null, { status: 204 })),
    found: "things.remove: deleted-is-gone: GET /api/things/2 was answered 200, though DELETE has removed it (after " +
      'POST /api/things {"name":"a"}, GET /api/things/2, DELETE /api/things/2)',
  },
  "a PUT that adds each time": {
    rule: "put-twice",
    fault: (serve) => {
      let size = 0;
      return async (request) => {
        if (request.method !== "PUT") return await serve(request);
        const answer = await serve(request.clone() as Request);
        if (answer.status !== 200) return answer;
        const { name } = await request.json();
        const changed = new Request(request.url, {
          method: "PUT",
          headers: request.headers,
          body: JSON.stringify({ name, size: ++size }),
        });
        return await serve(changed);
      };
    },
    found:
      'things.replace: put-twice: GET /api/things/1 was answered {"name":"a","size":2,"id":"1"} after the same PUT ' +
      'twice, {"name":"a","size":1,"id":"1"} after one (after PUT /api/things/1 {"name":"a"}, GET /api/things/1, ' +
      'PUT /api/things/1 {"name":"a"})',
  },
  "a route that lets everyone in": {
    rule: "needs-credentials",
    fault: (serve) => (request) => {
      const headers = new Headers(request.headers);
      if (request.url.endsWith("/things/1")) headers.set("authorization", "Bearer test");
      return serve(new Request(request, { headers }));
    },
    found:
      "things.byId: needs-credentials: GET /api/things/1 was answered 200; the contract refuses it: it has no credential",
  },
};

/** Changes the responses to some requests: successful ones, or those of one other status. */
function after(
  method: string,
  path: RegExp,
  change: (answer: Response) => Response | Promise<Response>,
  status?: number,
): Fault {
  return (serve) => async (request) => {
    const answer = await serve(request);
    const isMeant = request.method === method && path.test(new URL(request.url).pathname);
    return isMeant && (status === undefined ? answer.ok : answer.status === status) ? await change(answer) : answer;
  };
}

/**
 * Responds to some requests in place of the server, depending on their text and the name in it; credentials are checked
 * first.
 */
function before(
  method: string,
  path: RegExp,
  answer: (text: string, body: { readonly name: string }) => Response | Promise<Response> | undefined,
): Fault {
  return (serve) => async (request) => {
    const isKnown = request.url.endsWith("/healthx") || request.headers.get("authorization") === "Bearer test";
    if (request.method !== method || !path.test(new URL(request.url).pathname) || !isKnown) return await serve(request);
    const text = await request.clone().text();
    return await answer(text, readName(text)) ?? await serve(request);
  };
}

function readName(text: string): { readonly name: string } {
  try {
    const { name } = JSON.parse(text);
    return { name: typeof name === "string" ? name : "another" };
  } catch {
    return { name: "another" };
  }
}

function refuse(status: number): Response {
  return Response.json({ title: "Bad Request" }, { status, headers: { "content-type": "application/problem+json" } });
}

function without(answer: Response, field: string): Response {
  const headers = new Headers(answer.headers);
  headers.delete(field);
  return new Response(answer.body, { status: answer.status, headers });
}

const values = Object.fromEntries(
  ["things.byId", "things.rename", "things.replace", "things.remove"].map((key) => [key, { params: { id: ["1"] } }]),
);

for (const [name, { rule, fault, found }] of Object.entries(planted)) {
  Deno.test(`contractTests() finds ${name}: ${rule}`, async () => {
    const target = (): Serve => fault(createHandler(createThings()));
    const tests = contractTests(contract, { target, credentials, values, runs: tries(20).numRuns, limit: 20 });
    const findings = await findAll(tests);

    assertEquals([...new Set(findings.map((each) => each.rule))], [rule]);
    assertEquals(findings.map(firstLine).filter((line) => line === found).slice(0, 1), [found]);
  });
}
