/** The table of docs/generated-clients.md: what old clients must be able to read after a change. */
import { type Contract, defineContract, response, route } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { assertEquals } from "@std/assert";
import * as z from "zod";

const User = z.object({ id: z.string(), plan: z.enum(["free", "pro"]), nick: z.string().optional() });

function users(
  body: z.ZodType,
  query: z.ZodType<unknown, Record<string, string | undefined>>,
  more: object = {},
): Contract {
  return defineContract({
    routes: { find: route.get("/users/:id", { query, responses: { 200: response.json(body), ...more } }) },
  }) as Contract;
}

const query = z.object({ q: z.string().optional() });
const before = users(User, query);

/** The worst verdict about a later version. */
function verdictOn(after: Contract): string | undefined {
  const verdicts = new Set(diffContracts(before, after, { samples: 50 }).map(({ verdict }) => verdict));
  return ["breaking", "unproven", "source", "compatible"].find((verdict) => verdicts.has(verdict as never));
}

Deno.test("diffContracts() has the verdict of each row of the page on generated clients", async () => {
  const later: Readonly<Record<string, Contract>> = {
    "adds a field to a response": users(User.extend({ joined: z.string() }), query),
    "adds an optional field, query or header to a request": users(User, query.extend({ sort: z.string().optional() })),
    "adds a 4xx or 5xx": users(User, query, { 410: response.problem() }),
    "adds a response header, or a route": defineContract({
      routes: {
        find: route.get("/users/:id", {
          query,
          responses: { 200: response.json(User, { headers: z.object({ etag: z.string() }) }) },
        }),
        list: route.get("/users", { responses: { 200: response.json(z.array(User)) } }),
      },
    }),
    "adds a value to an `enum`, a branch to a union, or `null`": users(
      User.extend({ plan: z.enum(["free", "pro", "team"]) }),
      query,
    ),
    "leaves out a field of a response that was optional": users(User.omit({ nick: true }), query),
  };
  const page = await Deno.readTextFile(new URL("../../docs/generated-clients.md", import.meta.url));
  const rows = Object.keys(later).map((change) => page.split("\n").find((line) => line.startsWith(`| ${change} `)));

  assertEquals(
    Object.values(later).map(verdictOn),
    rows.map((row) => row?.split("|")[2]?.trim()),
  );
});
