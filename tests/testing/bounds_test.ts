import { defineContract, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type ContractTest, contractTests } from "@scope/api/testing";
import { assertEquals } from "@std/assert";
import * as z from "zod";
import { findAll } from "./findings.ts";

/** The bounds of a body with twelve members. */
const bounds = {
  nameMin: 3,
  nameMax: 40,
  codeMax: 8,
  ageMin: 18,
  ageMax: 120,
  scoreMax: 10,
  priceMax: 99.5,
  tagMax: 12,
  tagsMin: 1,
  tagsMax: 5,
  emailMax: 50,
  slugMin: 3,
  slugMax: 20,
  countMin: 1,
  noteMax: 200,
  zipLength: 5,
  optionalMax: 30,
  below: 5,
  keysMax: 4,
};

/** The contract with one route, which takes a body. */
// deno-lint-ignore explicit-function-return-type -- it infers the contract
function toContract(body: z.ZodType<object, object>) {
  return defineContract({ routes: { add: route.post("/add", { body, responses: { 204: response.empty() } }) } });
}

type AddContract = ReturnType<typeof toContract>;

/** The contract of a server, whose bounds may be wrong. */
function createContract(own: typeof bounds): AddContract {
  const body = z.object({
    name: z.string().min(own.nameMin).max(own.nameMax),
    code: z.string().max(own.codeMax),
    age: z.int().min(own.ageMin).max(own.ageMax),
    score: z.number().min(0).max(own.scoreMax),
    price: z.number().multipleOf(0.5).max(own.priceMax),
    tags: z.array(z.string().max(own.tagMax)).min(own.tagsMin).max(own.tagsMax),
    email: z.email().max(own.emailMax),
    slug: z.string().regex(/^[a-z-]+$/).min(own.slugMin).max(own.slugMax),
    nested: z.object({ count: z.int().min(own.countMin), note: z.string().max(own.noteMax) }),
    zip: z.string().length(own.zipLength),
    optional: z.string().max(own.optionalMax).optional(),
    number: z.int().lt(own.below),
    keys: z.record(z.string(), z.int()).refine((keys) => Object.keys(keys).length <= own.keysMax).meta({
      maxProperties: own.keysMax,
    }),
  });
  return toContract(body);
}

async function rulesFor(own: typeof bounds): Promise<string[]> {
  const target = createFetchHandler(
    defineServer(createContract(own)).implement({ add: ({ response }) => response(204) }),
  );
  const tests = contractTests(createContract(bounds), { target, runs: 0 });
  const found = await findAll(
    tests.filter(({ name }) => name === "add: boundaries" || name === "add: invalid requests"),
  );
  return [...new Set(found.map(({ rule }) => rule))].toSorted();
}

Deno.test("contract tests of a body with twelve members find every bound that is off by one", async () => {
  assertEquals(await rulesFor(bounds), []);
  for (const name of Object.keys(bounds) as (keyof typeof bounds)[]) {
    for (const [step, rule] of [[1, 0], [-1, 1]] as const) {
      const found = await rulesFor({ ...bounds, [name]: bounds[name] + step });
      const rules = /Min$/.test(name) ? ["valid-refused", "invalid-accepted"] : ["invalid-accepted", "valid-refused"];
      const expected = name === "zipLength" ? ["valid-refused", "invalid-accepted"] : [rules[rule]!];
      assertEquals([name, step, found], [name, step, expected.toSorted()]);
    }
  }
});

Deno.test("a PATCH whose schema adds defaults to a body is found without a server", async () => {
  const Task = z.object({
    title: z.string(),
    state: z.enum(["open", "done"]).default("open"),
    tags: z.array(z.string()).default([]),
  });
  const contract = defineContract({
    routes: {
      change: route.patch("/tasks/:id", { body: Task.partial(), responses: { 204: response.empty() } }),
      versioned: route.patch("/versioned/:id", {
        body: Task.partial().extend({ version: z.int() }),
        responses: { 204: response.empty() },
      }),
      replace: route.put("/tasks/:id", { body: Task, responses: { 204: response.empty() } }),
      rename: route.patch("/names/:id", {
        body: Task.pick({ title: true }).partial(),
        responses: { 204: response.empty() },
      }),
    },
  });
  const target = createFetchHandler(
    defineServer(contract).implement({
      change: ({ response }) => response(204),
      versioned: ({ response }) => response(204),
      replace: ({ response }) => response(204),
      rename: ({ response }) => response(204),
    }),
  );
  const found = await findAll(contractTests(contract, { target, runs: 5 }));
  const advice = "so that a PATCH that does not name them overwrites them; leave out the defaults of its members";

  assertEquals(found.map(({ rule, message }) => [rule, message.split("\n", 1)[0]]), [
    ["patch-defaults", `change: patch-defaults: its schema adds state, tags to the body {}, ${advice}`],
    ["patch-defaults", `versioned: patch-defaults: its schema adds state, tags to the body {"version":0}, ${advice}`],
  ]);
  const ignored = contractTests(contract, { target, runs: 5, ignore: { "patch-defaults": true } });
  assertEquals(await findAll(ignored), []);
});

const Located = z.object({ location: z.string() });

/** Reports whose ids only a header says, in a server that answers with a status, and may lose them. */
function createReports(status: 201 | 202, isLost: boolean): ContractTest[] {
  const contract = defineContract({
    routes: {
      start: route.post("/jobs/:job/reports", { responses: { [status]: response.empty({ headers: Located }) } }),
      find: route.get("/jobs/:job/reports/:report", {
        responses: { 200: response.json(z.object({ state: z.string() })), 404: response.empty() },
      }),
    },
  });
  const handler = (request: Request): Response => {
    const { pathname } = new URL(request.url);
    const isStart = request.method === "POST" && /^\/jobs\/[^/]+\/reports$/.test(pathname);
    if (isStart) return new Response(null, { status, headers: { location: `${pathname}/r-17` } });
    const isKnown = request.method === "GET" && pathname.endsWith("/r-17") && !isLost;
    return isKnown ? Response.json({ state: "done" }) : new Response(null, { status: 404 });
  };
  return contractTests(contract as never, { target: handler, runs: 20, ignore: ignoredHere });
}

const ignoredHere = {
  "not-found": true,
  "method-not-allowed": true,
  "head-as-get": true,
  "created-is-there": true,
} as const;

for (const status of [201, 202] as const) {
  Deno.test(`a resource that only the Location of a ${status} leads to is reached`, async () => {
    const rules = (await findAll(createReports(status, false))).map(({ rule }) => rule);
    assertEquals(rules.includes("nothing-reached"), false);
  });
}

Deno.test("nothing-reached names the route whose header Location alone leads to a resource", async () => {
  const found = await findAll(createReports(202, true));
  const [missed] = found.filter(({ rule }) => rule === "nothing-reached");

  assertEquals(
    missed?.message.split("\n", 1)[0]?.replace(/\d+ times/, "N times"),
    "find: nothing-reached: its valid requests were answered N times 404 and nothing else; pass ids that exist in the " +
      "option values; only the header location of start leads to it, and no call returned one that exists",
  );
});
