/** Hono as it is mostly used: input validated, output sent as it is. */
import { type System } from "../systems/system.ts";
import { createApp, createTable, type Output } from "./hono.ts";

const sendAsIs: Output = (_, value) => value;

export const system: System = {
  title: "Hono, input checked alone",
  create: () => createApp(sendAsIs).fetch,
  createTable: (size) => createTable(size, sendAsIs),
};
