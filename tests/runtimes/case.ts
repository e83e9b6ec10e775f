/** One behaviour that every runtime must show. */
export interface Case {
  /** What is shown, after the name of its group. */
  readonly name: string;
  /** Asks the server at `baseUrl`, and gives what is to be compared: plain data that JSON carries. */
  readonly run: (baseUrl: string) => Promise<unknown>;
  /** What it gives. */
  readonly gives: unknown;
  /** Where a runtime gives something else, and why. Each is a row of docs/runtimes.md. */
  readonly differences?: readonly Difference[];
}

/** What some runtimes give instead. */
export interface Difference {
  /** The names of the runtimes, or how they begin: `node` is every Node. */
  readonly on: readonly string[];
  /** What they give. */
  readonly gives: unknown;
  /** Why, and what it means to a user. It is in docs/runtimes.md as it is here. */
  readonly why: string;
}

/** What is documented of a case on a runtime, if that gives something of its own. */
export function differenceOn({ differences = [] }: Case, runtime: string): Difference | undefined {
  return differences.find(({ on }) => on.some((name) => `${runtime} `.startsWith(`${name} `)));
}

/** What of a response is compared: its status, some of its fields, and its body as text or JSON. */
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

/** A problem document as {@linkcode show} gives it. */
export function problem(status: number, title: string, code: string, more: object = {}): object {
  return { status, ...more, body: { type: "about:blank", title, status, code } };
}
