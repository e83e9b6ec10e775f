/** Runs a test with a folder of its own, in `dir` or where the system has such, which is removed after it. */
export async function inTemporaryFolder(
  run: (folder: string) => Promise<void>,
  dir?: string,
): Promise<void> {
  const folder = await Deno.makeTempDir(dir === undefined ? {} : { dir });
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
