/** The imported examples are what the command writes. */
import { assertEquals } from "@std/assert";
import { runModule } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";
import { readFolder } from "../support/read_folder.ts";

const folder = new URL("../../examples/import/", import.meta.url).pathname;

for (const [name, ...options] of [["shop"], ["slim", "--schemas", "none"], ["dates", "--dates"]] as const) {
  Deno.test(`examples/import/${name} is what the command writes`, () =>
    inTemporaryFolder(async (out) => {
      const { code, stderr } = await runModule(
        "src/tools/import/cli.ts",
        `${folder}openapi.json`,
        "--out",
        out,
        ...options,
      );
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      assertEquals(await readFolder(`${folder}${name}`), await readFolder(out));
    }));
}
