/** One behaviour that every runtime must show. */
export interface Case {
  /** The behavior, after the name of its group. */
  readonly name: string;
  /** Calls the server at `baseUrl`, and returns plain JSON data for the comparison. */
  readonly run: (baseUrl: string) => Promise<unknown>;
  /** The expected result. */
  readonly gives: unknown;
  /** The runtimes with another result, and the reason. Each is a row of docs/runtimes.md. */
  readonly differences?: readonly Difference[];
}

/** Another result on some runtimes. */
export interface Difference {
  /** The names of the runtimes, or how they begin: `node` is every Node. */
  readonly on: readonly string[];
  /** Their result. */
  readonly gives: unknown;
  /** The reason, and its meaning for a user. docs/runtimes.md has the same text. */
  readonly why: string;
}

/** The documented difference of a case on a runtime, if it has one. */
export function differenceOn({ differences = [] }: Case, runtime: string): Difference | undefined {
  return differences.find(({ on }) => on.some((name) => `${runtime} `.startsWith(`${name} `)));
}

/** The compared parts of a response: its status, some of its fields, and its body as text or JSON. */
export async function show(
  response: Response,
  ...fields: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text();
  return {
    status: response.status,
    ...Object.fromEntries(fields.map((name) => [name, response.headers.get(name)])),
    body: /[/+]json/.test(type) && text !== "" ? JSON.parse(text) : text,
  };
}

/** A problem document as {@linkcode show} returns it. */
export function problem(status: number, title: string, code: string, more: object = {}): object {
  return { status, ...more, body: { type: "about:blank", title, status, code } };
}
