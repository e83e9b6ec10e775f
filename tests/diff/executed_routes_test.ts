/**
 * Each row about routes, executed: an old client calls a mock of the new contract, and fails exactly if the row says
 * so.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { type Contract, defineContract, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { mockContract } from "@scope/api/mock";
import { verify } from "@scope/api/server";
import { routesOf } from "../../src/contract/node.ts";
import { requirementsOf } from "../../src/contract/security_scheme.ts";
import { toCheck } from "../../src/schema.ts";
import { type Call, type RouteRow, routeRows } from "./route_rows.ts";

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly response: Response;
}

/** Calls a mock of the new contract with a client of the old one. Returns what each side received. */
async function callMock(before: Contract, after: Contract, call: Call): Promise<{ answer: Answer; received: unknown }> {
  const { key = "it", status, answer, input, contentType, credentials = {} } = call;
  let received: unknown;
  const handler = ({ body, response }: { body: unknown; response: (...result: readonly unknown[]) => never }) => {
    received = body;
    return response(...answer ?? [200, "x"]);
  };
  const tokens = routesOf(after.routes).flatMap(({ security = [] }) => requirementsOf(security))
    .map(({ scheme }) => scheme).filter(({ name }) => name === "token");
  const fetch = mockContract(after, {
    handlers: answer || bytesOf(input, "body") !== undefined ? { [key]: handler } : {},
    status: status === undefined ? {} : { [key]: status },
    // a token has the scopes that it names
    security: [...new Set(tokens)].map((scheme) =>
      verify(scheme as never, (({ token }: { token: string }) => ({ scopes: token.split("-") })) as never)
    ),
  } as never);
  const client = createClient(before, { baseUrl: "http://localhost", fetch, credentials: credentials as never });
  const method = key.split(".").reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], client);
  const options = contentType === undefined ? {} : { headers: { "content-type": contentType } };
  return { answer: await (method as (...of: unknown[]) => Promise<Answer>)(input, options), received };
}

/** The bytes of a member that is a text or bytes, which decide whether it arrived; `undefined` for other values. */
function bytesOf(object: unknown, name: string): string | undefined {
  const value = (object as Record<string, unknown> | undefined)?.[name];
  if (value instanceof Uint8Array) return value.join();
  return typeof value === "string" ? new TextEncoder().encode(value).join() : undefined;
}

/** Returns why a call does not have the success that the old contract promises. `undefined` if it has. */
async function failureOf(before: Contract, after: Contract, call: Call): Promise<string | undefined> {
  const called = await callMock(before, after, call).catch((error: unknown) => {
    if (error instanceof ClientError && error.code !== "invalid-input") return error.code;
    throw error; // the row is wrong: nothing was sent
  });
  if (typeof called === "string") return called;
  const { answer, received } = called;
  if (answer.status < 200 || answer.status > 299) return `the status ${answer.status}`;
  const sent = bytesOf(call.input, "body");
  if (sent !== undefined && bytesOf({ received }, "received") !== sent) return "another body for the server";
  if (call.answer && bytesOf(answer, "body") !== bytesOf(call.answer, "1")) return "another body for the client";
  const { headers } = routesOf(before.routes).find(({ key }) => key === (call.key ?? "it"))!.responses[answer.status]!;
  const refused = headers && "issues" in toCheck(headers)(Object.fromEntries(answer.response.headers))!;
  return refused ? "other headers" : undefined;
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

    for (const call of row.calls) {
      const place = JSON.stringify(call);
      if (!call.answer && !call.status) assertEquals(await failureOf(before, before, call), undefined, place);
      const failure = await failureOf(before, after, call);
      assertEquals(failure === undefined, call.works, `${place}: ${failure}`);
    }
    const isBreaking = row.changes.some((change) => change.startsWith("breaking"));
    assertEquals(row.calls.some(({ works }) => !works), isBreaking);
  });
}

for (const status of [409, 503]) {
  Deno.test(`an old client treats an unknown ${status} as a failure`, async () => {
    const responses = { 200: response.text() };
    const before = defineContract({ routes: { it: route.get("/it", { responses }) } });
    const routes = { it: route.get("/it", { responses: { ...responses, [status]: response.text() } }) };

    const error = await assertRejects(
      () => callMock(before, defineContract({ routes }), { status, works: false }),
      ClientError,
    );

    assertEquals([error.code, error.status], ["unexpected-status", status]);
  });
}
