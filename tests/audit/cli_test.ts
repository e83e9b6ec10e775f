/** The command: its arguments, its files and its exit codes. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Ran, runDeno } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { createThings, document, token } from "./things.ts";

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runDeno(["run", "-A", "--no-check", "--quiet", "src/tools/audit/cli.ts", ...args], env);

/** Runs a test with the file of a document and the URL of its server. */
function withServer(test: (file: string, url: string, folder: string) => Promise<void>): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    const file = `${folder}/openapi.json`;
    await Deno.writeTextFile(file, JSON.stringify(document));
    const serve = createThings();
    await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
      const answer = serve(request);
      return request.headers.get("x-fault") === "broken" ? Response.json({}) : answer;
    });
    await test(file, `http://127.0.0.1:${server.addr.port}`, folder);
  });
}

Deno.test("audit/cli exits with 0 if the server agrees, and with 1 if it differs", async () => {
  await withServer(async (file, url, folder) => {
    const agrees = await run([file, url, "--credential", "token=env:THINGS_TOKEN"], { THINGS_TOKEN: token });
    assertEquals([agrees.code, agrees.stderr], [0, ""]);
    assertMatch(agrees.stdout, /^Things 1\.2\.0 at http:\/\/127\.0\.0\.1:\d+\/v1\n\n {2}agrees {9}GET \/things\n/);

    const files = ["--html", `${folder}/a.html`, "--markdown", `${folder}/a.md`, "--json", `${folder}/a.json`];
    const env = { FAULT: "broken" };
    const drift = await run([file, url, "--only", "readThing", "--header", "x-fault: env:FAULT", ...files], env);
    assertEquals([drift.code, drift.stderr], [1, ""]);
    assertStringIncludes(drift.stdout, `curl ${url}/v1/things/a -H 'x-fault: ***'`);
    assertMatch(await Deno.readTextFile(`${folder}/a.html`), /^<!doctype html>\n/);
    assertMatch(await Deno.readTextFile(`${folder}/a.md`), /^# Audit of `Things 1\.2\.0`\n/);
    assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/a.json`)).outcome, "drift");
  });
});

Deno.test("audit/cli prints a report whose file is -", async () => {
  await withServer(async (file, url) => {
    const { code, stdout } = await run([
      file,
      url,
      "--json",
      "-",
      "--only",
      "listThings",
      "--seed",
      "7",
      "--rate",
      "1000",
    ]);
    const { seed, outcome, operations } = JSON.parse(stdout);
    assertEquals([code, seed, outcome, operations.length], [0, 7, "agrees", 1]);
  });
});

/** The URL of a port on which nothing listens. */
function closedUrl(): string {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`;
}

/** Arguments after the document and the URL, and what the command says about them. */
const mistakes: readonly (readonly [args: readonly string[], message: string])[] = [
  [
    ["--credential", "token=abc"],
    "--credential token must name an environment variable, not be the credential: --credential token=env:API_TOKEN",
  ],
  [["--credential", "token=env:NOT_SET"], "the environment variable NOT_SET of --credential token is not set"],
  [["--credential", "other=env:HOME"], 'no operation requires the security scheme "other"; the schemes are token'],
  [
    ["--credential", "token=env:BAD"],
    'the credential "token" is invalid: a token must have only letters, digits and -._~+/, and = only at the end',
  ],
  [["--header", "x-tenant"], "--header must have a name and a value: --header 'x-tenant: acme'"],
  [["--rate", "fast"], '--rate must be a number, got "fast"'],
  [["--rate", "0"], '"rate" must be a positive number, got 0'],
  [["--html", "/nowhere/a.html"], "the folder of --html does not exist: /nowhere"],
];

Deno.test("audit/cli exits with 2 if it could not run, and says why", async () => {
  await withServer(async (file, url, folder) => {
    const ran = mistakes.map(async ([args, message]) => {
      const { code, stdout, stderr } = await run([file, url, ...args], { BAD: "a b" });
      assertEquals([code, stdout, stderr], [2, "", `Cannot audit: ${message}\n`]);
    });
    await Promise.all(ran);
    const refused = await run([file, closedUrl()]);
    assertEquals(refused.code, 2);
    assertMatch(refused.stdout, /The audit could not run: the server left 3 requests in a row unanswered; .*refused/);
    const missing = await run([`${folder}/none.json`, url]);
    assertEquals([missing.code, missing.stderr], [2, `Cannot audit: ${folder}/none.json does not exist\n`]);
    assertEquals((await run([file])).stderr.split("\n", 1), ["Cannot audit: pass <document> and <url>"]);
    assertEquals(
      (await run([file, "127.0.0.1"])).stderr,
      'Cannot audit: the server must be a URL like http://127.0.0.1:3000, got "127.0.0.1"\n',
    );
  });
});
