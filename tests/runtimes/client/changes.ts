/** A comparison of contracts finds the same changes in every runtime, with the same values. */
import { type Contract, defineContract, request, response, route } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { type } from "arktype";
import type { Case } from "../case.ts";

const User = type({ id: "string", name: "1 <= string <= 20", "email?": "string.email" });
const byId = route.get("/users/:id", { responses: { 200: response.json(User), 404: response.problem() } });
const before = defineContract({
  routes: {
    byId,
    list: route.get("/users", { query: type({ "q?": /^[a-z]+$/ }), responses: { 200: response.json(User.array()) } }),
    rename: route.patch("/users/:id", {
      body: request.json(type({ name: "string" })),
      responses: { 204: response.empty() },
    }),
    remove: route.delete("/users/:id", { responses: { 204: response.empty() } }),
  },
});
const after = defineContract({
  routes: {
    byId,
    me: route.get("/users/me", { responses: { 200: response.json(User) } }),
    list: route.get("/users", {
      query: type({ "q?": /^[a-z0-9]+$/ }),
      responses: { 200: response.json(User.or({ id: "number" }).array()) },
    }),
    rename: route.patch("/users/:id", {
      body: request.json(type({ name: "string < 9" }).narrow(({ name }) => name !== "a")),
      responses: { 204: response.empty(), 409: response.problem() },
    }),
  },
});

/** The changes of two contracts, one line for each. */
function list(...sides: readonly [Contract | object, Contract | object]): readonly string[] {
  const changes = diffContracts(...sides as [Contract, Contract], { samples: 300 });
  return changes.map(({ verdict, rule, route, where, message, witness }) =>
    [verdict, rule, route, where, message, JSON.stringify(witness)].filter(Boolean).join(" | ")
  );
}

function documentOf(contract: Contract): object {
  return JSON.parse(JSON.stringify(openApiDocument(contract, { info: { title: "Users", version: "1" } })));
}

export const changes: readonly Case[] = [
  {
    name: "the changes of contracts",
    run: () => Promise.resolve(list(before, after)),
    gives: [
      "breaking | route-removed | remove | DELETE /users/{id} was removed",
      'breaking | route-shadows | byId | /users/me goes to me now | "/users/me"',
      'breaking | response-widened | list | 200 /*/id | may be a number now | [{"id":0}]',
      'breaking | response-widened | list | 200 /*/name | is no longer sent | [{"id":0}]',
      'breaking | request-narrowed | rename | body /name | must have a length of 8 or less now | {"name":"__proto__"}',
      'breaking | request-narrowed | rename | body | values that were valid are rejected now: must be valid according to an anonymous predicate (was {"name":"a"}) | {"name":"a"}',
      "compatible | route-added | me | GET /users/me was added",
      "compatible | request-widened | list | query /q | need no longer match the pattern ^[a-z]+$, but ^[a-z0-9]+$",
      "compatible | status-added | rename | 409 | the status may be sent now",
    ],
  },
  {
    name: "the changes of their documents",
    run: () => Promise.resolve(list(documentOf(before), documentOf(after))),
    gives: [
      "breaking | route-removed | remove | DELETE /users/{id} was removed",
      'breaking | route-shadows | byId | /users/me goes to me now | "/users/me"',
      'breaking | request-narrowed | rename | body /name | must have a length of 8 or less now | {"name":"__proto__"}',
      'breaking | response-widened | list | 200 /*/id | may be a number now | [{"id":0}]',
      'breaking | response-widened | list | 200 /*/name | is no longer sent | [{"id":0}]',
      "compatible | route-added | me | GET /users/me was added",
      "compatible | status-added | rename | 409 | the status may be sent now",
      "compatible | request-widened | list | query /q | need no longer match the pattern ^[a-z]+$, but ^[a-z0-9]+$",
    ],
  },
  { name: "a contract beside its own document", run: () => Promise.resolve(list(documentOf(after), after)), gives: [] },
];
