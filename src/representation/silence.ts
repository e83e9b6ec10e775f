import { closeProducer, type Producer, type Step } from "../producer.ts";
import { type Incoming } from "./representation.ts";

/** The bytes of a response. They fail if none arrive for longer than the call allows. */
export function limitSilence(bytes: Producer, { silence, fail, response }: Incoming): Producer {
  if (silence === Infinity) return bytes;
  const toError = (): Error => fail("timeout", `no data arrived for ${silence} ms`, { response });
  return { next: () => nextInTime(bytes, silence, toError), return: (reason) => bytes.return?.(reason) };
}

/** The next bytes. Only the time of a pending read counts, so a slow reader does not cause a timeout. */
async function nextInTime(bytes: Producer, milliseconds: number, toError: () => Error): Promise<Step> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = toError();
      reject(error);
      closeProducer(bytes, error); // a stream does not close a producer that failed
    }, milliseconds);
  });
  try {
    return await Promise.race([bytes.next(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
