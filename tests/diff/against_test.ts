/** The earlier versions that `--against` names: of packages, commits, URLs and files. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import type { Ran } from "../support/run_module.ts";
import { inTemporaryFolder } from "../support/temporary_folder.ts";

const root = new URL("../../", import.meta.url).pathname;

interface Run {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function spawn(program: string, args: readonly string[], { folder, env = {} }: Run): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

function diff(run: Run, ...args: readonly string[]): Promise<Ran> {
  const command = ["run", "-A", "--no-check", "--quiet", `--config=${root}deno.json`, `${root}src/tools/diff/cli.ts`];
  return spawn(Deno.execPath(), [...command, ...args], run);
}

/** A document with a text in its only response. */
function documentWith(type: string, version = "1.4.0"): string {
  const content = { "application/json": { schema: { type } } };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "It", version },
    paths: { "/a": { get: { operationId: "a", responses: { 200: { description: "", content } } } } },
  });
}

/** A module with the contract that {@linkcode documentWith} describes. */
function moduleWith(type: string): string {
  return `
    import { defineContract, response, route } from "${root}mod.ts";
    import * as z from "zod";
    import { it } from "./it.ts";
    export const contract = defineContract({
      routes: { a: route.get("/a", { responses: { 200: response.json(z.${type}()) } }) },
    });
  `;
}

/** What the command prints about a text that became a number. */
const broken = "breaking  response-widened  a  200  may be a number now  0\nwire: major, package: major\n";

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"];
  const { code, stderr } = await spawn("git", [...identity, ...args], { folder });
  assertEquals([code, code === 0 ? "" : stderr], [0, ""]);
}

async function commit(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(`${folder}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message=One");
}

Deno.test("diff/cli --against git: reads the same document at a ref, or another one", async () => {
  await inTemporaryFolder(async (folder) => {
    await git(folder, "init", "--quiet");
    const api = `${folder}/api`;
    await Deno.mkdir(api);
    await Deno.writeTextFile(`${api}/openapi.json`, documentWith("integer"));
    const first = await diff({ folder: api }, "openapi.json", "--against=git:HEAD");
    assertEquals(first, { code: 0, stdout: "No earlier version: git:HEAD\n", stderr: "" });

    await Deno.rename(`${api}/openapi.json`, `${api}/new.json`);
    await commit(folder, { "README.md": "It" });
    await Deno.rename(`${api}/new.json`, `${api}/openapi.json`);
    const second = await diff({ folder: api }, "openapi.json", "--against=git:HEAD~0");
    assertEquals(second, { code: 0, stdout: "No earlier version: git:HEAD~0\n", stderr: "" });

    await commit(folder, { "api/openapi.json": documentWith("string") });
    await git(folder, "tag", "v1.4.0");
    await Deno.writeTextFile(`${api}/openapi.json`, documentWith("integer"));
    for (const against of ["git:main", "git:v1.4.0:api/openapi.json", "git:v1.4.0:./openapi.json"]) {
      assertEquals(await diff({ folder: api }, "openapi.json", `--against=${against}`), {
        code: 1,
        stdout: broken,
        stderr: "",
      });
    }
    await Deno.symlink("api/openapi.json", `${folder}/link.json`);
    await Deno.symlink("/etc/passwd", `${folder}/outside.json`);
    await git(folder, "add", "link.json", "outside.json");
    await git(folder, "commit", "--quiet", "--message=Two");
    assertEquals((await diff({ folder: api }, "openapi.json", "--against=git:main:link.json")).stdout, broken);
    const refusals = {
      "git:main:outside.json": "outside.json at main is not a file, or is a link that does not lead to one",
      "git:--output=x": '"--output=x" is not a ref of git',
      "git:": '"" is not a ref of git',
      "git:main:": '"" is not a path in a repository; write it from its root, or begin it with ./',
      "git:main:../../etc/passwd": "../../etc/passwd is not in the repository",
      "git:v9": "the repository has no v9; fetch it first, in CI with the whole history (fetch-depth: 0)",
      "git:main:api": "api at main is not a file, or is a link that does not lead to one",
    };
    for (const [against, message] of Object.entries(refusals)) {
      assertEquals(await diff({ folder: api }, "openapi.json", `--against=${against}`), {
        code: 1,
        stdout: "",
        stderr: `Cannot compare contracts: ${message}\n`,
      });
    }
  });
});

Deno.test("diff/cli --against git: runs the module of a ref only with --run, and reads the document beside it else", async () => {
  await inTemporaryFolder(async (folder) => {
    const run = { folder };
    await git(folder, "init", "--quiet");
    await commit(folder, { "contract.ts": moduleWith("string"), "it.ts": "export const it = 1;" });
    await Deno.writeTextFile(`${folder}/contract.ts`, moduleWith("int"));
    await Deno.writeTextFile(`${folder}/it.ts`, "export const it = 2;");

    assertEquals(await diff(run, "contract.ts", "--against=git:main"), {
      code: 1,
      stdout: "",
      stderr:
        "Cannot compare contracts: main has no openapi.json; commit it beside contract.ts, or pass --run, which " +
        "runs the code of its contract\n",
    });
    assertEquals((await diff(run, "contract.ts", "--against=git:main", "--run")).stdout, broken);
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).toSorted(), [
      ".git",
      "contract.ts",
      "it.ts",
    ]);
    await commit(folder, { "openapi.json": documentWith("string") });
    assertEquals((await diff(run, "contract.ts", "--against=git:main")).stdout, broken);
    assertStringIncludes(
      (await diff(run, "contract.ts", "--against=git:HEAD~1:it.ts", "--run")).stderr,
      "it.ts must export contract; name another export by --export",
    );
  }, `${root}tests/diff`); // below deno.json, whose imports it uses
});

/** A registry of npm with the tarballs of packages, which are requested as `/name/-/tarball.tgz`. */
async function withRegistry(
  packages: Readonly<Record<string, { readonly version: string; readonly tarball: Uint8Array<ArrayBuffer> }>>,
  test: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request): Response => {
    const { origin, pathname } = new URL(request.url);
    const [name = "", tarball] = decodeURIComponent(pathname.slice(1)).split("/-/");
    const found = packages[name];
    if (found === undefined) return Response.json({ error: "Not found" }, { status: 404 });
    if (tarball !== undefined) return new Response(found.tarball);
    const { version } = found;
    const dist = { tarball: `${origin}/${name}/-/tarball.tgz` };
    return Response.json({ name, "dist-tags": { latest: version }, versions: { [version]: { name, version, dist } } });
  });
  await test({ npm_config_registry: `http://127.0.0.1:${server.addr.port}/` });
}

interface Entry {
  readonly name: string;
  readonly text?: string;
  /** The type of the entry: `0` for a file, `2` for a symbolic link. */
  readonly type?: string;
  readonly link?: string;
}

/** Writes a tarball, whatever is in it. */
function pack(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const blocks = entries.map(({ name, text = "", type = "0", link = "" }) => {
    const content = new TextEncoder().encode(text);
    const block = new Uint8Array(512 + Math.ceil(content.length / 512) * 512);
    const write = (value: string, at: number) => block.set(new TextEncoder().encode(value), at);
    write(name, 0);
    write("0000644\0", 100);
    write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    write(`00000000000\0        ${type}${link}`, 136);
    write("ustar\x0000", 257);
    const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    block.set(content, 512);
    return block;
  });
  return new Uint8Array(gzipSync(Buffer.concat([...blocks, new Uint8Array(1024)])));
}

const manifest = JSON.stringify({ name: "@acme/contract", version: "1.4.0" });

Deno.test("diff/cli --against npm: reads openapi.json of a package, and runs none of its code", async () => {
  await inTemporaryFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/openapi.json`, documentWith("integer"));
    const scripts = { preinstall: "touch ran", prepack: "touch ran", postinstall: "touch ran" };
    const tarball = pack([
      { name: "package/package.json", text: JSON.stringify({ name: "@acme/contract", version: "1.4.0", scripts }) },
      { name: "package/openapi.json", text: documentWith("string") },
    ]);
    const bare = pack([{ name: "package/package.json", text: manifest.replace("contract", "bare") }]);
    const packages = {
      "@acme/contract": { version: "1.4.0", tarball },
      "@acme/bare": { version: "1.4.0", tarball: bare },
    };
    await withRegistry(packages, async (env) => {
      const against = (reference: string, ...args: readonly string[]): Promise<Ran> =>
        diff({ folder, env }, "openapi.json", `--against=npm:${reference}`, ...args);

      assertEquals(await against("@acme/contract@latest"), { code: 1, stdout: broken, stderr: "" });
      assertEquals((await against("@acme/contract@^1.2")).stdout, broken);
      assertEquals(await against("@acme/contract", "--fail-on=none", "--version=1.5.0"), {
        code: 1,
        stdout: broken,
        stderr: "The version 1.5.0 is too low: after 1.4.0, the changes need 2.0.0 or later\n",
      });
      assertEquals((await against("@acme/contract", "--fail-on=none", "--version=2.0.0")).code, 0);
      assertEquals(await against("@acme/other@latest"), {
        code: 0,
        stdout: "No earlier version: npm:@acme/other@latest\n",
        stderr: "",
      });
      assertEquals((await against("@acme/contract@next")).stdout, "No earlier version: npm:@acme/contract@next\n");
      const refusals = {
        "@acme/contract@9.9.9": "npm cannot download @acme/contract@9.9.9: ",
        "@acme/bare": "@acme/bare 1.4.0 has no openapi.json; publish it with the package, or pass --run",
        "--registry=x": "npm:--registry=x is not a package of a registry, such as npm:@acme/contract@latest",
        "../folder": "npm:../folder is not a package of a registry",
        "acme/repository": "npm:acme/repository is not a package of a registry",
        "it@https://example.com/it.tgz": "npm:it@https://example.com/it.tgz is not a package of a registry",
        "it; touch ran": "npm:it; touch ran is not a package of a registry",
      };
      for (const [reference, message] of Object.entries(refusals)) {
        const { code, stdout, stderr } = await against(reference);
        assertEquals([code, stdout], [1, ""]);
        assertStringIncludes(stderr, `Cannot compare contracts: ${message}`);
      }
      assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["openapi.json"]);
    });
  });
});

Deno.test("diff/cli --against npm: reads hostile tarballs without writing any of their files", async () => {
  await inTemporaryFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/openapi.json`, documentWith("integer"));
    const own = { name: "package/package.json", text: manifest };
    const tarballs: Readonly<Record<string, readonly [tarball: Uint8Array<ArrayBuffer>, message: string]>> = {
      "a link in place of the document": [
        pack([own, { name: "package/openapi.json", type: "2", link: "/etc/passwd" }]),
        "@acme/contract 1.4.0 has no openapi.json; publish it",
      ],
      "a path that leads out of the package": [
        pack([own, { name: "package/../openapi.json", text: documentWith("string") }]),
        "@acme/contract 1.4.0 has no openapi.json; publish it",
      ],
      "a document that refers to a file of the machine": [
        pack([own, {
          name: "package/openapi.json",
          text: JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref: "../../../../etc/passwd" } } }),
        }]),
        "@acme/contract 1.4.0 has no etc/passwd",
      ],
      "no name": [
        pack([{ name: "package/package.json", text: "{}" }]),
        "the tarball of @acme/contract cannot be read: its package.json has no name and version",
      ],
      "a name that is another specifier": [
        pack([{ name: "package/package.json", text: JSON.stringify({ name: "../x", version: "1.0.0" }) }]),
        "the tarball of @acme/contract cannot be read: its package.json has no name and version",
      ],
    };
    for (const [name, [tarball, message]] of Object.entries(tarballs)) {
      await withRegistry({ "@acme/contract": { version: "1.4.0", tarball } }, async (env) => {
        const { stderr } = await diff({ folder, env }, "openapi.json", "--against=npm:@acme/contract");
        assertStringIncludes(stderr, `Cannot compare contracts: ${message}`, name);
      });
    }
  });
});
