import type { SystemName } from "../systems/load.ts";
import { root, workerArguments } from "./run_worker.ts";

/** A system that its own process serves until it is stopped. */
export interface Served {
  readonly port: number;
  /** Returns the processor time of the process so far, in microseconds. */
  readonly processorTime: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export async function serve(system: SystemName): Promise<Served> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...workerArguments, "workers/server.ts", system],
    cwd: root,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  });
  const process = command.spawn();
  const input = process.stdin.getWriter();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const readNumber = async (): Promise<number> => {
    const { value } = await output.read();
    if (value === undefined) throw new Error(`Cannot serve ${system}: its process ended`);
    return Number(value);
  };
  return {
    port: await readNumber(),
    processorTime: async () => {
      await input.write(new Uint8Array(1));
      return await readNumber();
    },
    stop: async () => {
      await input.close();
      await process.status;
    },
  };
}
