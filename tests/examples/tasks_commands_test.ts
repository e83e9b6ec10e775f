import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { showProgress } from "../../examples/tasks/progress.ts";
import { type Ran, runDeno } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { createBytes, startTasks, token } from "./tasks.ts";

const root = `${import.meta.dirname}/../..`;

/** Runs the command line as a user does. */
function runCommand(baseUrl: string, args: readonly string[], shown: string = token): Promise<Ran> {
  return runDeno(["task", "--quiet", "tasks", ...args], { TASKS_URL: baseUrl, TASKS_TOKEN: shown });
}

Deno.test("deno task start prints the URLs to try, the token, and commands that work unchanged", () =>
  inTemporaryFolder(async (folder) => {
    await using example = await startTasks(`${folder}/tasks.db`);
    const { baseUrl } = example;
    const printed = example.printed();
    for (const url of [`${baseUrl}/#token=${token}`, `${baseUrl}/docs`]) assertStringIncludes(printed, url);
    assertStringIncludes(printed, `export TASKS_URL=${baseUrl} TASKS_TOKEN=${token}`);
    const lines = [...printed.matchAll(/^ {2}curl (.*)$/gm)].map(([, line = ""]) => line);
    assertEquals([lines.length, lines.includes(`${baseUrl}/api/health`)], [5, true]);
    for (const line of hasCurl() ? lines : []) {
      const command = `curl --fail --silent --show-error --max-time 1 --output /dev/null ${line}`;
      const { code, stderr } = await new Deno.Command("sh", { args: ["-c", command], cwd: root }).output();
      const goesOn = line.endsWith("/changes") && code === 28; // until the time is up
      assert(code === 0 || goesOn, `${command}: ${new TextDecoder().decode(stderr)}`);
    }
  }));

function hasCurl(): boolean {
  try {
    return new Deno.Command("curl", { args: ["--version"], stdout: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test("deno task tasks offers the API on the command line", () =>
  inTemporaryFolder(async (folder) => {
    await using example = await startTasks(`${folder}/tasks.db`);
    const run = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCommand(example.baseUrl, args);
      assertEquals([code, stderr], [0, ""]);
      return stdout;
    };
    const [file, copy] = [`${folder}/photo.bin`, `${folder}/copy.bin`];
    await Deno.writeFile(file, createBytes(2_000_000));

    assertEquals(await run("add", "Buy", "milk", "--tag", "shop", "--tag", "today"), "1 [ ] Buy milk #shop #today\n");
    assertEquals(await run("add", "Sleep"), "2 [ ] Sleep\n");
    assertEquals(await run("list", "--tag", "shop"), "1 [ ] Buy milk #shop #today\n");
    assertEquals(await run("done", "2"), "2 [x] Sleep\n");
    assertEquals(await run("list", "--open"), "1 [ ] Buy milk #shop #today\n");
    const progress = [" 25 % sent", " 50 % sent", " 75 % sent", "100 % sent"];
    const attached = ["attachment 1: photo.bin, 2000000 bytes", ""];
    assertEquals((await run("attach", "1", file)).split("\n"), [...progress, ...attached]);
    assertEquals(await run("files", "1"), "1\t2000000 bytes\tphoto.bin\n");
    await run("download", "1", "1", copy);
    assertEquals(await Deno.readFile(copy), createBytes(2_000_000));
    assertEquals(await run("project", "Home"), "project 2: Home\n");
    await run("remove", "2");
    assertEquals(await run("list"), "1 [ ] Buy milk #shop #today\n");
    assertStringIncludes(await run("help"), "attach <task> <file>");

    const refused = await Promise.all([
      runCommand(example.baseUrl, ["list"], "wrong"),
      runCommand(example.baseUrl, ["done", "99"]),
      runCommand(example.baseUrl, ["add", "--tag", ""]),
      runCommand("http://localhost:1", ["list"]),
    ]);
    assertEquals(refused.map(({ code }) => code), [1, 1, 1, 1]);
    const [wrong, missing, invalid, unreachable] = refused.map(({ stderr }) => stderr);
    assertEquals([wrong, missing], ["Unauthorized\n", "There is no task 99\n"]);
    assertMatch(invalid!, /^Bad Request\n {2}\/title .*\n {2}\/tags\/0 .*\n$/);
    assertStringIncludes(unreachable!, "no response arrived, or it was interrupted");
  }));

Deno.test("showProgress() draws a bar in a terminal, and passes the bytes on one by one", async () => {
  const written: string[] = [];
  async function* produce(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < 3; index++) yield new Uint8Array(10);
  }
  const screen = { isTerminal: true, write: (text: string) => written.push(text) };
  const drawn: number[] = [];
  for await (const chunk of showProgress(produce(), 30, screen)) drawn.push(chunk.byteLength + written.length);
  assertEquals(drawn, [10, 11, 12]);
  assertEquals(written, [
    `\r[${"#".repeat(10)}${"-".repeat(20)}]  33 %`,
    `\r[${"#".repeat(20)}${"-".repeat(10)}]  66 %`,
    `\r[${"#".repeat(30)}] 100 %`,
    "\n",
  ]);
});
