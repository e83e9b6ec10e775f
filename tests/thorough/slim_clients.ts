import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { isTest, listFiles, writeRealms } from "../../scripts/realms.ts";
import { runDeno } from "../support/run_module.ts";

/** The folders of tests that use `createClient`. */
const folders = ["tests/client/", "tests/retry/", "tests/tanstack_query/"];

/** The other tests that do, and one that fails if it is the entry point's own. */
const files = [
  "tests/slim/substitution.ts",
  "tests/form_round_trip_test.ts",
  "tests/round_trip_test.ts",
  "tests/stream_round_trip_test.ts",
];

/** What no contract has a part in: bodies that are cut, large or endless, time and memory. */
const ignored = [
  "tests/client/max_body_bytes_test.ts",
  "tests/client/memory_test.ts",
  "tests/client/timeout_test.ts",
  "tests/retry/cut_connections_test.ts",
];

const root = new URL("../../", import.meta.url);

/** The project's configuration, except for one entry point. */
const slimConfig = {
  imports: {
    ...config.imports,
    ...Object.fromEntries(
      Object.entries(config.exports).map(([door, file]) => [`${config.name}${door.slice(1)}`, `../../${file}`]),
    ),
    "@scope/api/client": "../../tests/slim/client.ts",
  },
  links: config.links.map((link) => `../../${link}`),
  compilerOptions: config.compilerOptions,
};

Deno.test("the tests of clients, retries and queries pass with slim contracts instead of whole ones", async () => {
  const reports = new URL(".reports/", root);
  await Deno.mkdir(reports, { recursive: true });
  const folder = await Deno.makeTempDir({ dir: reports.pathname });
  try {
    const path = `${folder}/deno.json`;
    await Deno.writeTextFile(path, JSON.stringify(slimConfig));
    const listed = (await Promise.all(folders.map((each) => listFiles(each)))).flat().filter(isTest);
    const suite = [...files, ...listed].filter((file) => !ignored.includes(file));
    const args = [
      "test",
      `--config=${path}`,
      "--allow-all",
      "--no-check",
      "--quiet",
      "--unstable-unsafe-proto",
      "--parallel",
      "--no-lock",
      ...await writeRealms(folder, suite),
    ];
    const { code, stdout, stderr } = await runDeno(args);

    assertEquals(code, 0, stdout + stderr);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
