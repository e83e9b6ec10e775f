/** Hono in its most common use: it validates input and sends output unchanged. */
import type { System } from "../systems/system.ts";
import { createApp, createTable, type Output } from "./hono.ts";

const sendAsIs: Output = (_, value) => value;

export const system: System = {
  title: "Hono, input only",
  create: () => createApp(sendAsIs).fetch,
  createTable: (size) => createTable(size, sendAsIs),
};
