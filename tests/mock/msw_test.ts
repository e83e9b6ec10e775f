import { assertEquals, assertGreater } from "@std/assert";

async function run(command: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("mockContract() responds for MSW on Node", async () => {
  const program = await Deno.makeTempFile({ suffix: ".mjs" });
  try {
    const args = ["bundle", "--quiet", "--platform=deno", `--output=${program}`, "tests/mock/msw_node.ts"];
    await run(Deno.execPath(), args);
    const [found, renamed, refused, count] = JSON.parse(await run("node", [program]));
    assertEquals([found.id, typeof found.name, renamed, refused], ["42", "string", found, 415]);
    assertGreater(count, 2);
  } finally {
    await Deno.remove(program);
  }
});
