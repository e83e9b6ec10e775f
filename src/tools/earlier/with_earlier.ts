/** Loads the earlier version that `--against` names. */
import { fileURLToPath } from "node:url";
import { fetchText, isUrl } from "../commands.ts";
import { openGit } from "./git.ts";
import { openJsr } from "./jsr.ts";
import { openNpm } from "./npm.ts";
import {
  type EarlierVersion,
  failEarlier,
  failure,
  isModule,
  loadDocument,
  loadModule,
  type LoadOptions,
  loadSide,
  loadTree,
  parse,
} from "./load_side.ts";
import type { ReportedSide } from "../diff/report.ts";

export interface EarlierOptions extends LoadOptions {
  readonly after: string;
  /** Whether code of a package, of another commit or from a URL may run. */
  readonly isRun: boolean;
}

/** What is done with an earlier version; `undefined` if there is none yet. */
type Use<Result> = (before: ReportedSide | undefined) => Result;

/**
 * Loads the version that a reference names, and passes it on while its modules can be imported: `npm:`, `jsr:` and
 * `git:` with what follows, a URL, or a path.
 */
export async function withEarlier<Result>(
  reference: string,
  options: EarlierOptions,
  use: Use<Result>,
): Promise<Result> {
  const [, scheme = "", rest = ""] = isUrl(reference) ? /^([^:]+):([^]*)$/.exec(reference) ?? [] : [];
  switch (scheme.toLowerCase()) {
    case "npm":
      return await useVersion(await openNpm(rest), options, use);
    case "jsr":
      return await useVersion(await openJsr(rest), options, use);
    case "git":
      return await useVersion(await openGit(rest, isUrl(options.after) ? undefined : options.after), options, use);
    case "http":
    case "https":
      return use(await loadUrl(reference, options));
    case "file":
      return use(await loadSide(fileURLToPath(reference), options));
    case "":
      return use(await loadSide(reference, options));
    default:
      return failEarlier(`--against must be npm:…, jsr:…, git:…, a URL of http or https, or a path, got ${reference}`);
  }
}

/** Reads the document of a version, or imports its contract if that is allowed. */
async function useVersion<Result>(
  found: EarlierVersion | undefined,
  { isRun, ...options }: EarlierOptions,
  use: Use<Result>,
): Promise<Result> {
  if (found === undefined) return use(undefined);
  const { name, version, document, remedy, hasModule } = found;
  if (isRun && hasModule) {
    return await found.checkOut(async (module) => use({ ...await loadModule(module, options), version }));
  }
  if (await found.read(document) !== undefined) return use({ ...await loadTree(found), version });
  if (!hasModule) return use(undefined);
  return failEarlier(`${name} has no ${document}; ${remedy}, or pass --run, which runs the code of its contract`);
}

async function loadUrl(url: string, { isRun, ...options }: EarlierOptions): Promise<ReportedSide> {
  if (isModule(new URL(url).pathname)) {
    return isRun ? await loadModule(url, options) : failEarlier(`${url} is a module, whose code only runs with --run`);
  }
  return await loadDocument(
    url,
    async (each) => await parse(await fetchText(each, failure) ?? failEarlier(`${each} answered 404`), each),
  );
}
