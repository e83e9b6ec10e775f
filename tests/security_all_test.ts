/** `security.all()`: schemes that a route requires together, in servers, clients, documents, mocks and tests. */
import { type Contract, defineContract, response, route, type Security, security } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { importContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { openApiDocument } from "@scope/api/openapi";
import { defineServer, verify } from "@scope/api/server";
import { apiKeyCredential, bearerCredential, json, slimContract } from "@scope/api/slim";
import { contractTests } from "@scope/api/testing";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import * as z from "zod";
import { writeSlimContract } from "../src/tools/slim/write_slim_contract.ts";
import { assertRefused } from "./support/assert_refused.ts";
import { asserting } from "./support/tries.ts";
import { findAll } from "./testing/findings.ts";

const always = asserting(300);

const application = security.apiKey("application", { header: "x-app-id" });
const secret = security.apiKey("secret", { header: "x-app-secret" });
const token = security.bearer("token", { scopes: ["read", "write"] });
const session = security.cookie("session", { cookie: "sid" });
const signature = security.custom("signature", { challenge: "Signature", openapi: { type: "mutualTLS" } });
const names = { 200: response.json<Record<string, string>>() };

const contract = defineContract({
  routes: {
    both: route.get("/both", { security: [security.all(application, secret)], responses: names }),
    either: route.get("/either", {
      security: [security.all(application, token.scoped("read")), security.all(session, signature), token],
      responses: names,
    }),
    optional: route.post("/optional", {
      security: [security.all(session, application), security.none],
      responses: { 204: response.empty() },
    }),
  },
});

interface Member {
  readonly id: string;
  readonly scopes: readonly string[];
}

function mount(): { readonly handler: FetchHandler; readonly asked: string[] } {
  const asked: string[] = [];
  const find = (name: string, credential: string | null): Member | undefined => {
    asked.push(name);
    return credential?.startsWith("good") ? { id: `${name} ${credential}`, scopes: ["read"] } : undefined;
  };
  const server = defineServer(contract, {
    security: [
      verify(application, ({ key }) => find("application", key)),
      verify(secret, async ({ key }) => await Promise.resolve(find("secret", key))),
      verify(token, ({ token }) => find("token", token)),
      verify(session, ({ value }) => find("session", value)),
      verify(signature, ({ request }) => find("signature", request.headers.get("x-signature"))),
    ],
  });
  const toNames = (caller: Member | Readonly<Record<string, Member>>): Record<string, string> =>
    "id" in caller && typeof caller.id === "string"
      ? { caller: caller.id }
      : Object.fromEntries(Object.entries(caller).map(([name, { id }]) => [name, id]));
  const implementation = server.implement({
    both: ({ caller, response }) => response(200, toNames(caller)),
    either: ({ caller, response }) => response(200, toNames(caller)),
    optional: ({ response }) => response(204),
  });
  return { handler: createFetchHandler(implementation), asked };
}

const base = "https://api.example.com";

Deno.test("schemes that are required together accept a request with the credentials of all", async () => {
  const { handler, asked } = mount();
  const ask = (headers: Record<string, string>) => handler(new Request(`${base}/both`, { headers }));
  const good = await ask({ "x-app-id": "good a", "x-app-secret": "good s" });
  assertEquals(await good.json(), { application: "application good a", secret: "secret good s" });
  assertEquals(good.headers.get("cache-control"), "no-store");
  assertEquals(asked, ["application", "secret"]);

  const refused = await Promise.all([
    ask({}),
    ask({ "x-app-id": "good a" }),
    ask({ "x-app-secret": "good s" }),
    ask({ "x-app-id": "good a", "x-app-secret": "bad" }),
    ask({ "x-app-id": "bad", "x-app-secret": "good s" }),
  ]);
  assertEquals(refused.map(({ status }) => status), [401, 401, 401, 401, 401]);
  const codes = await Promise.all(refused.map(async (each) => (await each.json()).code));
  assertEquals(codes, [
    "unauthorized",
    "unauthorized",
    "unauthorized",
    "invalid-credential",
    "invalid-credential",
  ]);
  const challenges = refused[0]!.headers.get("www-authenticate")!;
  assertStringIncludes(challenges, "x-app-id");
  assertStringIncludes(challenges, "x-app-secret");
  assertEquals(asked.slice(2), ["application", "secret", "application"], "the first that fails decides");
});

Deno.test("the first entry whose credentials a request has decides", async () => {
  const { handler } = mount();
  const ask = async (headers: Record<string, string>): Promise<[number, unknown]> => {
    const answer = await handler(new Request(`${base}/either`, { headers }));
    const { code, ...callers } = await answer.json();
    return [answer.status, answer.ok ? callers : code];
  };
  assertEquals(await ask({ "x-app-id": "good", authorization: "Bearer good" }), [
    200,
    { application: "application good", token: "token good" },
  ]);
  assertEquals(await ask({ authorization: "Bearer good" }), [200, { caller: "token good" }]);
  assertEquals(await ask({ "x-app-id": "good" }), [401, "unauthorized"]);
  assertEquals(await ask({ "x-app-id": "bad", authorization: "Bearer good" }), [401, "invalid-credential"]);
  assertEquals(await ask({ cookie: "sid=good", "x-signature": "good" }), [
    200,
    { session: "session good", signature: "signature good" },
  ]);
  assertEquals(await ask({ cookie: "sid=good" }), [401, "unauthorized"]);
});

Deno.test("an entry is only forgeable if browsers attach all of its credentials", async () => {
  const { handler } = mount();
  const headers = { cookie: "sid=good", "x-app-id": "good", "sec-fetch-site": "cross-site" };
  assertEquals((await handler(new Request(`${base}/optional`, { method: "POST", headers }))).status, 204);
  assert(!("403" in openApiDocument(contract, { info }).paths!["/optional"]!.post!.responses));
});

Deno.test("beside security.none, only a lenient scheme of the entry counts as none", async () => {
  const { handler } = mount();
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await handler(new Request(`${base}/optional`, { method: "POST", headers }))).status;
  assertEquals(await ask({}), 204);
  assertEquals(await ask({ cookie: "sid=expired", "x-app-id": "good" }), 204);
  assertEquals(await ask({ cookie: "sid=good", "x-app-id": "bad" }), 401);
});

const info = { title: "Both", version: "1" };

Deno.test("documents list the schemes of an entry in one requirement, and their import has them again", () => {
  const document = openApiDocument(contract, { info });
  assertEquals(document.paths!["/both"]!.get!.security, [{ application: [], secret: [] }]);
  assertEquals(document.paths!["/either"]!.get!.security, [
    { application: [], token: ["read"] },
    { session: [], signature: [] },
    { token: [] },
  ]);
  const imported = importContract(document as never);
  assertEquals(imported.report.operations.flatMap(({ changes }) => changes), [
    'clients do not send the credential "signature": add it in "fetch"',
  ]);
  assertEquals(diffContracts(document, openApiDocument(imported.contract, { info })), []);
});

Deno.test("diffs find a scheme that is required in addition", () => {
  const declare = (list: Security) =>
    defineContract({ routes: { a: route.get("/a", { security: list, responses: names }) } });
  const changes = diffContracts(declare([application]), declare([security.all(application, secret)]));
  assertEquals(changes.map(({ verdict, rule }) => [verdict, rule]), [["breaking", "security-narrowed"]]);
  const back = diffContracts(declare([security.all(application, secret)]), declare([application]));
  assertEquals(back.map(({ verdict, rule }) => [verdict, rule]), [["compatible", "security-widened"]]);
});

Deno.test("clients send the credentials of the first entry that they have all of", async () => {
  const echo = (credentials: object, headers?: Record<string, string>) =>
    createClient(contract, {
      baseUrl: base,
      credentials,
      ...(headers && { headers }),
      fetch: (request) => Response.json(Object.fromEntries(request.headers)),
    });
  const sent = async (credentials: object, headers?: Record<string, string>) =>
    (await echo(credentials, headers).either()).body;
  assertEquals(await sent({ application: "a", token: "t" }), { "x-app-id": "a", authorization: "Bearer t" });
  assertEquals(await sent({ application: "a" }), {});
  assertEquals(await sent({ application: () => undefined, token: "t" }), { authorization: "Bearer t" });
  assertEquals(await sent({ session: "s" }), { cookie: "sid=s" }, "clients do not send custom credentials");
  assertEquals(await sent({ token: "t" }, { "x-app-id": "own" }), { "x-app-id": "own", authorization: "Bearer t" });
  const own = { "x-app-id": "own", authorization: "Bearer own" };
  assertEquals(await sent({ application: "a", token: () => assert(false) as never }, own), own);
  const error = await assertRejects(() => echo({ application: "a", token: "not a token" }).either(), ClientError);
  assert(!error.message.includes("not a token"));
});

Deno.test("slim contracts send the same credentials", async () => {
  const code = writeSlimContract(contract, {
    name: "slim",
    contract: "./contract.ts",
    codecs: undefined,
    library: "@scope/api/slim",
  });
  assertStringIncludes(code, '["application+secret"]');
  assertStringIncludes(code, '"application+token", "session+signature", "token"');
  const slim = slimContract<typeof pair>(
    { both: ["GET", "/both", {}, { 200: json }, ["application+token"]] },
    { application: apiKeyCredential("x-app-id"), token: bearerCredential() },
  );
  const client = createClient(slim, {
    baseUrl: base,
    credentials: { application: "a", token: "t" },
    fetch: (request) => Response.json(Object.fromEntries(request.headers)),
  });
  assertEquals((await client.both()).body, { "x-app-id": "a", authorization: "Bearer t" });
});

const pair = defineContract({
  security: [security.all(application, token)],
  routes: { both: route.get("/both", { responses: names }) },
});

Deno.test("mocks require all credentials, and contract tests find a server that requires one", async () => {
  const credentials = { application: "good", secret: "good" };
  const only = defineContract({
    security: [security.all(application, secret)],
    routes: { both: route.get("/both", { responses: { 200: response.json(z.object({})) } }) },
  });
  const run = async (target: FetchHandler): ReturnType<typeof findAll> => {
    const tests = contractTests(only, { target, credentials, runs: 10 });
    return await findAll(tests.filter(({ name }) => /valid|credentials/.test(name)));
  };
  const accept = ({ key }: { readonly key: string }): object | undefined => key === "good" ? {} : undefined;
  const verifiers = [verify(application, accept), verify(secret, accept)];
  assertEquals(await run(mockContract(only, { security: verifiers })), []);
  const anonymous = await mockContract(only)(new Request(`${base}/both`, { headers: { "x-app-id": "any" } }));
  assertEquals(anonymous.status, 401);
  const lax: FetchHandler = ({ headers, method }) => {
    const isKnown = headers.get("x-app-id") === "good";
    const body = JSON.stringify(isKnown ? {} : { status: 401, title: "Unauthorized" });
    return new Response(method === "HEAD" ? null : body, {
      status: isKnown ? 200 : 401,
      headers: {
        "content-type": isKnown ? "application/json" : "application/problem+json",
        "www-authenticate": "ApiKey",
        "cache-control": "no-store",
      },
    });
  };
  const found = await run(lax);
  assertEquals(found.map(({ rule }) => rule), ["needs-credentials"]);
  assertStringIncludes(found[0]!.message, 'of the credentials that it needs, it has only "application"');
});

Deno.test("security.all() refuses what one request cannot carry", () => {
  const all = security.all as (...schemes: unknown[]) => unknown;
  assertRefused(() => all(), "security.all()", "pass at least two schemes, or use the scheme itself");
  assertRefused(() => all(token), "pass at least two schemes");
  for (const entry of ["token", undefined, null, [], security.none, security.all(token, session)]) {
    assertRefused(() => all(token, entry), "argument 2 must be a scheme like security.bearer(…), got ");
  }
  assertRefused(() => all(token, token.scoped("read")), '"token" and "token" use the same place in a request');
  assertRefused(() => all(token, security.basic("login")), '"token" and "login" use the same place in a request');
  assertRefused(() => all(application, security.apiKey("other", { header: "x-app-id" })), "use the same place");
  all(session, security.cookie("theme", { cookie: "theme" }));
  all(signature, security.custom("other", { challenge: "Other", openapi: {} }));
});

Deno.test("a list refuses an entry that an earlier one would decide", () => {
  const declare = (...list: unknown[]) => () => route.get("/", { security: list as never, responses: names });
  const both = security.all(application, secret);
  assertRefused(
    declare(application, both),
    '"security" has "application" before "application+secret", which it would decide; exchange the two',
  );
  declare(both, application)();
  assertRefused(declare(both, security.all(secret, application)), '"application+secret" and "secret+application"');
  assertRefused(declare(security.all(session, signature), session), "which both use the cookie sid");
  declare(security.all(session, application), security.all(session, secret))();
});

const schemes = { application, secret, token, session } as const;
type Name = keyof typeof schemes;
const all = Object.keys(schemes) as Name[];

/** A server without its types. */
interface AnyServer {
  implement(handlers: { readonly it: (input: AnyInput) => unknown }): Parameters<typeof createFetchHandler>[0];
}

interface AnyInput {
  readonly caller: object;
  readonly response: (status: number, body: object) => unknown;
}

Deno.test("a server accepts what a client sends if the client has the credentials of an entry", async () => {
  const entry = fc.subarray(all, { minLength: 1 });
  const property = fc.asyncProperty(
    fc.array(entry, { minLength: 1, maxLength: 4 }),
    fc.subarray(all),
    async (lists, held) => {
      const [combine, entries] = [
        security.all as (...each: unknown[]) => never,
        lists.map((list) => list.map((name) => schemes[name])),
      ];
      let declared: Contract;
      try {
        const security = entries.map((list) => list.length === 1 ? list[0]! : combine(...list));
        declared = defineContract({ routes: { it: route.get("/it", { security, responses: names }) } });
      } catch {
        return; // an entry that an earlier one would decide
      }
      const used = [...new Set(entries.flat())];
      const verifiers = used.map((scheme) => verify(scheme as typeof token, () => ({ scopes: [] })));
      const server = defineServer(declared, { security: verifiers } as never) as unknown as AnyServer;
      const handler = createFetchHandler(
        server.implement({ it: ({ caller, response }) => response(200, { names: Object.keys(caller).join() }) }),
      );
      const known = held.filter((name) => used.includes(schemes[name]));
      const client = createClient(declared, {
        baseUrl: base,
        credentials: Object.fromEntries(known.map((name) => [name, "good"])) as never,
        fetch: handler,
      });
      const first = lists.find((list) => list.every((name) => known.includes(name)));
      const answer = await (client as unknown as { it(): Promise<unknown> }).it().catch((error: ClientError) => error);
      if (!first) return assertEquals((answer as ClientError).status, 401);
      assertEquals((answer as { readonly body: object }).body, { names: first.length === 1 ? "scopes" : first.join() });
    },
  );
  await always(property);
});
