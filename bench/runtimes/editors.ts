/** The time that the language servers of TypeScript 5.9 and 7 take in a program. */
import { type LanguageServer, startLanguageServer } from "../../tests/runtimes/language_server.ts";
import { median } from "../measure/median.ts";
import { startTsserver } from "./tsserver.ts";

/** The options of all programs. */
export const compilerOptions = {
  strict: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/** What is asked of a language server in the file that is open. */
export type Editor = Pick<LanguageServer, "open" | "complete" | "hover"> & AsyncDisposable;

/** Start a server for a file of a folder, next to which both compilers are installed. */
export const startEditors: Readonly<Record<string, (folder: string, file: string) => Promise<Editor>>> = {
  "TypeScript 5.9": (folder, file) =>
    startTsserver(`${folder}/../node_modules/typescript/lib/tsserver.js`, folder, file),
  "TypeScript 7": (cwd, file) => {
    const args = ["../node_modules/typescript-7/bin/tsc", "--lsp", "--stdio"];
    return startLanguageServer({ command: "node", args, cwd }, file);
  },
};

/** A program, and what is asked in it. */
export interface Asked {
  readonly text: string;
  /** What is typed at the end of the file, where members complete. */
  readonly typed: string;
  /** One of these members. */
  readonly member: string;
  /** The start of the last declaration whose type is shown. */
  readonly variable: string;
  /** A part of this type. */
  readonly property: string;
}

/** The milliseconds of each answer. */
export interface Times {
  readonly members: readonly number[];
  readonly types: readonly number[];
}

/** How long it is asked, in milliseconds. */
const patience = 15_000;

/** Asks for members and for a type, each after a change. The first answers, for which the program is read, are not counted. */
export async function timeEditor(editor: Editor, asked: Asked, rounds: number): Promise<Times> {
  const { text, typed, member, variable, property } = asked;
  const typedText = text + typed;
  const shown = text.lastIndexOf(`\n${variable}`) + variable.length;
  const [members, types]: [number[], number[]] = [[], []];
  let end = Infinity;
  for (let round = 0; round <= rounds && (round <= 3 || Date.now() < end); round++) {
    await editor.open(typedText);
    const offered = await time(() => editor.complete(typedText.length));
    if (!offered.value.includes(member)) throw new Error(`no member ${member}, but ${offered.value}`);
    await editor.open(text);
    const hovered = await time(() => editor.hover(shown));
    if (!hovered.value.includes(property)) throw new Error(`no ${property} in ${hovered.value}`);
    if (round === 0) end = Date.now() + patience;
    else {
      members.push(offered.time);
      types.push(hovered.time);
    }
  }
  return { members, types };
}

async function time<Value>(ask: () => Promise<Value>): Promise<{ readonly value: Value; readonly time: number }> {
  const start = performance.now();
  const value = await ask();
  return { value, time: performance.now() - start };
}

/** The median and the 95th percentile. */
export function formatTimes(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const high = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? NaN;
  return `${median(times).toFixed(0)}, ${high.toFixed(0)}`;
}
