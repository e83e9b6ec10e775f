/** An earlier version in a registry of JSR, which is the one that Deno is configured with. */
import { createHash } from "node:crypto";
import process from "node:process";
import { fetchText } from "../commands.ts";
import { type EarlierVersion, failEarlier, failure, packageFacts } from "./load_side.ts";
import { compareVersions, parseVersion, type Version } from "../diff/package_version.ts";

const specifier = /^(@[a-z\d-]+\/[a-z\d-]+)(?:@([\w.^~+-]+))?$/;

/** Reads a package by the API of the registry (https://jsr.io/docs/api); `undefined` if no version is in the range. */
export async function openJsr(reference: string): Promise<EarlierVersion | undefined> {
  const [, name, wanted = "latest"] = specifier.exec(reference) ?? [];
  if (name === undefined) failEarlier(`jsr:${reference} is not a package, such as jsr:@acme/contract@latest`);
  const base = new URL(process.env.JSR_URL ?? "https://jsr.io").href.replace(/\/?$/, "/");
  const meta = await fetchJson(`${base}${name}/meta.json`);
  if (meta === undefined) return undefined;
  const version = chooseVersion(Object(meta), wanted, name);
  if (version === undefined) return undefined;
  const { manifest } = Object(await fetchJson(`${base}${name}/${version}_meta.json`));
  return {
    ...packageFacts(name, version),
    read: async (path) => {
      const { checksum } = Object(Object.hasOwn(Object(manifest), `/${path}`) && manifest[`/${path}`]);
      if (checksum === undefined) return undefined;
      const text = await fetchText(`${base}${name}/${version}/${path}`, failure);
      const hash = text === undefined ? undefined : createHash("sha256").update(text).digest("hex");
      if (`sha256-${hash}` !== checksum) failEarlier(`${path} of ${name} ${version} does not have its checksum`);
      return text;
    },
    checkOut: (use) =>
      "Deno" in globalThis
        ? use(`jsr:${name}@${version}`)
        : failEarlier(`only Deno runs the contract of jsr:${name}; publish openapi.json with the package`),
  };
}

async function fetchJson(url: string): Promise<unknown> {
  const text = await fetchText(url, failure);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return failEarlier(`${url} is not JSON`);
  }
}

interface PackageMeta {
  readonly latest?: unknown;
  readonly versions?: Readonly<Record<string, { readonly yanked?: boolean }>>;
}

/** Returns the highest version that is wanted: the latest one, an exact one, or one in a range such as `^1.2` or `1`. */
function chooseVersion({ latest, versions = {} }: PackageMeta, wanted: string, name: string): string | undefined {
  if (wanted === "latest" && typeof latest === "string" && Object.hasOwn(versions, latest)) return latest;
  if (parseVersion(wanted)) {
    return Object.hasOwn(versions, wanted) ? wanted : failEarlier(`the registry has no ${name}@${wanted}`);
  }
  const isWanted = wanted === "latest" ? () => true : toRange(wanted);
  const found = Object.keys(versions).flatMap((text) => {
    const version = parseVersion(text);
    return version && version.prerelease === "" && versions[text]?.yanked !== true && isWanted(version)
      ? [{ text, version }]
      : [];
  });
  return found.toSorted((one, other) => compareVersions(one.version, other.version)).at(-1)?.text;
}

/** Returns a test of a range: `1`, `1.2`, `~1.2.3` or `^1.2.3`. */
function toRange(text: string): (version: Version) => boolean {
  const [, sign, ...written] = /^([~^]?)(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(text) ?? [];
  if (written.length === 0) {
    failEarlier(`${JSON.stringify(text)} is not a version or a range, such as 1.2.3, ^1.2 or 1`);
  }
  const numbers = written.filter((each) => each !== undefined).map(Number);
  const [major = 0, minor = 0, patch = 0] = numbers;
  const firstPositive = numbers.findIndex((each) => each > 0);
  const kept = sign === "^" ? (firstPositive < 0 ? numbers.length : firstPositive + 1) : Math.min(numbers.length, 2);
  const least: Version = { numbers: [major, minor, patch], prerelease: "" };
  return (version) =>
    compareVersions(version, least) >= 0 &&
    least.numbers.slice(0, kept).every((each, index) => each === version.numbers[index]);
}
