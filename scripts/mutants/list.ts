import { listFiles } from "../list_files.ts";
import { listMutants, type Mutant } from "./operators.ts";

/** Which of the mutants to list. */
export interface Selection {
  /** Parts of paths, of which a file must have one, such as `src/wire/`. All files if there are none. */
  readonly only: readonly string[];
  /** Selects every n-th mutant. */
  readonly sample: number;
  /** The first of them. The seeds from 0 to `sample - 1` select every mutant once. */
  readonly seed: number;
}

/** Reads `--only=src/wire,src/fetch --sample=40 --seed=3`. */
export function readSelection(args: readonly string[]): Selection {
  const only = readOption(args, "only", "").split(",").filter((part) => part !== "");
  return { only, sample: Number(readOption(args, "sample", "1")), seed: Number(readOption(args, "seed", "0")) };
}

/** Returns the value of `--name=value`. */
export function readOption(args: readonly string[], name: string, otherwise: string): string {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
}

/** Lists the mutants of the files in `src`, and returns the text of each file. */
export async function listSourceMutants(
  root: URL,
  { only, sample, seed }: Selection,
): Promise<{ readonly mutants: readonly Mutant[]; readonly sources: ReadonlyMap<string, string> }> {
  const files = (await listFiles(new URL("src", root))).map((file) => `src/${file}`)
    .filter((file) => only.length === 0 || only.some((part) => file.includes(part)));
  const sources = new Map<string, string>();
  for (const file of files) sources.set(file, await Deno.readTextFile(new URL(file, root)));
  const mutants = [...sources].flatMap(([file, source]) => listMutants(file, source));
  return { sources, mutants: mutants.filter((_, index) => index % sample === seed % sample) };
}
