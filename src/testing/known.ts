/** What is known to exist on a server: what the user said, and what its answers told. */
import { type JsonObject } from "../json_schema/json.ts";

/** Texts by name. */
type Texts = Readonly<Record<string, string>>;

/** How many things are remembered for each route and name: the last ones. */
const maxKnown = 16;

/** What is known to exist. */
export class Known {
  readonly #paths = new Map<string, Texts[]>();
  readonly #names = new Map<string, string[]>();
  readonly #tags = new Map<string, string>();

  /** Parameters that lead to something, by the key of a route. */
  pathsOf(key: string): readonly Texts[] {
    return this.#paths.get(key) ?? [];
  }

  /** Values of members that have the name of a parameter. */
  valuesOf(name: string): readonly string[] {
    return this.#names.get(name) ?? [];
  }

  /** The entity tag that was last seen at a path. */
  tagOf(path: string): string | undefined {
    return this.#tags.get(path);
  }

  /** Remembers parameters that lead to something. */
  addPath(key: string, params: JsonObject): void {
    add(this.#paths, key, params as Texts);
  }

  /** Remembers a value of a member that has the name of a parameter. */
  addValue(name: string, value: string): void {
    if (!this.valuesOf(name).includes(value)) add(this.#names, name, value);
  }

  /** Remembers the entity tag of a path. */
  setTag(path: string, tag: string): void {
    this.#tags.set(path, tag);
  }
}

function add<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  lists.set(key, [item, ...(lists.get(key) ?? [])].slice(0, maxKnown));
}
