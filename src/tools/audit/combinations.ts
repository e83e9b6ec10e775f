/** Tells a server that refuses a value from one that refuses several values together, which no document can say. */
import { isJsonObject, type Json, type JsonObject } from "../json_schema/json.ts";
import type { Finding } from "../testing/finding.ts";
import type { TestRun } from "../testing/test_run.ts";
import { parseBody, pathOf, type WireRequest } from "../testing/wire_request.ts";

/**
 * Returns a finding, as a hint if the server accepts each part of the refused request within another one, such as an end
 * that is before its beginning.
 */
export async function readRefusal(finding: Finding, run: TestRun): Promise<Finding> {
  const accepted = run.accepted.get(finding.route) ?? [];
  const refused = finding.requests.at(-1);
  if (!isAboutValues(finding) || refused === undefined || accepted.length === 0) return finding;
  const parts = readParts(refused);
  const names = new Set([parts, ...accepted.map(readParts)].flatMap((each) => [...each.keys()]));
  for (const name of names) if (!await isFine(name, parts.get(name))) return finding;
  return { ...finding, isHint: true, state: `${finding.state}, and accepts each of its values beside others` };

  /** Tests whether the server accepts a part of the refused request, or its absence, in one of the accepted ones. */
  async function isFine(name: string, part: Json | undefined): Promise<boolean> {
    for (const other of accepted) {
      const changed = withPart(other, name, part);
      const answer = changed && await run.send(changed, { limit: run.limit, isStream: () => false });
      if (answer && !("state" in answer) && answer.status < 400) return true;
    }
    return false;
  }
}

export function isAboutValues({ rule, status }: Finding): boolean {
  return rule === "valid-refused" && (status === 400 || status === 422);
}

/** Returns the parts of a request that may be refused: its path, its parameters, and the members of its body. */
function readParts({ path, headers, body }: WireRequest): ReadonlyMap<string, Json> {
  const query = new URLSearchParams(path.slice(pathOf(path).length));
  const members = readMembers(body);
  return new Map<string, Json>([
    ["path", pathOf(path)],
    ...[...new Set(query.keys())].map((name): [string, Json] => [`query ${name}`, query.getAll(name)]),
    ...Object.entries(headers).map(([name, value]): [string, Json] => [`header ${name}`, value]),
    ...Object.entries(members ?? {}).map(([name, value]): [string, Json] => [`body ${name}`, value]),
  ]);
}

function readMembers(body: Uint8Array | undefined): JsonObject | undefined {
  const value = parseBody(body) as Json | undefined; // parsed JSON
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/** Returns a request with another part, or without it; `undefined` if it cannot have that. */
function withPart(request: WireRequest, part: string, value: Json | undefined): WireRequest | undefined {
  const [place = "", name = ""] = /^(\w+) ?(.*)$/s.exec(part)?.slice(1) ?? [];
  const path = pathOf(request.path);
  const search = request.path.slice(path.length);
  if (place === "path") return { ...request, path: `${value}${search}` };
  if (place === "query") {
    const query = new URLSearchParams(search);
    query.delete(name);
    for (const text of value === undefined ? [] : value as readonly string[]) query.append(name, text);
    return { ...request, path: query.size === 0 ? path : `${path}?${query}` };
  }
  const others = (own: JsonObject): JsonObject => {
    const entries = Object.entries(own).filter(([each]) => each !== name);
    return Object.fromEntries(value === undefined ? entries : [...entries, [name, value]]);
  };
  if (place === "header") return { ...request, headers: others(request.headers) as WireRequest["headers"] };
  const members = readMembers(request.body);
  return members && { ...request, body: new TextEncoder().encode(JSON.stringify(others(members))) };
}
