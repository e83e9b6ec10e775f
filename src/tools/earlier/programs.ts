/** Runs git and npm: without a shell, for a limited time, and with a limited output. */
import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** A folder that must not grow over {@linkcode mostFolderBytes}. */
  readonly watched?: string;
}

export interface ProgramResult {
  readonly code: number;
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: string;
}

const patience = 120_000;

const mostOutputBytes = 100_000_000;

/** The most bytes that a program downloads into a folder. */
const mostFolderBytes = 200_000_000;

const interval = 200;

/** Runs a program, whose code may not be 0. Throws a `TypeError` if it is not installed or exceeds a limit. */
export async function runProgram({ program, args, folder, env, input, watched }: ProgramRun): Promise<ProgramResult> {
  const overflow = new AbortController();
  const watch = watched === undefined ? undefined : setInterval(() => {
    void sizeOf(watched).then((size) => size > mostFolderBytes && overflow.abort());
  }, interval);
  try {
    return await new Promise((resolve, reject) => {
      const child = execFile(program, [...args], {
        cwd: folder,
        env: { ...process.env, LC_ALL: "C", ...env },
        encoding: "buffer",
        timeout: patience,
        killSignal: "SIGKILL",
        maxBuffer: mostOutputBytes,
        signal: overflow.signal,
        windowsHide: true,
      }, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code !== "number") return reject(toRefusal(program, error!, overflow.signal.aborted));
        resolve({ code, stdout: new Uint8Array(stdout), stderr: new TextDecoder().decode(new Uint8Array(stderr)) });
      });
      child.stdin?.on("error", () => {}); // a program that ended does not read its input
      child.stdin?.end(input ?? "");
    });
  } finally {
    clearInterval(watch);
  }
}

function toRefusal(
  program: string,
  error: { readonly code?: unknown; readonly message: string },
  isFull: boolean,
): TypeError {
  const reason = isFull
    ? `downloads more than ${mostFolderBytes / 1_000_000} MB`
    : error.code === "ENOENT"
    ? "is not installed"
    : error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER"
    ? `prints more than ${mostOutputBytes / 1_000_000} MB`
    : error.code === undefined || error.code === null
    ? `takes more than ${patience / 1_000} seconds`
    : `could not be run: ${error.message}`;
  return new TypeError(`Cannot compare contracts: ${program} ${reason}`, { cause: error });
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sizeOf(path) : stat(path).then(({ size }) => size, () => 0);
  }));
  return sizes.reduce((sum, size) => sum + size, 0);
}
