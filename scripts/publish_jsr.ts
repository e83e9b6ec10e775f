/** Publishes the package on JSR. Its arguments are those of `deno publish`: `--dry-run` checks the package and sends nothing. */
import { stageJsr } from "./stage_jsr.ts";

const folder = await Deno.makeTempDir();
try {
  await stageJsr(folder);
  const { code } = await new Deno.Command(Deno.execPath(), { args: ["publish", ...Deno.args], cwd: folder }).spawn()
    .status;
  Deno.exitCode = code;
} finally {
  await Deno.remove(folder, { recursive: true });
}
