/** The documentation site, built for a test. */
const root = new URL("../../", import.meta.url);
const folder = new URL(".reports/site/", root).pathname;

/** A page, with its links and its anchors. */
export interface BuiltPage {
  /** The targets of its links. */
  readonly links: readonly string[];
  /** The resources that it loads: scripts, styles, images and frames. */
  readonly assets: readonly string[];
  /** The ids that an anchor can name. */
  readonly ids: ReadonlySet<string>;
}

/** The site in a folder. */
export interface BuiltSite {
  readonly folder: string;
  /** Every file, by its path in the folder. */
  readonly files: ReadonlySet<string>;
  readonly pages: ReadonlyMap<string, BuiltPage>;
  /** The text of each style sheet. */
  readonly styles: readonly string[];
}

/** Builds the site for a path of a host by `deno task site`, as the workflow does that publishes it. */
export async function buildSite(base: string): Promise<BuiltSite> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "site", `--base=${base}`, `--output=${folder}`],
    cwd: root,
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
  const files = await listFiles("");
  const texts = new Map<string, string>();
  for (const path of files) {
    if (/\.(?:html|css)$/.test(path)) texts.set(path, await Deno.readTextFile(folder + path));
  }
  const [html, css] = [".html", ".css"].map((end) => [...texts].filter(([path]) => path.endsWith(end)));
  return {
    folder,
    files: new Set(files),
    pages: new Map(html!.map(([path, text]) => [path, toPage(text)])),
    styles: css!.map(([, text]) => text),
  };
}

async function listFiles(path: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder + path)) {
    if (isDirectory) files.push(...await listFiles(`${path}${name}/`));
    else files.push(path + name);
  }
  return files;
}

function toPage(html: string): BuiltPage {
  const find = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, value = ""]) => decode(value));
  return {
    links: find(/<a\b[^>]*?\shref="([^"]*)"/g),
    assets: [
      ...find(/<(?:script|img|source|iframe|video|audio)\b[^>]*?\s(?:src|srcset)="([^"]*)"/g),
      ...find(/<link\b[^>]*?\shref="([^"]*)"/g),
    ],
    ids: new Set(find(/\s(?:id|name)="([^"]*)"/g)),
  };
}

/** The text of an attribute. */
function decode(value: string): string {
  return value.replaceAll("&#x2F;", "/").replaceAll("&#x27;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
