import { assertRejects } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { run } from "../command.ts";
import { emptyFolder, jsrCopy, packageName } from "../kit.ts";
import { advance } from "../once.ts";

const contract = `import { defineContract, response, route, router } from "${packageName}";
import * as z from "zod";

const User = z.object({ id: z.string(), name: z.string().optional() });
const byId = route.get("/:id", { responses: { 200: response.json(User), 404: response.problem() } });
export const contract = defineContract({ routes: { users: router("/users", { routes: { byId } }) } });
`;

/** Checks, as `deno publish` does, that a package with a contract has no slow types once its interface is written. */
export function testPublishing(): void {
  Deno.test(
    "a contract with the interface that scope-api-types writes can be published on JSR",
    advance(async () => {
      const cwd = await emptyFolder("publishing");
      const imports = { [packageName]: `jsr:${packageName}@^${config.version}`, zod: "npm:zod@4" };
      const about = { name: "@acme/contract", version: "1.0.0", license: "MIT", exports: "./contract.ts" };
      await Deno.writeTextFile(`${cwd}/deno.json`, JSON.stringify({ ...about, imports, links: [await jsrCopy()] }));
      await Deno.writeTextFile(`${cwd}/contract.ts`, contract);
      const deno = { command: Deno.execPath(), cwd };
      const publish = { ...deno, args: ["publish", "--dry-run", "--allow-dirty"] };
      const unchecked = { ...publish, args: [...publish.args, "--no-check"] }; // which looks for slow types all the same
      await assertRejects(() => run(unchecked), Error, "missing-explicit-type");

      await run({
        ...deno,
        args: ["run", "--allow-all", `jsr:${packageName}@^${config.version}/types/cli`, "contract.ts"],
      });
      const declared = contract.replace("const contract =", "const contract: Api =");
      await Deno.writeTextFile(`${cwd}/contract.ts`, `import type { Api } from "./contract.types.ts";\n${declared}`);
      await run(publish);
    }),
  );
}
