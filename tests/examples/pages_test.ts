import { assert, assertEquals } from "@std/assert";
import { bundle } from "../support/bundle.ts";

const root = new URL("../../", import.meta.url);

/** The pages of the examples, with the modules of their slim contracts, and the most bytes of their bundles in gzip. */
const pages = {
  tasks: { args: [], maxGzipBytes: 18_030 },
  chat: { args: ["--codecs=examples/chat/codecs.ts"], maxGzipBytes: 20_720 },
} as const;

for (const [name, { args, maxGzipBytes }] of Object.entries(pages)) {
  Deno.test(`the page of examples/${name} does not bundle a schema library`, async () => {
    const { files, gzipBytes } = await bundle(`import "${new URL(`examples/${name}/page.ts`, root)}";`);
    const own = files.filter((file) => /^(?:src|examples)\//.test(file));
    console.log(`the page of examples/${name}: ${gzipBytes} bytes in gzip`);

    assert(own.includes(`examples/${name}/contract.slim.ts`));
    assert(!own.includes(`examples/${name}/contract.ts`));
    assertEquals(files.filter((file) => /npm|node_modules|zod|valibot|arktype/.test(file)), []);
    assert(gzipBytes <= maxGzipBytes, `${gzipBytes} bytes`);
  });

  Deno.test(`the slim contract of examples/${name} is up to date`, async () => {
    const paths = [`examples/${name}/contract.ts`, `--out=examples/${name}/contract.slim.ts`, ...args];
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--quiet", "src/tools/slim/cli.ts", ...paths, "--check"],
      cwd: root,
    }).output();

    assertEquals(code, 0, new TextDecoder().decode(stderr));
  });
}
