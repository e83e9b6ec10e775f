/** One address of TCP for several servers, as a load balancer has it: each connection goes to the next that accepts one. */

export interface OneAddress extends AsyncDisposable {
  readonly host: string;
}

/** The address that a server listens on: a port of 127.0.0.1, or a file. */
export type Server = Deno.ConnectOptions | Deno.UnixConnectOptions;

export function serveAtOneAddress(servers: readonly Server[]): OneAddress {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  let turn = 0;
  const connect = async (): Promise<Deno.Conn | undefined> => {
    for (const _ of servers) {
      const server = servers[turn++ % servers.length]!;
      const connection = await connectTo(server).catch(() => undefined);
      if (connection) return connection;
    }
  };
  const carry = async (from: Deno.Conn): Promise<void> => {
    const to = await connect();
    if (to) {
      for (const connection of [from, to]) open.add(connection);
      await Promise.allSettled([from.readable.pipeTo(to.writable), to.readable.pipeTo(from.writable)]);
    }
    for (const connection of [from, to]) if (connection) close(connection);
  };
  const close = (connection: Deno.Conn): void => {
    open.delete(connection);
    try {
      connection.close();
    } catch {
      // its streams have closed it
    }
  };
  const accepting = (async () => {
    const carrying: Promise<void>[] = [];
    for await (const connection of listener) carrying.push(carry(connection));
    await Promise.all(carrying);
  })();
  return {
    host: `127.0.0.1:${listener.addr.port}`,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      for (const connection of open) close(connection);
      await accepting;
    },
  };
}

function connectTo(server: Server): Promise<Deno.Conn> {
  return "path" in server ? Deno.connect(server) : Deno.connect(server);
}
