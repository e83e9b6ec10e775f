/** The earlier versions that `--against` names: of packages, commits, URLs and files. */
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import { readTarball } from "../../src/tools/earlier/tarball.ts";
import { withEarlier } from "../../src/tools/earlier/with_earlier.ts";
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

// proves diff | The earlier version of a package is read without running any code or script of it
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
    const passwords = JSON.stringify({ openapi: "3.1.0", paths: { "/a": { $ref: "../../../../etc/passwd" } } });
    const cases: readonly (readonly [entries: readonly Entry[], message: string])[] = [
      [
        [own, { name: "package/openapi.json", type: "2", link: "/etc/passwd" }],
        "@acme/contract 1.4.0 has no openapi.json",
      ],
      [[own, { name: "package/openapi.json", text: passwords }], "@acme/contract 1.4.0 has no etc/passwd"],
      [[], "the tarball of @acme/contract cannot be read: it has no package.json"],
    ];
    for (const [entries, message] of cases) {
      await withRegistry({ "@acme/contract": { version: "1.4.0", tarball: pack(entries) } }, async (env) => {
        const { stderr } = await diff({ folder, env }, "openapi.json", "--against=npm:@acme/contract");
        assertStringIncludes(stderr, `Cannot compare contracts: ${message}`);
      });
    }
  });
});

Deno.test("withEarlier() refuses what is no package of a registry, since npm would run its scripts", async () => {
  const others = [
    "--registry=x",
    "../it",
    "acme/it",
    "it@https://example.com/it.tgz",
    "git+ssh://example.com/it",
    "a; b",
    "",
  ];
  for (const reference of others) {
    await assertRejects(
      () => loadEarlier(`npm:${reference}`),
      TypeError,
      `Cannot compare contracts: npm:${reference} is not a package of a registry, such as npm:@acme/contract@latest`,
    );
  }
});

/** Loads an earlier version in this process. */
function loadEarlier(reference: string, after = "new.json"): Promise<unknown> {
  return withEarlier(reference, { after, isRun: false }, (before) => before?.contract);
}

// proves diff | No path or link of a hostile package leads anywhere
Deno.test("readTarball() returns the regular files of a package, and no other path", () => {
  const entries: readonly Entry[] = [
    { name: "package/a.json", text: "1" },
    { name: "package/b.json", text: "2" },
    { name: "package/b.json", type: "2", link: "/etc/passwd" },
    { name: "package/../c.json", text: "3" },
    { name: "../package/d.json", text: "4" },
    { name: "/package/e.json", text: "5" },
    { name: "./package/f.json", text: "6" },
    { name: "package/g/", type: "5" },
    { name: "PaxHeader", type: "x", text: "28 path=package/long/h.json\n" },
    { name: "short", text: "7" },
    { name: "PaxHeader", type: "x", text: "18 path=../i.json\n" },
    { name: "package/i.json", text: "8" },
    { name: "././@LongLink", type: "L", text: "package/long/j.json\0" },
    { name: "short", text: "9" },
  ];
  const files = [...readTarball(pack(entries))].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
  assertEquals(files, [["a.json", "1"], ["f.json", "6"], ["long/h.json", "7"], ["long/j.json", "9"]]);

  const whole = pack([{ name: "package/a.json", text: "1".repeat(2_000) }]);
  const broken: readonly (readonly [packed: Uint8Array, message: string])[] = [
    [new Uint8Array([1, 2, 3]), "it is not a gzip file"],
    [whole.subarray(0, 50), "it is not a gzip file"],
    [gzipSync(gunzipSync(whole).subarray(0, 1_024)), "it ends within a file"],
    [gzipSync(new Uint8Array(512).fill(0x39)), "a file in it has an invalid size"],
    [gzipSync(new Uint8Array(200_000_001)), "it has more than 200 MB"],
  ];
  for (const [packed, message] of broken) assertThrows(() => readTarball(packed), TypeError, message);
});

/** A registry of JSR with one package, whose files it lists with their checksums. */
async function withJsr(
  versions: Readonly<Record<string, { readonly yanked?: true }>>,
  test: (env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const [good, bad] = [documentWith("string", "1.0.0"), documentWith("string", "1.0.1")];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(good));
  const checksum = `sha256-${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const answers: Readonly<Record<string, unknown>> = {
    "/@acme/contract/meta.json": { scope: "acme", name: "contract", latest: "1.2.0", versions },
    "/@acme/contract/1.2.0_meta.json": { manifest: { "/openapi.json": { checksum } } },
    "/@acme/contract/1.1.0_meta.json": { manifest: { "/openapi.json": { checksum } } },
    "/@acme/contract/0.9.0_meta.json": { manifest: {} },
  };
  const texts: Readonly<Record<string, string | undefined>> = {
    "/@acme/contract/1.2.0/openapi.json": good,
    "/@acme/contract/1.1.0/openapi.json": bad,
  };
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request): Response => {
    const { pathname } = new URL(request.url);
    if (Object.hasOwn(answers, pathname)) return Response.json(answers[pathname]);
    return new Response(texts[pathname] ?? "Not found", { status: texts[pathname] === undefined ? 404 : 200 });
  });
  await test({ JSR_URL: `http://127.0.0.1:${server.addr.port}` });
}

Deno.test("diff/cli --against jsr: reads openapi.json of a version, and compares its checksum", async () => {
  await inTemporaryFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/openapi.json`, documentWith("integer"));
    await withJsr(
      { "0.9.0": {}, "1.1.0": {}, "1.2.0": {}, "1.3.0": { yanked: true }, "2.0.0-rc.1": {} },
      async (env) => {
        const against = (reference: string, ...args: readonly string[]): Promise<Ran> =>
          diff({ folder, env }, "openapi.json", `--against=jsr:${reference}`, ...args);
        for (
          const reference of ["@acme/contract", "@acme/contract@latest", "@acme/contract@^1.1.0", "@acme/contract@1"]
        ) {
          assertEquals([reference, (await against(reference)).stdout], [reference, broken]);
        }
        assertEquals((await against("@acme/contract@^2")).stdout, "No earlier version: jsr:@acme/contract@^2\n");
        assertEquals((await against("@acme/other")).stdout, "No earlier version: jsr:@acme/other\n");
        const refusals = {
          "@acme/contract@~1.1.0": "openapi.json of @acme/contract 1.1.0 does not have its checksum",
          "@acme/contract@0.9.0":
            "@acme/contract 0.9.0 has no openapi.json; publish it with the package, or pass --run",
          "@acme/contract@9.9.9": "the registry has no @acme/contract@9.9.9",
          "@acme/contract@next": '"next" is not a version or a range, such as 1.2.3, ^1.2 or 1',
          "../../etc": "jsr:../../etc is not a package, such as jsr:@acme/contract@latest",
        };
        for (const [reference, message] of Object.entries(refusals)) {
          const { code, stdout, stderr } = await against(reference);
          assertEquals([code, stdout], [1, ""]);
          assertStringIncludes(stderr, `Cannot compare contracts: ${message}`);
        }
      },
    );
  });
});

Deno.test("withEarlier() reads a URL and a path, and refuses code from URLs and what it cannot fetch", async () => {
  await inTemporaryFolder(async (folder) => {
    const old = JSON.parse(documentWith("string"));
    await Deno.writeTextFile(`${folder}/old.json`, documentWith("string"));
    await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request): Response => {
      switch (new URL(request.url).pathname) {
        case "/openapi.json":
          return new Response(documentWith("string"));
        case "/large.json":
          return new Response(new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(1_000_000)) }));
        default:
          return new Response("Not found", { status: request.url.includes("lost") ? 404 : 503 });
      }
    });
    const base = `http://127.0.0.1:${server.addr.port}`;
    for (const reference of [`${base}/openapi.json`, `${folder}/old.json`, `file://${folder}/old.json`]) {
      assertEquals(await loadEarlier(reference), old);
    }
    const refusals = {
      [`${base}/lost.json`]: `${base}/lost.json answered 404`,
      [`${base}/down.json`]: `${base}/down.json answered 503`,
      [`${base}/large.json`]: `${base}/large.json is larger than 50 MB; download it, and pass the file`,
      [`${base}/contract.ts`]: `${base}/contract.ts is a module, whose code only runs with --run`,
      "data:application/json,{}": "--against must be npm:…, jsr:…, git:…, a URL of http or https, or a path, got data:",
      "none.json": "none.json does not exist",
      "git:main": "git:main needs a path, such as git:main:openapi.json",
    };
    for (const [reference, message] of Object.entries(refusals)) {
      const after = reference === "git:main" ? "https://example.com/contract.ts" : "new.json";
      await assertRejects(() => loadEarlier(reference, after), TypeError, `Cannot compare contracts: ${message}`);
    }
  });
});
