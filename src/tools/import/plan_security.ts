/** Plans the security schemes of a document, and what routes require of them. */
import { toOneLine } from "../../messages.ts";
import { isScope } from "../../wire/credentials.ts";
import { isToken } from "../../wire/headers.ts";
import type { Json } from "../json_schema/json.ts";
import { Names, toCamelCase, toWords } from "../code/names.ts";
import { isPart, ownMember, type Part, toList, toPart, toText } from "../openapi/part.ts";
import type { RequirementPlan, SchemePlan, SecurityPlan } from "./plan.ts";
import { type Planned, toPlanned } from "./planned.ts";
import { documentPart, listItems, type Located, memberOf, resolvePart } from "../openapi/operations.ts";
import type { Source } from "./source.ts";

/** A scheme, and the place of its credential. Two schemes of one place cannot be told apart. */
interface KnownScheme {
  readonly plan: SchemePlan;
  readonly place: string;
  /** The scopes that its OAuth flows list; `undefined` if it has none. */
  readonly listed: ReadonlySet<string> | undefined;
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
      const options = withScopes(known.plan.options, scopes);
      return [{ ...known.plan, options: { ...(scopes.length > 0 && { scopes }), ...options } }];
    });
  }

  /**
   * Plans a list of requirements. The first entry whose credentials a request has decides, so those with more
   * credentials come first.
   */
  read(requirements: Located): Planned<SecurityPlan> {
    const kept = new Map<string, KnownEntry>();
    const changes: string[] = [];
    for (const { value } of listItems(this.#source, requirements).filter((each) => isPart(each.value))) {
      const { planned, changes: lost } = this.#readEntry(Object.entries(toPart(value)));
      changes.push(...lost);
      if (planned === undefined) continue;
      const { key, ...entry } = planned;
      if (!kept.has(key) || key === "") kept.set(key, entry);
      else changes.push(`${Object.keys(toPart(value)).join(" and ")} is not declared: another scheme has ${key} too`);
    }
    const entries = [...kept.values()].toSorted((one, other) => other.rank - one.rank);
    const isPublic = entries.every(({ needed }) => needed.length === 0);
    return toPlanned(isPublic ? [] : entries.map(({ needed }) => needed), ...changes);
  }

  /** Plans an entry. `undefined` if the document does not define one of its schemes. */
  #readEntry(
    named: readonly (readonly [string, unknown])[],
  ): Planned<(KnownEntry & { readonly key: string }) | undefined> {
    const needed: RequirementPlan[] = [];
    const sent: string[] = [];
    const fields = new Set<string>();
    const changes: string[] = [];
    for (const [name, scopes] of named) {
      const known = this.#scheme(name);
      if (known === undefined) {
        return toPlanned(undefined, ...changes, `the security scheme ${JSON.stringify(name)} is not defined`);
      }
      const { plan: { identifier }, place } = known;
      const field = place.startsWith("authorization: ") ? "authorization" : place;
      if (fields.has(field)) {
        changes.push(`${name} is not declared: one request cannot have it beside another scheme of ${field}`);
        continue;
      }
      if (place === unsent) changes.push(describeUnsent(name, known.plan));
      else {
        fields.add(field);
        sent.push(place);
      }
      const required = toList(scopes).filter((scope): scope is string => typeof scope === "string" && isScope(scope));
      const unlisted = known.listed && required.filter((scope) => !known.listed!.has(scope));
      if (unlisted && unlisted.length > 0) {
        changes.push(
          `no flow of ${name} lists the scope ${unlisted.map((scope) => JSON.stringify(scope)).join()}; all do`,
        );
      }
      for (const scope of required) this.#scopes.get(identifier)!.add(scope);
      needed.push({ identifier, scopes: [...new Set(required)] });
    }
    const key = needed.length > 0 && sent.length === 0 ? unsent : sent.toSorted().join(" and ");
    return toPlanned({ key, needed, rank: Math.max(1, sent.length) }, ...changes);
  }

  #scheme(name: string): KnownScheme | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const components = resolvePart(this.#source, memberOf(documentPart(this.#source), "components"));
    const located = memberOf(resolvePart(this.#source, memberOf(components, "securitySchemes")), name);
    const part = located.value === undefined ? undefined : resolvePart(this.#source, located).part;
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
    return { plan, place, listed: part.type === "oauth2" ? new Set(listScopes(part)) : undefined };
  }
}

/** Adds scopes that routes require to the flows of a scheme, if none lists them. */
function withScopes(options: SchemePlan["options"], scopes: readonly string[]): SchemePlan["options"] {
  const { flows } = toPart(options["oauth2"]);
  if (!isPart(flows)) return options;
  const listed = Object.values(flows).flatMap((flow) => Object.keys(toPart(toPart(flow).scopes)));
  const missing = scopes.filter((scope) => !listed.includes(scope));
  if (missing.length === 0) return options;
  const added = Object.fromEntries(missing.map((scope) => [scope, ""]));
  const widened = Object.entries(flows).map(([name, flow]) => {
    const part = toPart(flow);
    return [name, { ...part, scopes: { ...toPart(part.scopes), ...added } }] as const;
  });
  return { ...options, oauth2: { flows: Object.fromEntries(widened) } as Json };
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
    names.filter((name) => isPart(ownMember(flows, name))).map((name) => {
      const flow = toPart(ownMember(flows, name));
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
