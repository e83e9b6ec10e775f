/** Bodies that are longer than the longest text of a platform. */
import { assertEquals } from "@std/assert";
import { bundleForNode } from "../node/node_program.ts";
import { start } from "../support/processes.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

Deno.test("createNodeHandler() answers 400 to JSON of more than 512 MiB, and then goes on", () =>
  inTemporaryFolder(async (folder) => {
    await using server = await start("node", [await bundleForNode("unlimited_program.ts", folder)], /"port":(\d+)/);
    const send = async (body: BodyInit): Promise<string> => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`http://127.0.0.1:${server.found[1]}/json`, { method: "POST", headers, body });
      return `${response.status} ${(await response.text()).slice(0, 30)}`;
    };
    const chunks = Array.from({ length: 540 }, () => new Uint8Array(1024 * 1024).fill(97));
    assertEquals([await send(new Blob(chunks)), await send('{"name":"Ada"}')].map((answer) => answer.slice(0, 3)), [
      "400",
      "200",
    ]);
  }));
