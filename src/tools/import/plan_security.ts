/** Plans the security schemes of a document, and what routes require of them. */
import { toOneLine } from "../../messages.ts";
import { isScope } from "../../wire/credentials.ts";
import { isToken } from "../../wire/headers.ts";
import type { Json } from "../json_schema/json.ts";
import { Names, toCamelCase, toWords } from "./names.ts";
import { isPart, memberOf, type Part, toList, toPart, toText } from "./part.ts";
import type { RequirementPlan, SchemePlan, SecurityPlan } from "./plan.ts";
import { follow, followFile, listItems, type Located, memberOf as memberAt } from "../openapi/operations.ts";
import type { Source } from "./source.ts";

/** A scheme, and the place of its credential. Two schemes of one place cannot be told apart. */
interface KnownScheme {
  readonly plan: SchemePlan;
  readonly place: string;
}

/** The schemes of an entry. */
interface KnownEntry {
  readonly needed: readonly RequirementPlan[];
  /** The number of credentials that it needs in a request; at least 1. */
  readonly rank: number;
}

/** Reads the requirements of operations, and collects the schemes that they use. */
export class SecurityReader {
  readonly #source: Source;
  readonly #known = new Map<string, KnownScheme | undefined>();
  readonly #names: Names;
  readonly #schemeNames = new Names();
  readonly #scopes = new Map<string, Set<string>>();

  constructor(source: Source, taken: Iterable<string>) {
    this.#source = source;
    this.#names = new Names(taken);
  }

  /** The schemes that were used, with all of their scopes. */
  get schemes(): readonly SchemePlan[] {
    return [...this.#known.values()].flatMap((known) => {
      if (known === undefined) return [];
      const scopes = [...this.#scopes.get(known.plan.identifier) ?? []];
      return [{ ...known.plan, options: { ...(scopes.length > 0 && { scopes }), ...known.plan.options } }];
    });
  }

  /**
   * Plans a list of requirements. What is declared otherwise is added to `changes`. The first entry whose credentials a
   * request has decides, so those with more credentials come first.
   */
  read(requirements: Located, changes: string[]): SecurityPlan {
    const kept = new Map<string, KnownEntry>();
    for (const { value } of listItems(this.#source, requirements).filter((each) => isPart(each.value))) {
      this.#readEntry(Object.entries(toPart(value)), kept, changes);
    }
    const entries = [...kept.values()].toSorted((one, other) => other.rank - one.rank);
    return entries.every(({ needed }) => needed.length === 0) ? [] : entries.map(({ needed }) => needed);
  }

  #readEntry(
    named: readonly (readonly [string, unknown])[],
    kept: Map<string, KnownEntry>,
    changes: string[],
  ): void {
    const entry: (RequirementPlan & { readonly place: string })[] = [];
    const places = new Set<string>();
    for (const [name, scopes] of named) {
      const known = this.#scheme(name);
      if (known === undefined) return void changes.push(`the security scheme ${JSON.stringify(name)} is not defined`);
      const { plan: { identifier }, place } = known;
      const field = place.startsWith("authorization: ") ? "authorization" : place;
      if (places.has(field)) {
        changes.push(`${name} is not declared: one request cannot have it beside another scheme of ${field}`);
        continue;
      }
      if (place === unsent) changes.push(describeUnsent(name, known.plan));
      else places.add(field);
      const required = toList(scopes).filter((scope): scope is string => typeof scope === "string" && isScope(scope));
      for (const scope of required) this.#scopes.get(identifier)!.add(scope);
      entry.push({ identifier, scopes: [...new Set(required)], place });
    }
    const sent = entry.map(({ place }) => place).filter((place) => place !== unsent);
    const key = entry.length > 0 && sent.length === 0 ? unsent : sent.toSorted().join(" and ");
    if (kept.has(key) && key !== "") {
      changes.push(`${named.map(([name]) => name).join(" and ")} is not declared: another scheme has ${key} too`);
      return;
    }
    const needed = entry.map(({ identifier, scopes }) => ({ identifier, scopes }));
    kept.set(key, { needed, rank: Math.max(1, sent.length) });
  }

  #scheme(name: string): KnownScheme | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const components = follow(this.#source, memberAt(followFile(this.#source), "components"));
    const located = memberAt(follow(this.#source, memberAt(components, "securitySchemes")), name);
    const part = located.value === undefined ? undefined : follow(this.#source, located).part;
    const known = part && this.#plan(name, part);
    this.#known.set(name, known);
    return known;
  }

  #plan(name: string, part: Part): KnownScheme {
    const identifier = this.#names.takeBinding(toCamelCase(toWords(name)));
    this.#scopes.set(identifier, new Set(listScopes(part)));
    const { kind, options, place } = planKind(part);
    const plan: SchemePlan = {
      identifier,
      name: this.#schemeNames.take(name.replaceAll(/[^\w.-]/g, "_") || "scheme"),
      kind,
      options,
      description: toText(part.description),
    };
    return { plan, place };
  }
}

/** Returns the function of `security` that declares a scheme, and the place of its credential. */
function planKind(part: Part): Pick<SchemePlan, "kind" | "options"> & { readonly place: string } {
  const scheme = toText(part.scheme)?.toLowerCase();
  const name = toText(part.name) ?? "";
  if (part.type === "http" && scheme === "basic") return { kind: "basic", options: {}, place: "authorization: Basic" };
  if (part.type === "http" && scheme !== undefined && isToken(scheme)) {
    const isBearer = scheme === "bearer";
    const format = toText(part.bearerFormat);
    const options = { ...(!isBearer && { scheme: toText(part.scheme)! }), ...(isBearer && format && { format }) };
    return { kind: "bearer", options, place: `authorization: ${scheme}` };
  }
  if (part.type === "oauth2") {
    return { kind: "bearer", options: { oauth2: { flows: readFlows(part.flows) } }, place: "authorization: bearer" };
  }
  if (part.type === "openIdConnect" && URL.canParse(String(part.openIdConnectUrl))) {
    return {
      kind: "bearer",
      options: { openIdConnect: String(part.openIdConnectUrl) },
      place: "authorization: bearer",
    };
  }
  if (part.type === "apiKey" && part.in === "cookie" && isToken(name)) {
    return { kind: "cookie", options: { cookie: name }, place: `the cookie ${name}` };
  }
  const header = name.toLowerCase();
  if (
    part.type === "apiKey" && part.in === "header" && isToken(header) && !["authorization", "cookie"].includes(header)
  ) {
    return { kind: "apiKey", options: { header }, place: `the header ${header}` };
  }
  const { type, in: place } = part;
  const openapi: Json = type === "apiKey" ? { type, in: String(place), name } : { type: String(type) };
  return { kind: "custom", options: { challenge: "ApiKey", openapi }, place: unsent };
}

/** Says how a client sends the credential of a scheme that contracts do not have. */
function describeUnsent(name: string, { options }: SchemePlan): string {
  const { type, in: place, name: field } = toPart(options.openapi);
  const way = type !== "apiKey"
    ? 'in "fetch"'
    : place === "query"
    ? `as the query parameter ${field}, in "fetch"`
    : `as the ${place} ${field}, in "headers"`;
  return toOneLine(`clients do not send the credential ${JSON.stringify(name)}: add it ${way}`);
}

/** The place of the credentials of custom schemes. */
const unsent = "a credential that clients do not send";

/** Returns the flows of OAuth as the document has them, without extensions. */
function readFlows(flows: unknown): Json {
  const names = ["implicit", "password", "clientCredentials", "authorizationCode"];
  return Object.fromEntries(
    names.filter((name) => isPart(memberOf(flows, name))).map((name) => {
      const flow = toPart(memberOf(flows, name));
      const urls = ["authorizationUrl", "tokenUrl", "refreshUrl"].filter((each) => toText(flow[each]) !== undefined);
      const scopes = Object.entries(toPart(flow.scopes)).map(([scope, text]) => [scope, String(text)] as const);
      return [name, {
        ...Object.fromEntries(urls.map((each) => [each, String(flow[each])])),
        scopes: Object.fromEntries(scopes),
      }];
    }),
  );
}

function listScopes(part: Part): string[] {
  const names = Object.values(toPart(part.flows)).flatMap((flow) => Object.keys(toPart(toPart(flow).scopes)));
  return names.filter(isScope);
}
