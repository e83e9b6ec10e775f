/** Names of the written code: identifiers that follow from names of a document, whatever those contain. */

/** Words that cannot name a binding of a module, and globals that the written code uses. */
const reserved: ReadonlySet<string> = new Set(
  ("arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined var void while with yield " +
    "Array ArrayBuffer BigInt Blob Boolean Buffer Date Error File FormData Function Infinity JSON Map Math NaN Number " +
    "Object Omit Partial Pick Promise Proxy Readonly Record RegExp Request Required Response Set String Symbol URL " +
    "Uint8Array WeakMap WeakSet").split(" "),
);

/** Returns the words of a name: `listUsers`, `list-users` and `List users` have the same. */
export function toWords(name: string): string[] {
  return name.normalize("NFKC")
    .replaceAll(/['’]/g, "")
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Returns a name in camel case: `listUsers`. */
export function toCamelCase(words: readonly string[]): string {
  return toIdentifier(
    words.map((word, index) => index === 0 ? word.toLowerCase() : capitalize(word)).join(""),
    "value",
  );
}

/** Returns a name in Pascal case: `ListUsers`. */
export function toPascalCase(words: readonly string[]): string {
  return toIdentifier(words.map(capitalize).join(""), "Value");
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  const tail = rest.join("");
  return first.toUpperCase() + (word.length > 1 && word === word.toUpperCase() ? tail.toLowerCase() : tail);
}

/**
 * Letters and digits of the scripts in which documents have names. A compiler may not know those that Unicode added
 * later.
 */
const letters =
  /[A-Za-z\d]|(?=[\u00c0-\u05ff\u0620-\u06ff\u0900-\u0dff\u0e00-\u0e4f\u3040-\u30ff\u4e00-\u9fa5\uac00-\ud7a3])\p{L}/u;

/** The most characters of a name, so that lines stay readable. */
export const mostCharacters = 80;

function toIdentifier(text: string, fallback: string): string {
  const kept = [...text].filter((character) => letters.test(character)).slice(0, mostCharacters).join("");
  if (kept === "") return fallback;
  return /^\p{ID_Start}/u.test(kept) ? kept : `_${kept}`;
}

/** Names that are already taken in one scope. */
export class Names {
  readonly #taken = new Set<string>();
  /** The number behind the next one of each name that was taken several times. */
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    for (const name of taken) this.#taken.add(name);
  }

  /** Takes a name, with a number behind it if it is already taken. */
  take(name: string): string {
    let unique = name;
    let count = this.#next.get(name) ?? 2;
    while (this.#taken.has(unique)) unique = `${name}${count++}`;
    this.#next.set(name, count);
    this.#taken.add(unique);
    return unique;
  }

  /** Takes a name that can be that of a binding. */
  takeBinding(name: string): string {
    return this.take(reserved.has(name) ? `${name}_` : name);
  }
}
