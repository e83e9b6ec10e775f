/** The notes, in memory: a database in your application. */

export interface Note {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly photo?: Uint8Array<ArrayBuffer>;
}

/** Keeps notes, and tells its watchers when they have changed. */
export class Board {
  readonly #notes = new Map<string, Note>();
  readonly #watchers = new Set<() => void>();
  #count = 0;

  list(): Note[] {
    return [...this.#notes.values()];
  }

  find(id: string): Note | undefined {
    return this.#notes.get(id);
  }

  save(note: Note): void {
    this.#notes.set(note.id, note);
    this.#count++;
    for (const wake of this.#watchers) wake();
  }

  /** Yields the number of changes so far: at once, and after each change. Several at a time are one. */
  async *watch(): AsyncGenerator<number> {
    let changed = Promise.withResolvers<void>();
    const wake = (): void => changed.resolve();
    this.#watchers.add(wake);
    try {
      while (true) {
        yield this.#count;
        await changed.promise;
        changed = Promise.withResolvers<void>();
      }
    } finally {
      this.#watchers.delete(wake);
    }
  }
}
