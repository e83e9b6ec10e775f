/** An earlier version in a repository of git. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, posix, relative, resolve } from "node:path";
import process from "node:process";
import { type EarlierVersion, failEarlier, isModule } from "./load_side.ts";
import { type ProgramResult, type ProgramRun, runProgram } from "./programs.ts";

/** A commit, and the file in it. */
interface CommitFile {
  readonly ref: string;
  readonly folder: string;
  /** The path of the file, relative to the folder, or else to the root of the repository. */
  readonly path: string;
  readonly isRelative: boolean;
}

/**
 * Finds a file at a ref: `origin/main` is the file `after` at that ref, and `v1.2.0:openapi.json` another one, from the
 * root of the repository or, with `./`, from the working directory.
 *
 * @param after The path of the new side; `undefined` if it is not a file.
 */
export async function openGit(reference: string, after: string | undefined): Promise<EarlierVersion | undefined> {
  const place = toPlace(reference, after);
  const commit = await findCommit(place);
  if (commit === undefined) return undefined;
  const { stdout } = await git(place, ["rev-parse", "--show-prefix"]);
  const prefix = place.isRelative ? new TextDecoder().decode(stdout).trim() : "";
  const path = posix.normalize(prefix + place.path);
  if (path.startsWith("../") || path === "..") failEarlier(`${place.path} is not in the repository`);
  const read = (file: string) => readBlob(place, `${commit}:${file}`);
  return {
    name: place.ref,
    version: undefined,
    document: isModule(path) ? posix.join(posix.dirname(path), "openapi.json") : path,
    remedy: `commit it beside ${path}`,
    read,
    hasModule: isModule(path) && await read(path) !== undefined,
    checkOut: (use) => checkOut(place, { commit, path }, use),
  };
}

function toPlace(reference: string, after: string | undefined): CommitFile {
  const [ref = "", ...rest] = reference.split(":");
  if (!/^(?!-)[^\s\p{Cc}]+$/u.test(ref)) failEarlier(`${JSON.stringify(ref)} is not a ref of git`);
  const path = rest.join(":");
  if (rest.length === 0) {
    if (after === undefined) failEarlier(`git:${ref} needs a path, such as git:${ref}:openapi.json`);
    return { ref, folder: dirname(resolve(after)), path: basename(after), isRelative: true };
  }
  const isRelative = /^\.{1,2}\//.test(path);
  const parts = posix.normalize(path).split("/");
  if (path === "" || path.startsWith("/") || /\p{Cc}/u.test(path) || (parts[0] === ".." && !isRelative)) {
    failEarlier(`${JSON.stringify(path)} is not a path in a repository; write it from its root, or begin it with ./`);
  }
  return { ref, folder: process.cwd(), path, isRelative };
}

async function findCommit(place: CommitFile): Promise<string | undefined> {
  const { ref } = place;
  const found = await git(place, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (found.code === 0) return new TextDecoder().decode(found.stdout).trim();
  const all = await git(place, ["rev-list", "--max-count=1", "--all"]);
  if (all.code !== 0) failEarlier(`git: ${all.stderr.trim().split("\n")[0]}`);
  if (all.stdout.length === 0) return undefined;
  return failEarlier(`the repository has no ${ref}; fetch it first, in CI with the whole history (fetch-depth: 0)`);
}

async function git(
  { folder }: Pick<CommitFile, "folder">,
  args: readonly string[],
  more: Partial<ProgramRun> = {},
): Promise<ProgramResult> {
  const env = { GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", ...more.env };
  return await runProgram({ program: "git", args, folder, ...more, env });
}

/** Returns the text of a file; `undefined` if the commit does not have it. Links within the commit are followed. */
async function readBlob(place: CommitFile, name: string): Promise<string | undefined> {
  if (/\p{Cc}/u.test(name)) return undefined; // which would be another name for git
  const { code, stdout, stderr } = await git(place, ["cat-file", "--batch", "--follow-symlinks"], {
    input: `${name}\n`,
  });
  const end = stdout.indexOf(0x0a);
  if (code !== 0 || end < 0) failEarlier(`git: ${stderr.trim().split("\n")[0]}`);
  const words = new TextDecoder().decode(stdout.subarray(0, end)).split(" ");
  if (words.at(-1) === "missing") return undefined;
  const [, type, size] = words;
  if (type === "blob") return new TextDecoder().decode(stdout.subarray(end + 1, end + 1 + Number(size)));
  const path = name.slice(name.indexOf(":") + 1);
  return failEarlier(`${path} at ${place.ref} is not a file, or is a link that does not lead to one`);
}

/** Writes the files of a commit into a folder beside the new side, where modules find the installed packages. */
async function checkOut<Result>(
  place: CommitFile,
  { commit, path }: { readonly commit: string; readonly path: string },
  use: (module: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(place.folder, ".scope-api-diff-"));
  try {
    await writeFile(join(folder, ".gitignore"), "*\n");
    const tree = join(folder, "tree");
    await mkdir(tree);
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    const top = await git(place, ["rev-parse", "--show-toplevel"]);
    const root = new TextDecoder().decode(top.stdout).trim();
    for (const args of [["read-tree", commit], ["checkout-index", "--all", `--prefix=${relative(root, tree)}/`]]) {
      const { code, stderr } = await git({ folder: root }, args, { env });
      if (code !== 0) failEarlier(`git: ${stderr.trim().split("\n")[0]}`);
    }
    return await use(join(tree, path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
