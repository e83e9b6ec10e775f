/** The header `link` (RFC 8288). */

/** A link: its target, then its parameters. Quoted text may contain the separators of links. */
const linkPattern = /<([^<>]*)>((?:[^,"<]|"(?:[^"\\]|\\.)*"?)*)/gs;

/** A parameter with a value: its name, then the value, quoted or bare. */
const parameterPattern = /;\s*([^\s=;,"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;,"]*))/gs;

/**
 * Returns the target of the first link with a relation type, which must be in lowercase. `undefined` if there is none.
 */
export function findLink(field: string, relation: string): string | undefined {
  for (const [, target, text = ""] of field.matchAll(linkPattern)) {
    const parameters = readParameters(text);
    if (parameters.has("anchor")) continue; // it is a link of another resource (section 3.2)
    if (parameters.get("rel")?.toLowerCase().split(/\s+/).includes(relation)) return target;
  }
}

/** Returns the parameters of a link by lowercase name. If a name is repeated, the first one counts (section 3.3). */
function readParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, bare = ""] of text.matchAll(parameterPattern)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/gs, "$1") ?? bare);
  }
  return parameters;
}
