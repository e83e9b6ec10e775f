import { assertEquals, assertLessOrEqual } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { bundle } from "./bundle.ts";

/** What a bundle of some doors may have in it. */
interface Budget {
  /** The doors, as deno.json names them. */
  readonly doors: readonly string[];
  /** The folders of `src` that it has files of; `base` is `src` itself. */
  readonly layers: readonly string[];
  /** The most bytes, minified. */
  readonly maxBytes: number;
  /** The most bytes, minified and in gzip. */
  readonly maxGzipBytes: number;
}

/**
 * The aims, in gzip, are 3 KiB for a contract, 3.5 KiB for a client, and 8 KiB for contract, server and fetch together. The
 * sentences of refusals alone are 1.0, 0.9 and 1.8 KiB of what there is.
 */
const budgets: Readonly<Record<string, Budget>> = {
  contract: { doors: ["."], layers: ["base", "contract"], maxBytes: 11_300, maxGzipBytes: 4400 },
  client: {
    doors: ["./client"],
    layers: ["base", "client", "contract", "wire"],
    maxBytes: 27_350,
    maxGzipBytes: 10_800,
  },
  server: { doors: ["./server"], layers: ["base", "server"], maxBytes: 2450, maxGzipBytes: 1100 },
  fetch: {
    doors: ["./fetch"],
    layers: ["base", "contract", "fetch", "server", "wire"],
    maxBytes: 35_700,
    maxGzipBytes: 13_400,
  },
  openapi: {
    doors: ["./openapi"],
    layers: ["base", "contract", "openapi", "wire"],
    maxBytes: 20_500,
    maxGzipBytes: 8300,
  },
  "contract, server and fetch": {
    doors: [".", "./server", "./fetch"],
    layers: ["base", "contract", "fetch", "server", "wire"],
    maxBytes: 48_450,
    maxGzipBytes: 17_750,
  },
};

/** The most bytes in gzip that may be left of a contract that nobody uses. The aim is nothing. */
const maxUnused = 100;

for (const [name, { doors, layers, maxBytes, maxGzipBytes }] of Object.entries(budgets)) {
  Deno.test(`a bundle of ${name} keeps to its layers and its size`, async () => {
    const names = doors.map((door) => `${config.name}${door.slice(1)}`);
    const { files, bytes, gzipBytes } = await bundle(names.map((door) => `export * from "${door}";`).join("\n"));
    console.log(`${name}: ${bytes} bytes, ${gzipBytes} in gzip, of ${files.length} files: ${files.join(" ")}`);

    assertEquals([...new Set(files.filter((file) => file.startsWith("src/")).map(layerOf))].toSorted(), layers);
    assertLessOrEqual(bytes, maxBytes);
    assertLessOrEqual(gzipBytes, maxGzipBytes);
  });
}

/** The layer of a file: its folder in `src`, or the base. */
function layerOf(file: string): string {
  const [, layer = "base"] = file.match(/^src\/([^/]+)\//) ?? [];
  return layer;
}

Deno.test("every door has a budget of its own", () => {
  const alone = Object.values(budgets).filter(({ doors }) => doors.length === 1).flatMap(({ doors }) => doors);

  const doors = Object.keys(config.exports).filter((door) => !door.endsWith("/cli")); // a program is in no bundle
  assertEquals(alone.toSorted(), doors.toSorted());
});

Deno.test("a name that is imported and not used leaves nothing in a bundle", async () => {
  const { bytes } = await bundle(`import { route } from "@scope/api";`);

  assertEquals(bytes, 0);
});

Deno.test("an import for its effects alone leaves little in a bundle, for there are none", async () => {
  const { gzipBytes } = await bundle(`import "@scope/api";`);
  console.log(`unused: ${gzipBytes} bytes in gzip`);

  assertLessOrEqual(gzipBytes, maxUnused);
});
