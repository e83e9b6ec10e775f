/** A single route behind a mounted handler, for tests that need no more. */
import { defineContract, type RouteDeclaration } from "@scope/api";
import { createFetchHandler, type ErrorReport, type FetchHandler, type FetchOptions } from "@scope/api/fetch";
import { type Awaitable, defineServer, type HandlersOf, type Server } from "@scope/api/server";
import { assertEquals } from "@std/assert";

type ContractOf<Route extends RouteDeclaration> = ReturnType<typeof defineContract<{ readonly it: Route }>>;
type Nothing = Record<never, never>;

/** The handler of the only route of a contract, under the key `it`. */
export type HandlerOf<Route extends RouteDeclaration> = HandlersOf<Server<ContractOf<Route>, Nothing, Nothing>> extends
  {
    readonly it: infer Handle;
  } ? Handle
  : never;

/** Mounts one route with its handler. A test of an invalid handler casts it at the call. */
export function mountRoute<Route extends RouteDeclaration>(
  route: Route,
  handle: HandlerOf<Route>,
  options: FetchOptions = {},
): FetchHandler {
  const contract = defineContract({ routes: { it: route as RouteDeclaration } });
  const implementation = defineServer(contract).implement({ it: handle } as never); // generic, so not resolved here
  return createFetchHandler(implementation, options);
}

/** An `onError` hook, with the reports that it received. */
export function listen(replace?: (report: ErrorReport) => Awaitable<Response | undefined>): {
  readonly heard: ErrorReport[];
  readonly onError: (report: ErrorReport) => Awaitable<Response | undefined>;
} {
  const heard: ErrorReport[] = [];
  return {
    heard,
    onError(report): Awaitable<Response | undefined> {
      heard.push(report);
      return replace?.(report);
    },
  };
}

/**
 * Asserts that the result of a handler leads to a 500 that is reported once, in this phase, and returns the reported
 * error.
 */
export async function failureOf<Route extends RouteDeclaration>(
  route: Route,
  handle: HandlerOf<Route>,
  phase: ErrorReport["phase"] = "encode",
): Promise<unknown> {
  const { heard, onError } = listen();
  const answer = await mountRoute(route, handle, { onError })(new Request("http://localhost/"));
  await assertProblem(answer, 500, "Internal Server Error", "internal-error");
  assertEquals(heard.map((report) => report.phase), [phase]);
  return heard[0]?.error;
}

/** Asserts that a response is exactly this problem document. */
export async function assertProblem(
  response: Response,
  status: number,
  title: string,
  code: string,
  issues?: readonly unknown[],
): Promise<void> {
  assertEquals(response.status, status);
  assertEquals(response.headers.get("content-type"), "application/problem+json");
  assertEquals(await response.json(), { type: "about:blank", title, status, code, ...(issues && { issues }) });
}

/** Waits for the next task of the event loop, in which the adapter cancels a body that it has opened. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
