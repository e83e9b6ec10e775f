/**
 * The progress of an upload: a bar in a terminal, and elsewhere a line for each quarter.
 *
 * @module
 */

export interface Screen {
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

const width = 30; // characters

/** Yields the bytes, and shows the progress after each chunk. */
export async function* showProgress(
  bytes: AsyncIterable<Uint8Array>,
  total: number,
  screen: Screen,
): AsyncGenerator<Uint8Array, void> {
  const show = screen.isTerminal ? drawBar : createLines();
  let sent = 0;
  for await (const chunk of bytes) {
    yield chunk; // resumes when the next chunk is requested: this one was sent
    sent += chunk.byteLength;
    show(total === 0 ? 1 : Math.min(sent / total, 1), screen);
  }
  if (total === 0) show(1, screen);
  if (screen.isTerminal) screen.write("\n");
}

function drawBar(part: number, { write }: Screen): void {
  const filled = Math.floor(part * width);
  write(`\r[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${formatPercent(part)}`);
}

function createLines(): (part: number, screen: Screen) => void {
  let told = 0; // in quarters
  return (part, { write }) => {
    const quarters = Math.floor(part * 4);
    if (quarters > told) write(`${formatPercent(quarters / 4)} sent\n`);
    told = quarters;
  };
}

function formatPercent(part: number): string {
  return `${String(Math.floor(part * 100)).padStart(3)} %`;
}
