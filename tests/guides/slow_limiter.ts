/** rate-limiter-flexible, with a store that takes time: it waits before and after each command, as over a network. */
import { RateLimiterMemory as Immediate, type RateLimiterRes } from "rate-limiter-flexible";

export { RateLimiterRes } from "rate-limiter-flexible";

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

async function slowly<Value>(command: () => Promise<Value>): Promise<Value> {
  await wait();
  return await command().finally(wait);
}

export class RateLimiterMemory extends Immediate {
  override consume(...given: Parameters<Immediate["consume"]>): Promise<RateLimiterRes> {
    return slowly(() => super.consume(...given));
  }

  override reward(...given: Parameters<Immediate["reward"]>): Promise<RateLimiterRes> {
    return slowly(() => super.reward(...given));
  }

  override penalty(...given: Parameters<Immediate["penalty"]>): Promise<RateLimiterRes> {
    return slowly(() => super.penalty(...given));
  }

  override get(...given: Parameters<Immediate["get"]>): Promise<RateLimiterRes | null> {
    return slowly(() => super.get(...given));
  }
}
