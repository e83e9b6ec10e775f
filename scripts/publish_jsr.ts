/**
 * Publishes the package on JSR. It accepts the arguments of `deno publish`: `--dry-run` checks the package without
 * publishing it.
 */
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
