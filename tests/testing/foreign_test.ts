/** The profile `foreign`: what is sent to a server that someone else wrote, and what is only a warning. */
import { defineContract, request, response, route, router, security } from "@scope/api";
import { contractTests } from "@scope/api/testing";
import { assertEquals } from "@std/assert";
import * as z from "zod";
import { findAll, firstLine } from "./findings.ts";

const Note = z.object({ id: z.string(), text: z.string() });

const contract = defineContract({
  routes: {
    notes: router("/notes", {
      security: [],
      routes: {
        list: route.get("/", {
          query: z.object({ limit: z.coerce.number().int().min(1).max(9).optional() }),
          responses: { 200: response.json(z.array(Note)), 400: response.empty() },
        }),
        add: route.post("/", {
          body: request.json(z.object({ text: z.string().min(1) })),
          responses: { 201: response.json(Note), 400: response.empty() },
        }),
        remove: route.delete("/:id", { responses: { 204: response.empty(), 404: response.empty() } }),
      },
    }),
    secret: route.get("/secret", {
      security: [security.bearer("token")],
      responses: { 200: response.text(), 401: response.empty() },
    }),
  },
});

/** A server by hand. It records what it receives. */
function createServer(): { readonly serve: (request: Request) => Promise<Response>; readonly seen: Set<string> } {
  const seen = new Set<string>();
  const serve = async (received: Request): Promise<Response> => {
    const { method } = received;
    const url = new URL(received.url);
    seen.add(`${method} ${url.pathname.replace(/^(\/notes\/)[^/]+$/, "$1:id")}`);
    if (url.pathname === "/secret") return new Response(null, { status: 302, headers: { location: "/login" } });
    if (method === "DELETE") return new Response(null, { status: 404 });
    if (url.pathname !== "/notes") return new Response("<html>", { headers: { "content-type": "text/html" } });
    if (method === "POST") {
      const { text } = await received.json().catch(() => ({})) ?? {};
      if (typeof text !== "string" || text === "") return new Response(null, { status: 400 });
      return Response.json({ id: "1", text }, { status: 201 });
    }
    const limit = Number(url.searchParams.get("limit") ?? 1);
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= 5)) return new Response(null, { status: 400 }); // the contract allows 9
    return Response.json([{ id: "1", text: "a" }]);
  };
  return { serve, seen };
}

async function test(mutates: boolean): Promise<{ findings: string[]; warnings: string[]; seen: string[] }> {
  const { serve, seen } = createServer();
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, serve);
  const warnings: string[] = [];
  const target = `http://127.0.0.1:${server.addr.port}`;
  const warn = (text: string) => void warnings.push(text);
  const findings = await findAll(contractTests(contract, { target, profile: "foreign", runs: 10, mutates, warn }));
  const unsafe = [...seen].filter((each) => !/^(?:GET|HEAD) /.test(each)).toSorted();
  return {
    findings: findings.map(firstLine),
    warnings: warnings.map((text) => firstLine({ message: text })),
    seen: unsafe,
  };
}

Deno.test("contractTests() sends only GET and HEAD to a foreign server", async () => {
  assertEquals((await test(false)).seen, []);
});

Deno.test("contractTests() sends a foreign server only the methods that its paths declare, with `mutates`", async () => {
  assertEquals((await test(true)).seen, ["DELETE /notes/:id", "POST /notes"]);
});

Deno.test("contractTests() finds what a foreign server refuses though its document allows it; its own promises are warnings", async () => {
  const { findings, warnings } = await test(false);
  const rules = new Set(warnings.map((line) => line.split(": ")[1]));
  assertEquals(findings, [
    "notes.list: valid-refused: GET /notes?limit=8 was answered 400; the document allows it",
    "notes.list: valid-refused: GET /notes?limit=8 was answered 400; the document allows it",
    "secret: nothing-reached: no valid request was found, because it requires a credential; pass one that the server " +
    'accepts in the option credentials: { "token": … }',
  ]);
  assertEquals([...rules].toSorted(), ["invalid-accepted", "method-not-allowed", "not-found"]);
});
