import { assertEquals, assertLessOrEqual } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { type Bundle, bundle } from "./support/bundle.ts";

/** The allowed contents of a bundle of some entry points. */
interface Budget {
  /** The entry points, as deno.json names them. */
  readonly doors: readonly string[];
  /** The folders of `src` that it has files of; `base` is `src` itself. */
  readonly layers: readonly string[];
  /** The most bytes, minified. */
  readonly maxBytes: number;
  /** The most bytes, minified and in gzip. */
  readonly maxGzipBytes: number;
}

/**
 * Each budget is the current size, rounded up. Of contract, client, and contract, server and fetch together, the messages
 * of errors take 1.0, 0.9 and 1.8 KiB in gzip.
 */
const budgets: Readonly<Record<string, Budget>> = {
  contract: {
    doors: ["."],
    layers: ["base", "contract", "representation", "wire"],
    maxBytes: 53_480,
    maxGzipBytes: 19_980,
  },
  request: {
    doors: ["./request"],
    layers: ["base", "contract", "representation", "wire"],
    maxBytes: 13_260,
    maxGzipBytes: 5_260,
  },
  response: {
    doors: ["./response"],
    layers: ["base", "contract", "representation", "wire"],
    maxBytes: 16_480,
    maxGzipBytes: 6_830,
  },
  client: {
    doors: ["./client"],
    layers: ["base", "client", "contract", "representation", "wire"],
    maxBytes: 25_110,
    maxGzipBytes: 10_180,
  },
  connect: {
    doors: ["./connect"],
    layers: ["base", "client", "connect", "contract", "representation", "retry", "wire"],
    maxBytes: 19_200,
    maxGzipBytes: 7_670,
  },
  retry: { doors: ["./retry"], layers: ["base", "client", "retry", "wire"], maxBytes: 8_320, maxGzipBytes: 3_830 },
  "tanstack-query": {
    doors: ["./tanstack-query"],
    layers: ["base", "client", "tanstack_query", "wire"],
    maxBytes: 6_040,
    maxGzipBytes: 2_670,
  },
  webhooks: {
    doors: ["./webhooks"],
    layers: ["base", "client", "contract", "representation", "webhooks", "wire"],
    maxBytes: 29_340,
    maxGzipBytes: 12_010,
  },
  publisher: { doors: ["./publisher"], layers: ["base", "publisher"], maxBytes: 3_680, maxGzipBytes: 1_720 },
  proxy: { doors: ["./proxy"], layers: ["base", "proxy", "wire"], maxBytes: 6_510, maxGzipBytes: 3_160 },
  xhr: { doors: ["./xhr"], layers: ["base", "xhr"], maxBytes: 3_570, maxGzipBytes: 1_670 },
  server: {
    doors: ["./server"],
    layers: ["base", "contract", "representation", "server", "wire"],
    maxBytes: 23_970, // of which `verify()` takes 11,300: it carries what authenticates callers, and not `./fetch`
    maxGzipBytes: 9_820,
  },
  fetch: {
    doors: ["./fetch"],
    layers: ["base", "contract", "fetch", "representation", "server", "wire"],
    maxBytes: 65_290,
    maxGzipBytes: 25_560,
  },
  node: {
    doors: ["./node"],
    layers: ["base", "contract", "node", "representation", "server", "wire"],
    maxBytes: 76_310,
    maxGzipBytes: 29_700,
  },
  "contract, server and node": {
    doors: [".", "./server", "./node"],
    layers: ["base", "contract", "node", "representation", "server", "wire"],
    maxBytes: 134_200,
    maxGzipBytes: 50_620,
  },
  openapi: {
    doors: ["./openapi"],
    layers: ["base", "contract", "json_schema", "openapi", "representation", "wire"],
    maxBytes: 77_800,
    maxGzipBytes: 29_740,
  },
  mock: {
    doors: ["./mock"],
    layers: ["base", "contract", "fetch", "json_schema", "mock", "openapi", "representation", "server", "wire"],
    maxBytes: 155_780,
    maxGzipBytes: 60_450,
  },
  testing: {
    doors: ["./testing"],
    layers: [
      "base",
      "client",
      "contract",
      "fetch",
      "json_schema",
      "openapi",
      "representation",
      "server",
      "testing",
      "wire",
    ],
    maxBytes: 236_650,
    maxGzipBytes: 88_860,
  },
  audit: { // contract tests and the import, with reports of its own
    doors: ["./audit"],
    layers: [
      "audit",
      "base",
      "code",
      "contract",
      "fetch",
      "import",
      "json_schema",
      "openapi",
      "representation",
      "server",
      "testing",
      "wire",
    ],
    maxBytes: 414_460,
    maxGzipBytes: 152_310,
  },
  mcp: {
    doors: ["./mcp"],
    layers: ["base", "client", "contract", "json_schema", "mcp", "openapi", "representation", "wire"],
    maxBytes: 57_590,
    maxGzipBytes: 22_620,
  },
  // In gzip, proofs and validation by JSON Schema take 11.2 KB, the values that are tried 7.5, and the document of a
  // contract that is compared with another document 8.5.
  diff: {
    doors: ["./diff"],
    layers: ["base", "contract", "diff", "import", "json_schema", "openapi", "representation", "wire"],
    maxBytes: 199_240,
    maxGzipBytes: 73_670,
  },
  import: {
    doors: ["./import"],
    layers: ["base", "code", "contract", "import", "json_schema", "openapi", "representation", "slim", "wire"],
    maxBytes: 245_610,
    maxGzipBytes: 87_900,
  },
  types: { // which has types alone
    doors: ["./types"],
    layers: [],
    maxBytes: 10,
    maxGzipBytes: 30,
  },
  socket: {
    doors: ["./socket"],
    layers: ["base", "contract", "representation", "server", "socket", "wire"],
    maxBytes: 25_190,
    maxGzipBytes: 9_960,
  },
  slim: {
    doors: ["./slim"],
    layers: ["base", "contract", "representation", "slim", "wire"],
    maxBytes: 23_850,
    maxGzipBytes: 9_360,
  },
  "contract, server and fetch": {
    doors: [".", "./server", "./fetch"],
    layers: ["base", "contract", "fetch", "representation", "server", "wire"],
    maxBytes: 123_140,
    maxGzipBytes: 46_390,
  },
};

/**
 * The bundles of pages, contract and client together. A page of JSON routes does not include any other representation.
 * Besides a client, it contains the checks of declarations, which throw where a declaration is made. In bytes of gzip:
 * routes, routers and inheritance 940, paths 600, bodies and responses 800, options 390,
 * deprecation 360, security 300, docs 80.
 */
const pages: Readonly<
  Record<string, { readonly imports: string; readonly uses: string; readonly maxGzipBytes: number }>
> = {
  "that uses every representation": {
    imports: `import { request, response } from "@scope/api";`,
    uses: "request, response",
    maxGzipBytes: 19_670,
  },
  "of JSON routes": {
    imports: `import * as request from "@scope/api/request"; import * as response from "@scope/api/response";`,
    uses: "request.json, response.json",
    maxGzipBytes: 14_090,
  },
  "with a representation of its own": {
    imports: `
      import { representation } from "@scope/api";
      import * as request from "@scope/api/request";
      import * as response from "@scope/api/response";`,
    uses: "representation, request.as, response.as",
    maxGzipBytes: 14_560,
  },
};

for (const [name, { imports, uses, maxGzipBytes }] of Object.entries(pages)) {
  Deno.test(`a page ${name} keeps its byte budget, with its contract and client`, async () => {
    const { gzipBytes, files } = await bundle(`
      import { defineContract, route, router } from "@scope/api";
      import { ClientError, createClient, unwrap } from "@scope/api/client";
      ${imports}
      console.log(${uses}, defineContract, route, router, ClientError, createClient, unwrap);`);
    console.log(`a page ${name}: ${gzipBytes} bytes in gzip, of ${files.length} files`);

    assertLessOrEqual(gzipBytes, maxGzipBytes);
  });
}

const clientOfPage = `import { ClientError, createClient, unwrap } from "@scope/api/client";
  import { json, slimContract } from "@scope/api/slim";`;

/**
 * Its parts, in bytes of gzip: reading bodies within limits 820, functions that run around calls 700,
 * checks of options and inputs 680, path and query 630, errors that describe a response 620, lossless JSON 420, results
 * and errors 290, signals and timeouts 280, declared statuses and types 280, codecs 210, calls that cannot lead to
 * another route 190, `url()` and `request()` 180; the remainder is the call itself.
 */
const maxSlimPage = 9_850;

Deno.test("a page of JSON routes keeps its byte budget, with its slim contract and client", async () => {
  const { code, gzipBytes, files } = await bundle(
    `${clientOfPage} console.log(json, slimContract, ClientError, createClient, unwrap);`,
  );
  console.log(`a page with a slim contract: ${gzipBytes} bytes in gzip, of ${files.length} files`);

  assertLessOrEqual(gzipBytes, maxSlimPage);
  assertEquals(files.filter((file) => /^src\/(?:representation|tools\/slim)\/(?!mod)/.test(file)).toSorted(), [
    "src/representation/whole_body.ts",
    "src/tools/slim/slim_contract.ts",
  ]);
  assertEquals(formatsIn(code), ["application/json"]);
});

Deno.test("a page that uses operations of an import without schemas contains those alone, and is below 12 KiB", async () => {
  const folder = new URL("../examples/import/slim/", import.meta.url).href;
  const { gzipBytes, files } = await bundle(`
    import { createClient } from "@scope/api/client";
    import { slimRoutes } from "@scope/api/slim";
    import { get, list } from "${folder}products.ts";
    console.log(createClient(slimRoutes({ get, list }), { baseUrl: "/" }));`);
  console.log(`a page with operations of an import: ${gzipBytes} bytes in gzip, of ${files.length} files`);

  assertEquals(files.filter((file) => file.startsWith("examples/")), ["examples/import/slim/products.ts"]);
  assertLessOrEqual(gzipBytes, 9_980);
});

Deno.test("slimContract() adds at most 0.5 KiB to a client, and 25 bytes per route", async () => {
  const page = (uses: string): Promise<Bundle> => bundle(`${clientOfPage} console.log(createClient, json, ${uses});`);
  const rows = Array.from({ length: 100 }, (_, index) => {
    const group = `group${index - index % 5}`;
    return [
      `list${index}: ["GET", "/api/${group}", { query: 1 }, { 200: json }]`,
      `create${index}: ["POST", "/api/${group}", { body: json }, { 201: json, 409: json }]`,
      `byId${index}: ["GET", "/api/${group}/:id", {}, { 200: json, 404: json }]`,
      `rename${index}: ["PATCH", "/api/${group}/:id", { params: 1, body: json }, { 200: json, 404: json }]`,
      `archive${index}: ["POST", "/api/${group}/:id/archive", {}, { 200: json, 404: json, 409: json }]`,
    ][index % 5];
  });
  const [client, empty, full] = await Promise.all(
    ["1", "slimContract({})", `slimContract({ ${rows.join(", ")} })`].map(page),
  );
  const own = empty!.gzipBytes - client!.gzipBytes;
  const perRoute = (full!.gzipBytes - empty!.gzipBytes) / rows.length;
  console.log(`slimContract(): ${own} bytes in gzip, ${perRoute} for each of ${rows.length} routes`);

  assertLessOrEqual(own, 512);
  assertLessOrEqual(perRoute, 25);
});

/** The most bytes in gzip that each adds to a page with a client and events. */
const additions = { retry: 920, follow: 1_620 };

for (const [name, maxGzipBytes] of Object.entries(additions)) {
  Deno.test(`${name}() keeps its byte budget on top of a client with events`, async () => {
    const page = `import * as response from "@scope/api/response"; import { createClient } from "@scope/api/client";`;
    const without = await bundle(`${page} console.log(createClient, response.sse);`);
    const added = `import { ${name} } from "@scope/api/retry"; console.log(${name});`;
    const { gzipBytes } = await bundle(`${page} ${added} console.log(createClient, response.sse);`);
    console.log(`${name}: ${gzipBytes - without.gzipBytes} bytes in gzip`);

    assertLessOrEqual(gzipBytes - without.gzipBytes, maxGzipBytes);
  });
}

Deno.test("connect() keeps its byte budget on top of a client with sockets", async () => {
  const page = `import * as response from "@scope/api/response"; import { createClient } from "@scope/api/client";`;
  const without = await bundle(`${page} console.log(createClient, response.socket);`);
  const added = `import { connect } from "@scope/api/connect"; console.log(connect);`;
  const { gzipBytes } = await bundle(`${page} ${added} console.log(createClient, response.socket);`);
  console.log(`connect: ${gzipBytes - without.gzipBytes} bytes in gzip`);

  assertLessOrEqual(gzipBytes - without.gzipBytes, 5_360);
});

Deno.test("mcpTools() keeps its byte budget on top of a client and a document", async () => {
  const both =
    `import { createClient } from "@scope/api/client"; import { openApiDocument } from "@scope/api/openapi";`;
  const without = await bundle(`${both} console.log(createClient, openApiDocument);`);
  const added = `import { mcpTools } from "@scope/api/mcp";`;
  const { gzipBytes } = await bundle(`${both} ${added} console.log(createClient, openApiDocument, mcpTools);`);
  console.log(`mcpTools: ${gzipBytes - without.gzipBytes} bytes in gzip`);

  assertLessOrEqual(gzipBytes - without.gzipBytes, 3_440);
});

/** Returns the default media types of the representations that code contains. */
function formatsIn(code: string): string[] {
  const types = ["application/json", "text/plain", "application/octet-stream", "application/problem+json"];
  const others = [
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/x-ndjson",
    "text/event-stream",
  ];
  return [...types, ...others].filter((type) => code.includes(`contentType:"${type}`));
}

Deno.test("a page of JSON routes contains no other representation", async () => {
  const { code, files } = await bundle(`
    import * as request from "@scope/api/request";
    import * as response from "@scope/api/response";
    import { createClient } from "@scope/api/client";
    console.log(request.json, response.json, createClient);`);

  assertEquals(files.filter((file) => file.startsWith("src/representation/")).toSorted(), [
    "src/representation/representation.ts",
    "src/representation/whole_body.ts",
  ]);
  assertEquals(formatsIn(code), ["application/json"]);
});

Deno.test("a page with a custom representation contains no unused ones", async () => {
  const { code, files } = await bundle(`
    import { representation } from "@scope/api";
    import * as request from "@scope/api/request";
    import * as response from "@scope/api/response";
    import { createClient } from "@scope/api/client";
    console.log(representation, request.as, response.as, createClient);`);

  assertEquals(files.filter((file) => file.startsWith("src/representation/")).toSorted(), [
    "src/representation/representation.ts",
    "src/representation/whole_body.ts",
  ]);
  assertEquals(formatsIn(code), []);
});

/** The most bytes in gzip that an unused contract may leave in a bundle. */
const maxUnused = 100;

for (const [name, { doors, layers, maxBytes, maxGzipBytes }] of Object.entries(budgets)) {
  Deno.test(`a bundle of ${name} keeps its layers and its byte budget`, async () => {
    const names = doors.map((door) => `${config.name}${door.slice(1)}`);
    const { files, bytes, gzipBytes } = await bundle(names.map((door) => `export * from "${door}";`).join("\n"));
    console.log(`${name}: ${bytes} bytes, ${gzipBytes} in gzip, of ${files.length} files: ${files.join(" ")}`);

    assertEquals(
      [...new Set(files.filter((file) => file.startsWith("src/") && !file.endsWith("/mod.ts")).map(layerOf))]
        .toSorted(),
      layers,
    );
    assertLessOrEqual(bytes, maxBytes);
    assertLessOrEqual(gzipBytes, maxGzipBytes);
  });
}

/** The layer of a file: its folder, or the base. */
function layerOf(file: string): string {
  const [, layer = "base"] = file.match(/^src\/(?:tools\/|integrations\/)?([^/]+)\//) ?? [];
  return layer;
}

/**
 * What such a server does not use, in bytes of gzip: bodies other than JSON and text 1,800, streams and items 2,100, CORS
 * 1,600, middleware 1,300, refusals 1,000, native responses 800. A contract is shared with pages, so that no
 * declaration brings code of a server. Options and methods are data and names, so that they bring none, either.
 */
const maxJsonServer = 31_580;

Deno.test("a server without security contains no code that authenticates callers", async () => {
  const { gzipBytes, files } = await bundle(`
    import { defineContract, route } from "@scope/api";
    import * as request from "@scope/api/request";
    import * as response from "@scope/api/response";
    import { createFetchHandler } from "@scope/api/fetch";
    import { defineServer } from "@scope/api/server";
    console.log(defineContract, route, request.json, response.json, createFetchHandler, defineServer);`);
  console.log(`a server of JSON routes: ${gzipBytes} bytes in gzip, of ${files.length} files`);

  assertEquals(files.filter((file) => /authenticate|verif/.test(file)), []);
  assertLessOrEqual(gzipBytes, maxJsonServer);
});

/** The aim is 9 KiB. Reading and checking JSON Schema alone takes 7 KiB, and every valid sample needs it. */
const maxMockBytes = 29_920;

Deno.test("a mock keeps its byte budget on top of a server's", async () => {
  const adapter = `export * from "@scope/api/fetch"; export * from "@scope/api/server";`;
  const [alone, both] = await Promise.all([bundle(adapter), bundle(`${adapter} export * from "@scope/api/mock";`)]);
  console.log(`a mock beside its adapter: ${both.gzipBytes - alone.gzipBytes} bytes in gzip`);

  assertLessOrEqual(both.gzipBytes - alone.gzipBytes, maxMockBytes);
});

Deno.test("every entry point has its own byte budget", () => {
  const alone = Object.values(budgets).filter(({ doors }) => doors.length === 1).flatMap(({ doors }) => doors);

  const doors = Object.entries(config.exports).filter(([, file]) => !file.endsWith("/cli.ts")).map(([door]) => door); // a program is in no bundle
  assertEquals(alone.toSorted(), doors.toSorted());
});

Deno.test("an unused import leaves nothing in a bundle", async () => {
  const { bytes } = await bundle(`import { route } from "@scope/api";`);

  assertEquals(bytes, 0);
});

Deno.test("an import for side effects leaves little in a bundle", async () => {
  const { gzipBytes } = await bundle(`import "@scope/api";`);
  console.log(`unused: ${gzipBytes} bytes in gzip`);

  assertLessOrEqual(gzipBytes, maxUnused);
});
