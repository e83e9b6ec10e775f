/** Time that does not depend on what else the machine does. */
import { threadCpuUsage } from "node:process";

/** The processor time of this thread, in milliseconds. */
export function processorTime(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}
