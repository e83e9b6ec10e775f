import { spread } from "../measure/median.ts";
import { root } from "../measure/run_worker.ts";
import type { Section } from "../report/section.ts";

const entries = {
  client: { title: "client", path: "../client.ts" },
  contract: { title: "contract", path: "../mod.ts" },
  server: { title: "server and fetch adapter", path: "bundles/server.ts" },
} as const;

const text =
  `Everything that an entry point exports, bundled with \`deno bundle --minify --platform=browser\`, without a schema
library.`;

/** Measures the size of the library in a browser or at the edge. */
export async function measureBundles(): Promise<Section> {
  const bundles = await Promise.all(
    Object.entries(entries).map(async ([name, { title, path }]) => ({ name, title, ...await bundle(path) })),
  );
  return {
    title: "Bundles",
    text,
    tables: [{
      head: ["", "minified, KiB", "gzip, KiB"],
      rows: bundles.map(({ title, minified, gzipped }) => [title, minified.toFixed(2), gzipped.toFixed(2)]),
    }],
    figures: bundles.map(({ name, gzipped }) => ({ measure: `bundles.${name}`, ...spread([gzipped]) })),
  };
}

/** Sizes in KiB. */
async function bundle(path: string): Promise<{ minified: number; gzipped: number }> {
  const args = ["bundle", "--quiet", "--config=deno.json", "--minify", "--platform=browser", path];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, cwd: root, stderr: "inherit" }).output();
  if (!success) throw new Error(`Cannot bundle ${path}`);
  const gzipped = new Blob([stdout]).stream().pipeThrough(new CompressionStream("gzip"));
  return { minified: stdout.length / 1_024, gzipped: (await new Response(gzipped).bytes()).length / 1_024 };
}
