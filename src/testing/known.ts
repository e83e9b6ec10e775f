/** The things that are known to exist on a server: from the user, and from responses. */
import { type JsonObject } from "../json_schema/json.ts";

/** Texts by name. */
type Texts = Readonly<Record<string, string>>;

/** How many things are remembered for each route and each name. Newer ones replace older ones. */
const maxKnown = 16;

/** The things that are known to exist. */
export class Known {
  readonly #paths = new Map<string, Texts[]>();
  readonly #names = new Map<string, string[]>();
  readonly #tags = new Map<string, string>();

  /** Returns path parameters that identify something, by the key of a route. */
  pathsOf(key: string): readonly Texts[] {
    return this.#paths.get(key) ?? [];
  }

  /** Returns the values of members that have the name of a path parameter. */
  valuesOf(name: string): readonly string[] {
    return this.#names.get(name) ?? [];
  }

  /** Returns the last entity tag of a path. */
  tagOf(path: string): string | undefined {
    return this.#tags.get(path);
  }

  /** Remembers path parameters that identify something. */
  addPath(key: string, params: JsonObject): void {
    add(this.#paths, key, params as Texts);
  }

  /** Remembers the value of a member that has the name of a path parameter. */
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
