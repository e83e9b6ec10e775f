/**
 * Each row about routes, executed: an old client calls a mock of the new contract, and fails exactly if the row says
 * so.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Contract, defineContract, response, route, type RouteTree } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { type FetchHandler, mockContract } from "@scope/api/mock";
import { verify } from "@scope/api/server";
import { routesOf } from "../../src/contract/node.ts";
import { requirementsOf } from "../../src/contract/security_scheme.ts";
import { toCheck } from "../../src/schema.ts";
import { type Call, type RouteRow, routeRows } from "./route_rows.ts";

/** The result of a client's call, as far as the rows use it. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly response: Response;
}

type Method = (input?: object, options?: object) => Promise<Answer>;

/** The method of a client for the route of a call. */
function methodOf(client: object, { key = "it" }: Call): Method {
  return key.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], client) as Method;
}

/** The bytes of a text or of bytes, which decide whether a value arrived; `undefined` for other values. */
function bytesOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return value.join();
  return typeof value === "string" ? new TextEncoder().encode(value).join() : undefined;
}

/** A mock with a note of the body that its handler received. */
interface NotingMock {
  readonly note: { readonly received?: unknown };
  readonly fetch: FetchHandler;
}

/** A mock whose tokens have the scopes that they name. */
function mockOf(contract: Contract, { key = "it", status, answer, input }: Call): NotingMock {
  const note: { received?: unknown } = {};
  const schemes = routesOf(contract.routes).flatMap(({ security = [] }) => requirementsOf(security))
    .map(({ scheme }) => scheme).filter(({ name }) => name === "token");
  const handler = ({ body, response }: { body: unknown; response: (...result: readonly unknown[]) => never }) => {
    note.received = body;
    return response(...answer ?? [200, "x"]);
  };
  const isHandled = answer !== undefined || bytesOf((input as { body?: unknown })?.body) !== undefined;
  const options = {
    handlers: isHandled ? { [key]: handler } : {},
    status: status === undefined ? {} : { [key]: status },
    security: [...new Set(schemes)].map((scheme) =>
      verify(scheme as never, (({ token }: { token: string }) => ({ scopes: token.split("-") })) as never)
    ),
  };
  return { note, fetch: mockContract(contract, options as never) };
}

/** Whether a response has the headers that the old contract declares. */
function hasPromisedHeaders({ routes }: Contract, { key = "it" }: Call, { status, response }: Answer): boolean {
  const schema = routesOf(routes).find((each) => each.key === key)?.responses[status]?.headers;
  return !schema || !("issues" in toCheck(schema)(Object.fromEntries(response.headers))!);
}

/** Whether an old client's call has the success that it was promised, and bodies arrive as they were sent. */
async function hasWorked(before: Contract, after: Contract, call: Call): Promise<boolean> {
  const { note, fetch } = mockOf(after, call);
  const { credentials = {}, input, contentType, answer } = call;
  const options = contentType === undefined ? {} : { headers: { "content-type": contentType } };
  const client = createClient(before, { baseUrl: "http://localhost", fetch, credentials: credentials as never });
  const result = await methodOf(client, call)(input, options).catch((error: unknown) => {
    if (error instanceof ClientError && error.code !== "invalid-input") return undefined;
    throw error; // the row is wrong: nothing was sent
  });
  if (!result || result.status < 200 || result.status > 299) return false;
  const sent = bytesOf((input as { body?: unknown })?.body);
  return hasPromisedHeaders(before, call, result) && (sent === undefined || bytesOf(note.received) === sent) &&
    (answer === undefined || bytesOf(result.body) === bytesOf(answer[1]));
}

function contractsOf({ before, after }: RouteRow): readonly [Contract, Contract] {
  return [defineContract({ routes: before }), defineContract({ routes: after })];
}

for (const row of routeRows) {
  Deno.test(`diffContracts() classifies the change when ${row.name}`, () => {
    const changes = diffContracts(...contractsOf(row), { samples: 200 });

    assertEquals(
      changes.map(({ verdict, rule, route, where }) => [verdict, rule, route, where].filter(Boolean).join(" ")),
      row.changes,
    );
  });

  Deno.test(`calls of an old client fail exactly if a row breaks: ${row.name}`, async () => {
    const [before, after] = contractsOf(row);
    const isBreaking = row.changes.some((change) => change.startsWith("breaking"));

    for (const call of row.calls) {
      const place = JSON.stringify(call);
      if (!call.answer && !call.status) assert(await hasWorked(before, before, call), `${place} never worked`);
      assertEquals(await hasWorked(before, after, call), call.works, place);
    }
    assertEquals(row.calls.some(({ works }) => !works), isBreaking);
  });
}

Deno.test("an old client treats an unknown failure as a failure", async () => {
  const routes = (...statuses: readonly number[]): RouteTree => ({
    it: route.get("/it", { responses: Object.fromEntries(statuses.map((status) => [status, response.text()])) }),
  });
  const [before, after] = [routes(200), routes(200, 409, 503)].map((tree) => defineContract({ routes: tree }));

  for (const status of [409, 503]) {
    const { fetch } = mockOf(after!, { status, works: false });
    const client = createClient(before!, { baseUrl: "http://localhost", fetch });
    const error = await assertRejects(() => methodOf(client, { works: false })(), ClientError);
    assertEquals([error.code, error.status], ["unexpected-status", status]);
  }
});
