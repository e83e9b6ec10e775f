import { defineContract, response, route } from "@scope/api";
import {
  type AdapterProblem,
  defineServer,
  type ProblemCode,
  type Refuse,
  type RefuseInput,
  type RouteInfo,
} from "@scope/api/server";
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";

const refusals = { 401: response.empty(), 422: response.json(type({ errors: "string[]" })) };
const contract = defineContract({
  responses: refusals,
  routes: { it: route.get("/", { responses: { 200: response.text(), 409: response.text() } }) },
});

Deno.test("refuse receives the problem, the request, the route and the contract's responses", () => {
  defineServer(contract, {
    refuse: (input) => {
      assertType<IsExact<typeof input, RefuseInput<typeof contract.responses>>>(true);
      assertType<IsExact<typeof input.problem, AdapterProblem>>(true);
      assertType<IsExact<typeof input.problem.code, ProblemCode>>(true);
      assertType<IsExact<typeof input.request, Request>>(true);
      assertType<IsExact<typeof input.route, RouteInfo | undefined>>(true);
      const refused = input.response(422, { errors: [] });
      assertType<IsExact<typeof refused.status, 422>>(true);
      // @ts-expect-error 409 is declared by a route alone
      input.response(409, "");
      // @ts-expect-error the body of 422 is an object
      input.response(422, "no");
      // @ts-expect-error the route may be absent
      input.route.key;
      // @ts-expect-error no such code
      if (input.problem.code === "nothing") return undefined;
      return refused;
    },
  });
});

Deno.test("refuse may return nothing, synchronously or not, or an equal plain object that is `const`", () => {
  defineServer(contract, { refuse: () => {} });
  defineServer(contract, { refuse: () => undefined });
  defineServer(contract, { refuse: async () => {} });
  defineServer(contract, { refuse: async ({ response }) => await Promise.resolve(response(401)) });
  defineServer(contract, {
    refuse: ({ problem }) => ({ status: 422, body: { errors: [problem.code] as string[] } }) as const,
  });
  // @ts-expect-error 409 is declared by a route alone
  defineServer(contract, { refuse: () => ({ status: 409, body: "" }) });
  // @ts-expect-error a native response is not a result
  defineServer(contract, { refuse: () => new Response() });
  // @ts-expect-error null is not a result
  defineServer(contract, { refuse: () => null });
});

Deno.test("refuse can only observe if the contract has no shared responses", () => {
  const bare = defineContract({ routes: { it: route.get("/", { responses: { 404: response.text() } }) } });
  defineServer(bare, { refuse: ({ problem }) => void problem.status });
  // @ts-expect-error 404 is declared by a route alone
  defineServer(bare, { refuse: ({ response }) => response(404, "") });
});

Deno.test("refuse does not change the types of a context", () => {
  const server = defineServer(contract, {
    context: ({ ip }: { ip: string }) => ({ ip }),
    refuse: ({ response }) => response(401),
  });
  server.implement({
    it: ({ context, response }) => {
      assertType<IsExact<typeof context, { ip: string }>>(true);
      return response(200, context.ip);
    },
  });
});

Deno.test("a Refuse in its own module fits every contract that shares its responses", () => {
  const refuse: Refuse<Pick<typeof refusals, 401>> = ({ problem, response }) =>
    problem.status === 401 ? response(401) : undefined;
  defineServer(contract, { refuse });
  const other = defineContract({ routes: { it: route.get("/", { responses: refusals }) } });
  // @ts-expect-error the contract does not share 401
  defineServer(other, { refuse });
});
