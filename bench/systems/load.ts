import type { System } from "./system.ts";

/** The module of each system. Modules are loaded by name, so that a process loads only the systems that it measures. */
const modules = {
  direct: "./direct.ts",
  ours: "./ours.ts",
  "hono": "../peers/hono.ts",
  "hono-input": "../peers/hono_input.ts",
  "elysia": "../peers/elysia.ts",
  "ts-rest": "../peers/ts_rest.ts",
  "orpc": "../peers/orpc.ts",
  "effect": "../peers/effect.ts",
  "trpc": "../peers/trpc.ts",
  "fets": "../peers/fets.ts",
} as const;

export type SystemName = keyof typeof modules;

/** All systems except `direct`, the baseline. */
export const systemNames = (Object.keys(modules) as SystemName[]).filter((
  name,
) => name !== "direct");

export async function loadSystem(name: SystemName): Promise<System> {
  const { system } = await import(modules[name]);
  return system;
}
