/**
 * CORS and forgery for routes that take credentials: browsers attach some of them automatically, and pages send the
 * others.
 */
import { defineContract, request, response, route, security } from "@scope/api";
import { createClient } from "@scope/api/client";
import { type CorsOptions, fetchAdapter, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals, assertThrows } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { asserting } from "../support/tries.ts";
import { refuseCrossOrigin } from "./browser_preflight.ts";
import { listen } from "../support/mount_route.ts";

const always = asserting(100);

const app = "https://app.example.com";
const evil = "https://evil.example";

const token = security.bearer("token");
const key = security.apiKey("key", { header: "x-api-key" });
const session = security.cookie("session", { cookie: "session" });
const basic = security.basic("basic");
const certificate = security.custom("certificate", {
  challenge: "Certificate",
  openapi: { type: "mutualTLS" },
  ambient: true,
});
const signature = security.custom("signature", { challenge: "Signature", openapi: { type: "http" } });

const schemes = { token, key, session, basic, certificate, signature };
const verifiers = [
  verify(token, ({ token }) => token === "good" ? { by: "token" } : undefined),
  verify(key, ({ key }) => key === "good" ? { by: "key" } : undefined),
  verify(session, ({ value }) => value === "good" ? { by: "session" } : undefined),
  verify(basic, ({ password }) => password === "good" ? { by: "basic" } : undefined),
  verify(certificate, () => ({ by: "certificate" })),
  verify(signature, () => ({ by: "signature" })),
];

/** Routes of every method that take these schemes, with the verified credentials and handled requests. */
function mountSecured(
  names: readonly (keyof typeof schemes)[],
  cors?: CorsOptions,
  further: object = {},
): { readonly handler: FetchHandler; readonly done: string[]; readonly contract: object } {
  const done: string[] = [];
  const text = { responses: { 200: response.text() } };
  const contract = defineContract({
    security: names.map((name) => schemes[name]),
    routes: {
      get: route.get("/notes", text),
      post: route.post("/notes", { ...text, body: request.json(type("string")) }),
      put: route.put("/notes", text),
      patch: route.patch("/notes", text),
      delete: route.delete("/notes", text),
      query: route.query("/notes", text),
      options: route.options("/notes", text),
      upgrade: route.get("/upgrade", { responses: { 101: response.raw(), 200: response.text() } }),
      public: route.post("/public", { ...text, security: [] }),
    },
  });
  const handle = ({ response }: { readonly response: (status: 200, body: string) => unknown }): unknown => {
    done.push("handled");
    return response(200, "ok");
  };
  const used = names.map((name) => verifiers.find(({ scheme }) => scheme === schemes[name])!);
  const watched = used.map(({ scheme, verify: ask }) =>
    verify(scheme as typeof token, (input, runtime) => {
      done.push("verified");
      return (ask as (input: unknown, runtime: unknown) => object)(input, runtime);
    })
  );
  const handlers = Object.fromEntries(
    ["get", "post", "put", "patch", "delete", "query", "options", "upgrade", "public"].map((key) => [key, handle]),
  );
  const server = defineServer(contract as never, { security: watched } as never) as unknown as {
    implement(handlers: object): Parameters<ReturnType<typeof fetchAdapter>["mount"]>[0];
  };
  const options = { onError: () => {}, ...further, ...(cors && { cors }) };
  return { handler: fetchAdapter(options).mount(server.implement(handlers)), done, contract };
}

const shown: Readonly<Record<keyof typeof schemes, Readonly<Record<string, string>>>> = {
  token: { authorization: "Bearer good" },
  key: { "x-api-key": "good" },
  session: { cookie: "session=good" },
  basic: { authorization: `Basic ${btoa("u:good")}` },
  certificate: {},
  signature: {},
};

async function ask(
  handler: FetchHandler,
  method: string,
  headers: Readonly<Record<string, string>>,
  path = "/notes",
): Promise<Response> {
  const body = method === "POST" && path === "/notes" ? { body: '"a"' } : {};
  const type = method === "POST" ? { "content-type": "application/json" } : {};
  return await handler(
    new Request(`https://api.example.com${path}`, { method, headers: { ...type, ...headers }, ...body }),
  );
}

function preflight(handler: FetchHandler, method: string, path = "/notes"): Promise<Response> {
  return ask(handler, "OPTIONS", { origin: app, "access-control-request-method": method }, path);
}

/** The CORS fields of a response. */
function corsFields({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-"))
      .map(([name, value]) => [name.slice("access-control-".length), value]),
  );
}

const listed: CorsOptions = { origins: [app] };

Deno.test("cors: a preflight allows the fields of credentials that pages set, and is never guarded", async () => {
  const { handler, done } = mountSecured(["token", "key", "session"], listed);
  const answer = await preflight(handler, "POST");
  assertEquals([answer.status, corsFields(answer)["allow-headers"]], [204, "content-type, authorization, x-api-key"]);
  assertEquals(corsFields(await preflight(handler, "POST", "/public"))["allow-headers"], undefined);
  assertEquals(done, []);
});

Deno.test("cors: pages may send credentials if a route accepts one that browsers attach themselves", async () => {
  for (const name of ["token", "key", "signature", "session", "basic", "certificate"] as const) {
    const { handler } = mountSecured([name], listed);
    const isAmbient = ["session", "basic", "certificate"].includes(name);
    const expected = isAmbient ? "true" : undefined;
    for (const path of ["/notes", "/public", "/nowhere"]) {
      assertEquals(corsFields(await ask(handler, "POST", { origin: app }, path))["allow-credentials"], expected, path);
      assertEquals(corsFields(await ask(handler, "POST", { origin: evil }, path)), {}, path);
    }
    assertEquals(corsFields(await preflight(handler, "POST"))["allow-credentials"], expected);
  }
});

Deno.test("cors: allowing all origins is refused at mount if browsers attach a credential themselves", () => {
  const open: CorsOptions = { origins: "*" };
  for (const name of ["session", "basic", "certificate"] as const) {
    assertThrows(
      () => mountSecured(["token", name], open),
      TypeError,
      'Cannot mount GET /notes (get): "cors.origins" must list the origins, because browsers attach its credentials, got "*"',
    );
  }
  mountSecured(["token", "key", "signature"], open);
});

Deno.test("cors: pages of allowed origins may read a refusal of security, with its challenge", async () => {
  const { handler } = mountSecured(["token", "session"], listed);
  const missing = await ask(handler, "GET", { origin: app });
  assertEquals([missing.status, missing.headers.get("vary")], [401, "origin"]);
  assertEquals(corsFields(missing), {
    "allow-origin": app,
    "allow-credentials": "true",
    "expose-headers": "www-authenticate",
  });
  const accepted = await ask(handler, "GET", { origin: app, ...shown.token });
  assertEquals([accepted.status, corsFields(accepted)["allow-origin"]], [200, app]);
  const foreign = await ask(handler, "DELETE", { origin: evil, "sec-fetch-site": "cross-site", ...shown.session });
  assertEquals([foreign.status, corsFields(foreign), foreign.headers.get("vary")?.includes("origin")], [403, {}, true]);
});

const cross = { "sec-fetch-site": "cross-site" };

Deno.test("a page of another site cannot change anything with a credential that browsers attach, and no verifier runs", async () => {
  for (const name of ["session", "basic", "certificate"] as const) {
    const { handler, done } = mountSecured([name], listed);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      for (const from of [cross, { ...cross, origin: evil }, { origin: evil }, { origin: "null" }]) {
        const answer = await ask(handler, method, { ...shown[name], ...from });
        assertEquals([answer.status, (await answer.json()).code], [403, "cross-site"], `${name} ${method}`);
        assertEquals([answer.headers.get("cache-control"), done], ["no-store", []]);
      }
    }
  }
});

Deno.test("a page of another site cannot open a connection with a GET that declares 101", async () => {
  const { handler, done } = mountSecured(["session"], listed);
  assertEquals((await ask(handler, "GET", { ...shown.session, ...cross }, "/upgrade")).status, 403);
  assertEquals(done, []);
  assertEquals((await ask(handler, "GET", { ...shown.session, origin: app, ...cross }, "/upgrade")).status, 200);
});

Deno.test("a page of another site may call safe methods, public routes, and routes with its own credentials", async () => {
  const { handler } = mountSecured(["token", "session"], listed);
  for (const method of ["GET", "HEAD", "QUERY", "OPTIONS"]) {
    assertEquals((await ask(handler, method, { ...shown.session, origin: evil, ...cross })).status, 200, method);
  }
  assertEquals((await ask(handler, "DELETE", { ...shown.token, origin: evil, ...cross })).status, 200);
  assertEquals((await ask(handler, "POST", { ...shown.session, origin: evil, ...cross }, "/public")).status, 200);
});

Deno.test("the server's own pages, allowed origins and programs may make changes with a cookie", async () => {
  const own = "https://api.example.com";
  const allowed = [{}, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }, { origin: own }, {
    origin: app,
  }];
  for (const from of [...allowed, { origin: app, ...cross }]) {
    const { handler } = mountSecured(["session"], listed);
    assertEquals((await ask(handler, "DELETE", { ...shown.session, ...from })).status, 200, JSON.stringify(from));
  }
  const { handler } = mountSecured(["session"]);
  assertEquals((await ask(handler, "DELETE", { ...shown.session, origin: own })).status, 200);
  assertEquals(
    (await ask(handler, "DELETE", { ...shown.session, origin: app })).status,
    403,
    "without the option cors",
  );
});

Deno.test("forgery: an error of the origins function refuses the page and is reported once", async () => {
  const { heard, onError } = listen();
  const origins = (): boolean => {
    throw new Error("broken");
  };
  const { handler, done } = mountSecured(["session"], { origins }, { onError });
  assertEquals((await ask(handler, "DELETE", { ...shown.session, origin: app, ...cross })).status, 403);
  assertEquals([heard.map(({ phase }) => phase), done], [["cors"], []]);
});

Deno.test("forgery: origins that are added to the list after the mount are refused", async () => {
  const origins: string[] = [];
  const { handler } = mountSecured(["session"], { origins });
  origins.push(evil);
  assertEquals((await ask(handler, "DELETE", { ...shown.session, origin: evil })).status, 403);
});

/** A client of any contract, as far as it makes requests. */
type RequestMakers = Readonly<Record<string, { request(input: object): Promise<Request> }>>;

/** The client's credentials for each scheme that it can send. */
const credentials: Readonly<Record<string, unknown>> = {
  token: "good",
  key: "good",
  session: "good",
  basic: { username: "u", password: "good" },
};

// proves promises | Every request of the typed client passes the browser's preflight
Deno.test("cors: a browser allows every call of a typed client with credentials, only from allowed origins", async () => {
  const calls = fc.record({
    name: fc.constantFrom("token", "key", "session", "basic", "certificate", "signature"),
    method: fc.constantFrom("get", "post", "put", "patch", "delete", "query"),
    origin: fc.constantFrom(app, evil),
  });
  await always(fc.asyncProperty(calls, async ({ name, method, origin }) => {
    const { handler, done, contract } = mountSecured([name], listed);
    const options = {
      baseUrl: "https://api.example.com",
      credentials: name in credentials ? { [name]: credentials[name] } : {},
    };
    const client = createClient(contract as never, options as never) as unknown as RequestMakers;
    const request = await client[method]!.request(method === "post" ? { body: "a" } : {});
    const isAmbient = ["session", "basic", "certificate"].includes(name);
    const refused = await refuseCrossOrigin(handler, { request, origin, withCredentials: isAmbient });
    assertEquals(refused === undefined, origin === app);
    if (origin === app) assertEquals(done, ["verified", "handled"]);
    if (isAmbient && origin === evil && !["get", "query"].includes(method)) assertEquals(done, []);
  }));
});
