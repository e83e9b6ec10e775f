/** A minified browser bundle of one module. */
export interface Bundle {
  /** Its size as it is. */
  readonly bytes: number;
  /** Its size in gzip. */
  readonly gzipBytes: number;
  /** The project's files whose code is in it, from the root, sorted. */
  readonly files: readonly string[];
}

const root = new URL("../../", import.meta.url);

/** Bundles a module that may import the library by its name. Its files are read off the source map, which names none whose code was all dropped. */
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
    bytes: new TextEncoder().encode(code).length,
    gzipBytes: await gzipSize(code),
    files: sources.map((source) => source.replace(/^(?:\.\.\/)+/, "")).toSorted(),
  };
}

async function gzipSize(code: string): Promise<number> {
  const gzipped = new Blob([code]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(gzipped).bytes()).length;
}
