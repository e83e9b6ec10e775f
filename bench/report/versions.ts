import { cpus } from "node:os";
import library from "../../deno.json" with { type: "json" };
import bench from "../deno.json" with { type: "json" };
import { formatTable } from "./markdown.ts";

/** Describes the machine and the versions that were measured. */
export function describeVersions(): string {
  const { deno, v8, typescript } = Deno.version;
  const [cpu] = cpus();
  const machine = [`${cpu?.model} × ${cpus().length}`, `${Deno.build.os} ${Deno.build.arch}`].join(", ");
  const rows = [
    ["date", new Date().toISOString().slice(0, 10)],
    ["machine", machine],
    ["Deno", `${deno} (V8 ${v8}, TypeScript ${typescript})`],
    [library.name, library.version],
    ...packages(),
  ];
  return formatTable({ head: ["", "version"], rows });
}

/** The packages that the benchmark imports itself, from its lock file. */
function packages(): string[][] {
  const { specifiers } = JSON.parse(Deno.readTextFileSync(new URL("../deno.lock", import.meta.url)));
  return Object.entries<string>(specifiers).flatMap(([specifier, version]) => {
    const name = specifier.slice("npm:".length, specifier.lastIndexOf("@"));
    return name in bench.imports ? [[name, version.replace(/_.*$/, "")]] : [];
  });
}
