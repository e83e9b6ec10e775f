/** A minified browser bundle of one module. */
export interface Bundle {
  /** The minified code. */
  readonly code: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Its size in bytes after gzip. */
  readonly gzipBytes: number;
  /** The sorted project files whose code it contains, relative to the root. */
  readonly files: readonly string[];
}

const root = new URL("../../", import.meta.url);

/**
 * Bundles a module, which may import the library by name. The files come from the source map, which omits files whose
 * code was removed.
 */
export async function bundle(text: string): Promise<Bundle> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, text);
    return await bundleFile(path);
  } finally {
    await Deno.remove(path);
  }
}

async function bundleFile(path: string): Promise<Bundle> {
  const args = [
    "bundle",
    "--config=deno.json",
    "--quiet",
    "--minify",
    "--platform=browser",
    "--sourcemap=inline",
    path,
  ];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stderr: "inherit" }).output();
  if (!success) throw new Error(`Cannot bundle ${path}`);
  const [code = "", map = ""] = new TextDecoder().decode(stdout).split(/\/\/# sourceMappingURL=data:[^,]+,/);
  const { sources } = JSON.parse(atob(map)) as { readonly sources: readonly string[] };
  return {
    code,
    bytes: new TextEncoder().encode(code).length,
    gzipBytes: await gzipSize(code),
    files: sources.map((source) => source.replace(/^(?:\.\.\/)+/, "")).toSorted(),
  };
}

async function gzipSize(code: string): Promise<number> {
  const gzipped = new Blob([code]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(gzipped).bytes()).length;
}
