/** A server in another language, by its URL. */
import { type ContractTestError, contractTests } from "@scope/api/testing";
import { assertEquals } from "@std/assert";
import { contract } from "../../examples/users/contract.ts";
import { findAll, firstLine } from "./findings.ts";

type Findings = ContractTestError["findings"];

const script = new URL("users_server.py", import.meta.url).pathname;

/** Python's version, or a message if it is not installed. */
async function findPython(): Promise<string | undefined> {
  try {
    const { stdout } = await new Deno.Command("python3", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).trim();
  } catch {
    console.warn("SKIPPED: python3 is not installed, so no server in another language was tested");
    return undefined;
  }
}

const python = await findPython();

Deno.test({
  name: "contractTests() finds by URL how a server of Python's standard library breaks the contract",
  ignore: python === undefined,
  async fn(): Promise<void> {
    const process = new Deno.Command("python3", { args: [script], stdout: "piped", stderr: "null" }).spawn();
    const reader = process.stdout.getReader();
    try {
      const port = Number(new TextDecoder().decode((await reader.read()).value));
      assertEquals((await testServer(`http://127.0.0.1:${port}`)).map(firstLine), deviations);
    } finally {
      process.kill();
      await reader.cancel();
      await process.status;
    }
  },
});

Deno.test("docs/contract-tests.md shows exactly the findings about the server of Python's standard library", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/contract-tests.md", import.meta.url));
  const [, block = ""] = /users_server\.py[^]*?```text\n([^]*?)```/.exec(page) ?? [];
  const shown = block.trim().split("\n");

  assertEquals(shown.filter((line) => !deviations.includes(line)), []);
});

const known = { params: { id: ["1"] } };

async function testServer(target: string): Promise<Findings> {
  const values = { "users.byId": known, "users.rename": known };
  return await findAll(contractTests(contract, { target, values, profile: "http", runs: 50, mutates: true }));
}

/** The rules that a server breaks that was written without the kit. */
const deviations = [
  "health: head-as-get: HEAD /api/health was answered 501, by GET 200",
  "users.byId: head-as-get: HEAD /api/users/1 was answered 501, by GET 200",
  'users.rename: no-failure: PATCH /api/users/1 [{"name":"a"}] was not answered: TypeError: fetch failed',
  'users.rename: invalid-accepted: PATCH /api/users/1 {"name":-1} was answered 200; the contract refuses it: ' +
  "/name must be a string (was a number)",
  "users.rename: no-failure: PATCH /api/users/1 (5000 bytes) was not answered: TypeError: fetch failed",
  'users.rename: invalid-accepted: PATCH /api/users/1 {"name":"a"} was answered 200; the contract refuses it: ' +
  "the content type is not the declared one",
  "profiles.byId: invalid-accepted: GET /api/profiles/%zz was answered 200; the contract refuses it: " +
  "the request is malformed",
  "profiles.byId: head-as-get: HEAD /api/profiles/a was answered 501, by GET 200",
];
