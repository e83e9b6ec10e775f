import { cpus } from "node:os";
import library from "../../deno.json" with { type: "json" };
import bench from "../deno.json" with { type: "json" };
import { formatTable } from "./markdown.ts";

/** Describes the machine and the versions that were measured. */
export function describeVersions(): string {
  const { deno, v8, typescript } = Deno.version;
  const runtime = ["Deno", `${deno} (V8 ${v8}, TypeScript ${typescript})`];
  return formatTable({ head: ["", "version"], rows: [...describeMachine(), runtime, ...packages()] });
}

/** The day and the machine. */
export function describeMachine(): string[][] {
  const [cpu] = cpus();
  const machine = [`${cpu?.model} × ${cpus().length}`, `${Deno.build.os} ${Deno.build.arch}`].join(", ");
  return [["date", new Date().toISOString().slice(0, 10)], ["machine", machine]];
}

/** What the chart says about its figures. */
export function describeRun(): string {
  const [[, date = ""] = [], [, machine = ""] = []] = describeMachine();
  return `Deno ${Deno.version.deno} on ${machine.split(",")[0]}, ${date}`;
}

/** This library and packages of the benchmark, in the versions of its lock file. */
export function packages(names: readonly string[] = Object.keys(bench.imports)): string[][] {
  const { specifiers } = JSON.parse(Deno.readTextFileSync(new URL("../deno.lock", import.meta.url)));
  const imported = Object.entries<string>(specifiers).flatMap(([specifier, version]) => {
    const name = specifier.slice("npm:".length, specifier.lastIndexOf("@"));
    return names.includes(name) ? [[name, version.replace(/_.*$/, "")]] : [];
  });
  return [[library.name, library.version], ...imported];
}
