/** The lines of docs/frameworks.md in the frameworks that Node runs without a build. */
import { assertEquals } from "@std/assert";
import { start } from "../../support/processes.ts";
import { run } from "../command.ts";
import { emptyFolder, install, nodePath, tarball } from "../kit.ts";
import { once } from "../once.ts";
import { testBuiltFrameworks } from "./built_frameworks.ts";
import { readmeFile, readPage } from "./pages.ts";

const files = ["api.ts", "hono.ts", "express.ts", "fastify.ts"] as const;
const packages = ["zod@4", "srvx@^1.0.8", "hono@4", "@hono/node-server@^2.1.8", "express@5", "fastify@5"];

const folder: () => Promise<string> = once(async () => {
  const cwd = await emptyFolder("frameworks");
  const page = readPage("docs/frameworks.md");
  for (const name of files) await Deno.writeTextFile(`${cwd}/${name}`, readmeFile(name, page));
  // prints the port that the system chose, when a server of the process listens
  await Deno.writeTextFile(`${cwd}/listening.mjs`, announce);
  await Deno.writeTextFile(`${cwd}/package.json`, JSON.stringify({ type: "module" }));
  await install(cwd, [await tarball(), ...packages]);
  return cwd;
});

const announce = `
import { Server } from "node:net";
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once("listening", () => console.log("listening on " + this.address().port));
  return listen.apply(this, args);
};
`;

/** Serves the handler inside each framework. */
export function testFrameworks(): void {
  for (const name of files.slice(1)) {
    Deno.test(`docs/frameworks.md: ${name} serves the handler and the framework's own routes`, async () => {
      const cwd = await folder();
      const args = ["--import", `${cwd}/listening.mjs`, `${cwd}/${name}`];
      await using server = await start(await nodePath("24"), args, /listening on (\d+)/, { PORT: "0" });
      const ask = async (method: string, path: string, body?: object): Promise<readonly [number, string]> => {
        const headers = body && { "content-type": "application/json" };
        const answer = await fetch(`http://localhost:${server.found[1]}/api/${path}`, {
          method,
          ...(body && { body: JSON.stringify(body), headers: headers! }),
        });
        return [answer.status, (await answer.text()).slice(0, 14)];
      };
      assertEquals(await ask("GET", "old"), [200, "old"]);
      assertEquals(await ask("GET", "users/42"), [200, '{"name":"Ada"}']);
      assertEquals((await ask("GET", "users/a%2Fb"))[0], 404);
      assertEquals(await ask("PATCH", "users/42", { name: "Bo" }), [200, '{"name":"Bo"}']);
      assertEquals((await ask("PATCH", "users/42", { name: "" }))[0], 400);
      assertEquals((await ask("DELETE", "users/42"))[0], name === "hono.ts" ? 405 : 404); // the others answer it themselves
      assertEquals((await ask("GET", "none"))[0], 404);
    });
  }
  Deno.test("Express and Hono: a body that they have read is a 500 with its remedy, and any other is read", async () => {
    const cwd = await folder();
    const program = new URL("../entries/taken_bodies.js", import.meta.url);
    await Deno.copyFile(program, `${cwd}/taken_bodies.js`);
    assertEquals(JSON.parse(await run({ command: await nodePath("24"), args: ["taken_bodies.js"], cwd })), {
      results: {
        "srvx": [200],
        "srvx after a parser": [500],
        "@hono/node-server": [200],
        "@hono/node-server after a parser": [500],
        "Hono after its middleware": [500],
        "Hono with a copy": [200],
      },
      reported: 30,
    });
  });
  testBuiltFrameworks();
}
