/** How the soak's server process is spoken to: a line on its input is a question, the end of its input the end. */
import process from "node:process";
import { type Watch, watch } from "./server.ts";

/** The figures of a process, after a garbage collection. */
export interface Figures extends Watch {
  /** Resident memory, in bytes. */
  readonly rss: number;
  /** The part of the JavaScript heap that is in use, in bytes. */
  readonly heap: number;
  /** Uncaught errors and unhandled rejections. */
  readonly uncaught: readonly string[];
}

/** The memory of this process without its garbage. */
export function measureMemory(): { readonly rss: number; readonly heap: number } {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (!gc) throw new Error("Cannot measure memory: the collector is hidden; start with --expose-gc");
  gc();
  gc(); // for the objects that the first one finalized
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

/** Prints the port, answers questions with {@linkcode Figures}, and stops the server after the last question. */
export async function obey(port: number, stop: () => Promise<void>): Promise<void> {
  const uncaught: string[] = [];
  process.on("unhandledRejection", (reason) => void uncaught.push(`rejection: ${reason}`));
  process.on("uncaughtException", (error) => void uncaught.push(`exception: ${error}`));
  console.log(port);
  for await (const _ of process.stdin) console.log(JSON.stringify({ ...watch, ...measureMemory(), uncaught }));
  await stop(); // the process ends by itself if nothing is left: no timer, no connection, no listener
}
