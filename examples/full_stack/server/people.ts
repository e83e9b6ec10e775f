/** Who has the board open, and who of them is writing. */
import type { ServerSocket } from "@scope/api";

interface Person {
  readonly name: string;
  readonly isWriting: boolean;
}

type PersonSocket = ServerSocket<{ isWriting: boolean }, Person[]>;

export class People {
  readonly #present = new Map<PersonSocket, Person>();

  /** Runs while a page is open, and tells all pages of each change. */
  async join(name: string, socket: PersonSocket): Promise<void> {
    try {
      this.#set(socket, { name, isWriting: false });
      for await (const { isWriting } of socket) this.#set(socket, { name, isWriting });
    } finally {
      this.#present.delete(socket); // the page was closed, or its network has gone
      this.#tellAll();
    }
  }

  #set(socket: PersonSocket, person: Person): void {
    this.#present.set(socket, person);
    this.#tellAll();
  }

  #tellAll(): void {
    const people = [...this.#present.values()];
    for (const socket of this.#present.keys()) void socket.send(people);
  }
}
