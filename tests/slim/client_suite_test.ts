import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };

const root = new URL("../../", import.meta.url);

Deno.test("every test of the client passes with slim contracts in place of whole ones", async () => {
  const path = await Deno.makeTempFile({ dir: root.pathname, prefix: "slim_suite_", suffix: ".json" });
  try {
    const doors = Object.entries(config.exports).map(([door, file]) => [`${config.name}${door.slice(1)}`, file]);
    const imports = { ...config.imports, ...Object.fromEntries(doors), "@scope/api/client": "./tests/slim/client.ts" };
    await Deno.writeTextFile(
      path,
      JSON.stringify({ imports, links: config.links, compilerOptions: config.compilerOptions }),
    );
    const args = [
      "test",
      `--config=${path}`,
      "--allow-all",
      "--no-check",
      "--quiet",
      "--unstable-unsafe-proto",
      "--parallel",
      "--no-lock",
      "tests/client",
    ];
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args,
      cwd: root,
      env: { NO_COLOR: "1" },
    }).output();

    assertEquals(code, 0, new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(path);
  }
});
