import {
  codec,
  type Contract,
  defineContract,
  representation,
  request,
  response,
  route,
  router,
  security,
} from "@scope/api";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type } from "arktype";
import { type CodecsModule, writeSlimContract } from "../../src/tools/slim/write_slim_contract.ts";

const Day = codec(type({ day: "string" }), type({ day: "Date" }), {
  decode: ({ day }) => ({ day: new Date(day) }),
  encode: ({ day }) => ({ day: day.toISOString() }),
});
const csv = representation<string>({ contentType: "text/csv", encode: String, decode: () => "" });
const Name = type({ name: "string" });

function write(contract: Contract, exports?: CodecsModule["exports"], name = "contract"): string {
  return writeSlimContract(contract, {
    name,
    contract: "./contract.ts",
    codecs: exports && { path: "./codecs.ts", specifier: "./codecs.ts", exports },
    library: "@scope/api/slim",
  });
}

/** The file without its first line, which names its source. */
function writeBody(...given: Parameters<typeof write>): string {
  return write(...given).split("\n").slice(1).join("\n");
}

Deno.test("writeSlimContract() writes the method, path, slots, responses and schemes of each route", () => {
  const contract = defineContract({
    basePath: "/api",
    security: [security.bearer("token", { scopes: ["write"] }).scoped("write"), security.none],
    routes: {
      list: route.get("/users", {
        query: Name,
        headers: Name,
        responses: { 200: response.json(Name), 404: response.empty() },
      }),
      days: router("/days/:id", {
        security: [security.custom("signed", { challenge: "Sig", openapi: { type: "mutualTLS" } })],
        routes: {
          add: route.post("/", {
            params: type({ id: "string" }),
            query: Day,
            body: request.json(Day, { optional: true, maxBytes: 100, contentType: "application/day+json" }),
            responses: { 201: response.sse(Day, { headers: Day }), 409: response.problem(Name) },
          }),
        },
      }),
      download: route.get("/files", {
        security: [
          security.apiKey("key", { header: "x-key" }),
          security.cookie("session", { cookie: "sid" }),
          security.basic("login"),
        ],
        responses: { 200: response.bytes({ contentType: ["image/png", "image/jpeg"] }), 206: response.as(csv) },
      }),
      upload: route.put("/files", {
        security: [security.bearer("proof", { scheme: "DPoP" })],
        body: request.stream(),
        responses: { 200: response.stream(), 202: response.text() },
      }),
      rows: route.post("/rows", { body: request.ndjson(Day), responses: { 200: response.ndjson(Name) } }),
    },
  });

  assertEquals(
    writeBody(contract, { Day, csv }),
    `import * as slim from "@scope/api/slim";
import type { contract as whole } from "./contract.ts";
import * as codecs from "./codecs.ts";

export const contract: slim.SlimContract<typeof whole> = slim.slimContract<typeof whole>({
  list: ["GET", "/api/users", { query: 1, headers: 1 }, { 200: slim.json, 404: slim.empty }, ["token"]],
  days: {
    add: [
      "POST",
      "/api/days/:id",
      {
        params: 1,
        query: codecs.Day,
        body: [slim.json, { schema: codecs.Day, contentType: "application/day+json", optional: true, maxBytes: 100 }],
      },
      { 201: [slim.sse, { schema: codecs.Day, headers: codecs.Day }], 409: [slim.problem, { schema: 1 }] },
      ["signed"],
    ],
  },
  download: [
    "GET",
    "/api/files",
    {},
    { 200: [slim.bytes, { contentType: ["image/png", "image/jpeg"] }], 206: slim.as(codecs.csv) },
    ["key", "session", "login"],
  ],
  upload: [
    "PUT",
    "/api/files",
    { body: slim.requestStream },
    { 200: slim.responseStream, 202: slim.responseText },
    ["proof"],
  ],
  rows: ["POST", "/api/rows", { body: [slim.requestNdjson, { schema: codecs.Day }] }, { 200: slim.ndjson }, ["token"]],
}, {
  key: slim.apiKeyCredential("x-key"),
  login: slim.basicCredential,
  proof: slim.bearerCredential("DPoP"),
  session: slim.cookieCredential("sid"),
  signed: undefined,
  token: slim.bearerCredential(),
});
`,
  );
});

const one = (responses: { 200: ReturnType<typeof response.json> }): Contract =>
  defineContract({ routes: { one: route.get("/", { responses }) } });

Deno.test("writeSlimContract() writes the same text every time", () => {
  const contract = one({ 200: response.json(Day) });

  assertEquals(write(contract, { Day }), write(contract, { Day }));
  assertEquals(write(contract, { Z: Day, Day }), write(contract, { Day, Z: Day })); // the first name of two
});

Deno.test("writeSlimContract() quotes keys that are not names, and keeps __proto__ an ordinary key", () => {
  const routes = {
    "by-id": route.get("/a", { responses: { 200: response.empty() } }),
    ["__proto__"]: route.get("/b", { responses: { 200: response.empty() } }),
    1: route.get("/c", { responses: { 200: response.empty() } }),
  };
  const text = write(defineContract({ routes }));

  assert(text.includes('  "by-id": ["GET", "/a", {}, { 200: slim.empty }],\n'), text);
  assert(text.includes('  ["__proto__"]: ["GET", "/b", {}, { 200: slim.empty }],\n'), text);
  assert(text.includes('  "1": ["GET", "/c", {}, { 200: slim.empty }],\n'), text);
});

Deno.test("writeSlimContract() refers to exports of any name", () => {
  const contract = one({ 200: response.json(Day) });

  for (const name of ["slim", "codecs", "json", "default"]) {
    assertStringIncludes(write(contract, { [name]: Day }), `{ 200: [slim.json, { schema: codecs.${name} }] }`);
  }
  assertStringIncludes(write(contract, { "a-b": Day }), '{ 200: [slim.json, { schema: codecs["a-b"] }] }');
});

Deno.test("writeSlimContract() exports a contract of any name", () => {
  const contract = one({ 200: response.json() });

  assertStringIncludes(write(contract, undefined, "json"), "\nexport const json: slim.SlimContract<typeof whole> =");
  for (const [name, local] of [["slim", "slim2"], ["whole", "whole2"], ["codecs", "codecs2"], ["delete", "delete_"]]) {
    const text = write(contract, undefined, name);
    assertStringIncludes(text, `import type { ${name} as whole } from "./contract.ts";\n`);
    assertStringIncludes(text, `\nconst ${local}: slim.SlimContract<typeof whole> = slim.slimContract<typeof whole>({`);
    assertStringIncludes(text, `\nexport { ${local} as ${name} };\n`);
  }
});

for (
  const [what, contract] of Object.entries({
    "the codec of the response 200 of one": one({ 200: response.json(Day) }),
    "the codec of the headers of the response 200 of one": one({ 200: response.json(Name, { headers: Day }) }),
    "the representation of the response 200 of one": one({ 200: response.as(csv) as never }),
    "the codec of the query of a.b": defineContract({
      routes: {
        a: router("/a", { routes: { b: route.get("/", { query: Day, responses: { 200: response.empty() } }) } }),
      },
    }),
    "the codec of the body of add": defineContract({
      routes: { add: route.post("/", { body: Day, responses: { 200: response.empty() } }) },
    }),
    "the representation of the body of add": defineContract({
      routes: { add: route.post("/", { body: request.as(csv), responses: { 200: response.empty() } }) },
    }),
  })
) {
  Deno.test(`writeSlimContract() explains that ${what} must be exported`, () => {
    const copy = codec(Day.wire, Day.application, { decode: Day.decode, encode: Day.encode });

    assertThrows(
      () => write(contract, { copy }),
      TypeError,
      `Cannot write the slim contract: ${what} must be exported by ./codecs.ts; export it`,
    );
    assertThrows(
      () => write(contract),
      TypeError,
      `${what} must be exported by a module; name the module by --codecs`,
    );
  });
}

Deno.test("writeSlimContract() refuses a value that is not a contract", () => {
  assertThrows(
    () => write({} as never),
    TypeError,
    "Cannot write the slim contract: the contract must be made by defineContract(), got an object",
  );
});

Deno.test("writeSlimContract() writes no code of a module path that has line breaks", () => {
  const contract = defineContract({ routes: { ping: route.get("/", { responses: { 204: response.empty() } }) } });
  for (const end of ["\n", "\r", "\u2028", "\u2029"]) {
    const path = `./a${end}alert(1);//.ts`;
    const written = writeSlimContract(contract, {
      name: "contract",
      contract: path,
      codecs: undefined,
      library: path,
    });
    const [first = "", second] = written.split(/[\n\r\u2028\u2029]/);
    assert(first.includes("alert(1)"), first);
    assert(second!.startsWith("import * as slim "), second);
  }
});
