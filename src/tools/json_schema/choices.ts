/**
 * Sequences of random choices, from which samples are drawn: bytes, as in Hypothesis. Zero is always the simplest
 * choice.
 */

export interface Choices {
  /** Returns the next byte, from 0 to 255. */
  readonly next: () => number;
}

/** Returns choices from bytes. After the last byte all choices are zero. */
export function readChoices(bytes: Uint8Array): Choices {
  let index = 0;
  return { next: () => bytes[index++] ?? 0 };
}

/** Returns endless choices. The same seed generates the same choices on every runtime. */
export function createChoices(seed: number | string): Choices {
  const nextWord = createWords(typeof seed === "string" ? hashText(seed) : seed);
  let word = 0;
  let left = 0;
  const next = (): number => {
    if (left === 0) [word, left] = [nextWord(), 4];
    const byte = word & 255;
    word >>>= 8;
    left--;
    return byte;
  };
  return { next };
}

/** Returns choices that record the bytes drawn from other choices. The recorded bytes replay them. */
export function recordChoices({ next }: Choices): Choices & { readonly drawn: readonly number[] } {
  const drawn: number[] = [];
  const record = (): number => {
    const byte = next();
    drawn.push(byte);
    return byte;
  };
  return { next: record, drawn };
}

/** Returns a generator of pseudorandom 32-bit integers: sfc32 by Chris Doty-Humphrey. */
function createWords(seed: number): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1];
  const next = (): number => {
    const word = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21 | c >>> 11) + word) | 0;
    return word >>> 0;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** Returns a 32-bit hash: FNV-1a over UTF-16 code units, then the last steps of MurmurHash3. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35);
  return (hash ^ hash >>> 16) >>> 0;
}

/** Chooses an integer from 0 to `count - 1`. `count` must be at most 2^53. */
export function choose(choices: Choices, count: number): number {
  if (count <= 1) return 0;
  let drawn = choices.next();
  for (let reach = 256; reach < count && reach < 2 ** 48; reach *= 256) drawn = drawn * 256 + choices.next();
  return drawn % count;
}

/** Chooses an integer from `least` to `most`, both included. */
export function chooseBetween(choices: Choices, least: number, most: number): number {
  return least + choose(choices, most - least + 1);
}

export function chooseFrom<Item>(choices: Choices, list: readonly Item[]): Item {
  return list[choose(choices, list.length)]!;
}
