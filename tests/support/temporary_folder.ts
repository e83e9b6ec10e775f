/** Runs a test with its own folder, in `dir` or the system's default, and removes the folder afterwards. */
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
