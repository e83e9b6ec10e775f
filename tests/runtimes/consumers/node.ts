/** `@scope/api/node` on each version of Node, and inside the frameworks that use Node's own messages. */
import { assertEquals } from "@std/assert";
import { checkAlone } from "../../node/alone_check.ts";
import { checks } from "../../node/checks.ts";
import { bundleForNode, startServers, takeReports } from "../../node/node_program.ts";
import { freePort, run, startAt } from "../command.ts";
import { emptyFolder, everyVersion, install, nodePath, oldest, tarball } from "../kit.ts";
import { advance } from "../once.ts";
import { firstBlock, readPage } from "./pages.ts";

const frameworks = ["express@5", "express4@npm:express@4", "connect@3", "fastify@5"];
const nest = ["@nestjs/core@11", "@nestjs/common@11", "@nestjs/platform-express@11", "reflect-metadata", "rxjs@7"];

/** Calls servers of Node, and an application of each framework. */
export function testNode(): void {
  for (const version of [oldest.node, ...everyVersion ? ["22"] : [], "24"]) {
    Deno.test(`@scope/api/node on Node ${version}: what its own tests check`, async (test) => {
      const folder = await emptyFolder(`node ${version}`);
      const node = await nodePath(version);
      await using servers = await startServers(node, await bundleForNode("program.ts", folder));
      for (const [name, check] of Object.entries(checks)) {
        await takeReports(servers);
        await test.step(name, () => check(servers));
      }
      await test.step("HTTP/2, HTTPS, nothing native, slow readers", async () => {
        await checkAlone(node, await bundleForNode("alone.ts", folder));
      });
    });
  }

  Deno.test("@scope/api/node inside Express, Connect, Fastify and NestJS: routes, parsed bodies, and what goes on", async () => {
    const cwd = await emptyFolder("mounted");
    await Deno.writeTextFile(`${cwd}/package.json`, JSON.stringify({ type: "module" }));
    await install(cwd, [await tarball(), "zod@4", ...frameworks, ...nest]);
    await Deno.copyFile(new URL("../entries/mounted.js", import.meta.url), `${cwd}/mounted.js`);
    for (const version of ["20", "24"]) {
      const { found, errors } = JSON.parse(await run({ command: await nodePath(version), args: ["mounted.js"], cwd }));
      assertEquals(errors, []);
      assertEquals(Object.keys(found), [
        "Express 5",
        "Express 5 after its parsers",
        "Express 4",
        "Express 4 after its parsers",
        "Express 5 with a router",
        "Connect",
        "Fastify",
        "NestJS",
        "NestJS after its parsers",
      ]);
      for (const [name, answers] of Object.entries(found)) assertEquals([name, answers], [name, everywhere]);
    }
  });

  Deno.test("the code of NestJS in its guide compiles, and answers as the guide says", advance(testNestGuide));
}

const nestOptions = {
  strict: true,
  module: "nodenext",
  target: "es2023",
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  types: ["node"],
};

/** Serves the application of the guide, and asks it for each of its routes. */
async function testNestGuide(): Promise<void> {
  const cwd = await emptyFolder("nest guide");
  const port = freePort();
  const packages = [...nest, "class-validator", "class-transformer", "typescript@5.9", "@types/node@24"];
  await Deno.writeTextFile(`${cwd}/package.json`, JSON.stringify({ type: "module" }));
  await install(cwd, packages);
  const code = firstBlock(readPage("docs/coming-from-nestjs.md"), "ts");
  await Deno.writeTextFile(`${cwd}/users.ts`, code.replace("8000", `${port}, "127.0.0.1"`));
  await Deno.writeTextFile(`${cwd}/tsconfig.json`, JSON.stringify({ compilerOptions: nestOptions }));
  await run({ command: `${cwd}/node_modules/.bin/tsc`, args: ["-p", "."], cwd });

  const url = `http://127.0.0.1:${port}/api/users`;
  const { stop } = await startAt(url, { command: await nodePath("24"), args: ["users.js"], cwd });
  const rename = async (token: string, name: string): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ name, undeclared: true });
    return await textOf(await fetch(`${url}/42`, { method: "PATCH", headers, body }));
  };
  try {
    assertEquals(await textOf(await fetch(`${url}/42`)), '200 {"name":"Ada"}');
    const missing = '404 {"message":"No such user","error":"Not Found","statusCode":404}';
    assertEquals(await textOf(await fetch(`${url}/7`)), missing);
    assertEquals((await rename("wrong", "Grace")).slice(0, 3), "403");
    assertEquals((await rename("secret", "")).slice(0, 3), "400");
    assertEquals(await rename("secret", "Grace"), '200 {"name":"Grace"}');
  } finally {
    await stop();
  }
}

async function textOf(response: Response): Promise<string> {
  return `${response.status} ${await response.text()}`;
}

/** What the same requests receive in each framework. */
const everywhere = {
  "a route": "200 you are Ada",
  "JSON": "200 a",
  "invalid JSON": "400 invalid-request",
  "a form": "200 b",
  "a text": "200 c",
  "another path": "200 old GET /api/old",
  "another method": "200 old DELETE /api/me",
  "a route that has not moved": "200 old PUT /api/me",
  "a refused path": "401 refused",
  "a refused path with a dot segment": "200 old GET /api/x/../admin/1",
  "a refused path with an escape": "200 old GET /api/%61dmin/1",
};
