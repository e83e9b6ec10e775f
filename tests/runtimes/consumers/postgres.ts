/** A PostgreSQL server of the machine, with its own folder and port. */
import { freePort, run } from "../command.ts";

/** A server that runs until it is disposed of. */
interface Postgres extends AsyncDisposable {
  /** Creates a database, and returns its URL. */
  readonly create: (name: string) => Promise<string>;
}

/** Starts a server; returns `undefined` if the machine has none. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const bin = findPrograms();
  if (bin === undefined) return undefined;
  const port = freePort();
  const folder = await Deno.makeTempDir({ prefix: "postgres-" });
  const as = (command: string, ...args: string[]): Promise<string> => asUser(`${bin}/${command}`, args, folder);
  if (Deno.uid() === 0) {
    await run({ command: "chown", args: ["postgres", folder], cwd: "/" }); // which is not root
  }
  await as(
    "initdb",
    "-D",
    `${folder}/data`,
    "-A",
    "trust",
    "-U",
    "tasks",
    "--no-sync",
  );
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  await as(
    "pg_ctl",
    "-D",
    `${folder}/data`,
    "-o",
    options,
    "-l",
    `${folder}/log`,
    "-w",
    "start",
  );
  return {
    create: async (name) => {
      await as(
        "createdb",
        "-h",
        "127.0.0.1",
        "-p",
        String(port),
        "-U",
        "tasks",
        name,
      );
      return `postgres://tasks@127.0.0.1:${port}/${name}`;
    },
    [Symbol.asyncDispose]: async () => {
      await as("pg_ctl", "-D", `${folder}/data`, "-m", "immediate", "stop");
      await run({ command: "rm", args: ["-rf", folder], cwd: "/" });
    },
  };
}

/** The folder of the programs in Debian's packages, of the newest version. */
function findPrograms(): string | undefined {
  const folder = "/usr/lib/postgresql";
  try {
    const versions = [...Deno.readDirSync(folder)].map(({ name }) => Number(name)).toSorted((a, b) => b - a);
    return versions[0] === undefined ? undefined : `${folder}/${versions[0]}/bin`;
  } catch {
    return undefined;
  }
}

/** PostgreSQL refuses to run as root. */
async function asUser(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  return Deno.uid() === 0
    ? await run({
      command: "runuser",
      args: ["-u", "postgres", "--", command, ...args],
      cwd,
    })
    : await run({ command, args, cwd });
}
