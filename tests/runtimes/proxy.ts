/** A proxy of HTTP on 127.0.0.1, which reports the addresses that it was asked to reach. */

/** A proxy that is running. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** The number of connections for each host and port: by CONNECT, or by a URL as the target of a request. */
  readonly countOf: (host: string) => number;
}

/** Starts it on a port that is free. */
export function startProxy(): Proxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const reached: string[] = [];
  const open = new Set<Deno.Conn>();
  const serve = async (): Promise<void> => {
    for await (const connection of listener) pass(connection, reached, open).catch(() => {}); // a closed side
  };
  const serving = serve();
  const dispose = async (): Promise<void> => {
    listener.close();
    await serving;
    for (const connection of open) close(connection);
  };
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    countOf: (host) => reached.filter((each) => each === host).length,
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * Passes a connection on to the target of its first request. The servers accept a URL as the target of a request too.
 */
async function pass(client: Deno.Conn, reached: string[], open: Set<Deno.Conn>): Promise<void> {
  open.add(client);
  const buffer = new Uint8Array(65_536);
  const beginning = buffer.subarray(0, await client.read(buffer) ?? 0);
  const [, method, target = ""] = new TextDecoder().decode(beginning).match(/^(\S+) (\S+)/) ?? [];
  const host = method === "CONNECT" ? target : new URL(target).host;
  reached.push(host);
  const [hostname = "", port] = host.split(":");
  const server = await Deno.connect({ hostname, port: Number(port) });
  open.add(server);
  if (method === "CONNECT") await client.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
  else await server.write(beginning);
  await Promise.allSettled([client.readable.pipeTo(server.writable), server.readable.pipeTo(client.writable)]);
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch { /* its streams have closed it */ }
}
