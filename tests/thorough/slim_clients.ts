import { assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { runDeno } from "../support/run_module.ts";

/** The tests that use `createClient`, and one that fails if it is the entry point's own. */
const suite = [
  "tests/slim/substitution.ts",
  "tests/client",
  "tests/retry",
  "tests/tanstack_query",
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
      Object.entries(config.exports).map(([door, file]) => [`${config.name}${door.slice(1)}`, `../${file}`]),
    ),
    "@scope/api/client": "../tests/slim/client.ts",
  },
  links: config.links.map((link) => `../${link}`),
  compilerOptions: config.compilerOptions,
};

Deno.test("the tests of clients, retries and queries pass with slim contracts instead of whole ones", async () => {
  const reports = new URL(".reports/", root);
  await Deno.mkdir(reports, { recursive: true });
  const path = await Deno.makeTempFile({ dir: reports.pathname, suffix: ".json" });
  try {
    await Deno.writeTextFile(path, JSON.stringify(slimConfig));
    const args = [
      "test",
      `--config=${path}`,
      "--allow-all",
      "--no-check",
      "--quiet",
      "--unstable-unsafe-proto",
      "--parallel",
      "--no-lock",
      ...ignored.map((file) => `--ignore=${file}`),
      ...suite,
    ];
    const { code, stdout, stderr } = await runDeno(args);

    assertEquals(code, 0, stdout + stderr);
  } finally {
    await Deno.remove(path);
  }
});
