/** A gateway on 127.0.0.1 to a server that restarts: a browser's page stays at the same address meanwhile. */
export class Gateway {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #sockets = new Set<Deno.Conn>();
  readonly #served = this.#serve();
  #port: number | undefined;

  get baseUrl(): string {
    return `http://localhost:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  /** Leads to a server from now on; without one, connections are cut and new ones are closed at once. */
  lead(baseUrl: string | undefined): void {
    this.#port = baseUrl === undefined ? undefined : Number(new URL(baseUrl).port);
    if (this.#port !== undefined) return;
    for (const socket of this.#sockets) close(socket);
    this.#sockets.clear();
  }

  async #serve(): Promise<void> {
    const open: Promise<void>[] = [];
    for await (const socket of this.#listener) open.push(this.#join(socket));
    await Promise.all(open);
  }

  async #join(socket: Deno.Conn): Promise<void> {
    if (this.#port === undefined) return close(socket);
    const upstream = await Deno.connect({ hostname: "127.0.0.1", port: this.#port });
    this.#sockets.add(socket).add(upstream);
    const pass = (from: Deno.Conn, to: Deno.Conn): Promise<void> => from.readable.pipeTo(to.writable).catch(() => {});
    await Promise.all([pass(socket, upstream), pass(upstream, socket)]); // which closes them
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.lead(undefined);
    this.#listener.close();
    await this.#served;
  }
}

function close(socket: Deno.Conn): void {
  try {
    socket.close();
  } catch {
    // it has been closed
  }
}
