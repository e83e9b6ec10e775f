/** The options of an audit. */
import type { RouteNode } from "../../contract/node.ts";
import { requirementsOf, type SecurityScheme } from "../../contract/security_scheme.ts";
import { describeConfidential, describeValue } from "../../messages.ts";
import { apiKeyPlaceOf, type Caller, formatCredential, showCredential } from "../testing/encode_request.ts";
import type { TestedRoute } from "../testing/route_plan.ts";
import type { TargetHandler } from "../testing/target.ts";
import { basicCredential, encodeBase64 } from "../../wire/credentials.ts";
import { isFieldValue, isToken } from "../../wire/headers.ts";
import {
  aBoolean,
  aCount,
  aPositiveCount,
  checkSettings,
  failAt,
  isListOfTexts,
  someTexts,
  type ValueRule,
} from "../../options.ts";

/** The options of {@linkcode auditServer}. */
export interface AuditOptions {
  /**
   * Credentials by the names of the document's security schemes: a token, an API key, the value of a cookie, or
   * `username:password`. The report masks them. Default: none.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Header fields of every request. The report masks their values, except those of fields such as `accept`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Values that the server accepts, such as ids of things that exist, by the names of parameters in paths, queries and
   * headers, and of the members of bodies. Default: none.
   */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether to call the operations that may change something. Methods that the document does not declare for a path are
   * never sent, except for GET and HEAD. Default: `false`.
   */
  readonly write?: boolean;
  /** The operations to audit: their ids, tags or paths. Default: all. */
  readonly only?: readonly string[];
  /** The most requests in a second. Default: no limit, but one request at a time. */
  readonly rate?: number;
  /** The most requests of the audit. Default: 5000. */
  readonly maxRequests?: number;
  /** The most seconds of the audit. Default: 600. */
  readonly maxSeconds?: number;
  /** The most milliseconds that a response may take. Default: 5000. */
  readonly timeout?: number;
  /** The seed of the random requests: a non-negative integer. The same seed generates the same requests. Default: 0. */
  readonly seed?: number;
}

export interface AuditSettings extends Required<Omit<AuditOptions, "only">> {
  readonly only: readonly string[] | undefined;
}

const defaults: AuditSettings = {
  credentials: {},
  headers: {},
  values: {},
  write: false,
  only: undefined,
  rate: Infinity,
  maxRequests: 5_000,
  maxSeconds: 600,
  timeout: 5_000,
  seed: 0,
};

const aPositiveNumber: ValueRule = ["a positive number", (value) => typeof value === "number" && value > 0];

const rules = {
  credentials: undefined,
  headers: undefined,
  values: undefined,
  write: aBoolean,
  only: someTexts,
  rate: aPositiveNumber,
  maxRequests: aPositiveCount,
  maxSeconds: aPositiveNumber,
  timeout: aPositiveCount,
  seed: aCount,
} satisfies Readonly<Record<keyof AuditSettings, ValueRule | undefined>>;

const where = "Cannot audit";

export function failAudit(state: string): never {
  failAt(where, state);
}

export function readAuditSettings(options: AuditOptions): AuditSettings {
  checkSettings(options, rules, where);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings: AuditSettings = { ...defaults, ...Object.fromEntries(given) };
  const { credentials, values } = settings;
  checkTexts("credentials", credentials);
  for (const [name, list] of Object.entries(values)) {
    if (isListOfTexts(list)) continue;
    failAudit(`"values" must have an array of texts for ${JSON.stringify(name)}, got ${describeValue(list)}`);
  }
  return { ...settings, headers: readFields(settings.headers ?? {}) };
}

function checkTexts(option: string, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(Object(texts))) {
    if (typeof text === "string" && text !== "") continue;
    const got = text === "" ? "an empty one" : describeConfidential(text);
    failAudit(`"${option}" must have a text for ${JSON.stringify(name)}, got ${got}`);
  }
}

/** Checks header fields, and returns them by lowercase name. Messages do not contain their values. */
function readFields(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  checkTexts("headers", fields);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!isToken(name)) failAudit(`${JSON.stringify(name)} is not the name of a header field`);
      if (!isFieldValue(value)) failAudit(`the header field ${name} must have text without line breaks`);
      return [name.toLowerCase(), value] as const;
    }),
  );
}

export function readCredentials(
  given: AuditSettings["credentials"],
  nodes: readonly RouteNode[],
): ReadonlyMap<string, unknown> {
  const requirements = nodes.flatMap(({ security = [] }) => requirementsOf(security));
  const schemes = new Map(requirements.map(({ scheme }) => [scheme.name, scheme]));
  return new Map(
    Object.entries(given).map(([name, text]) => {
      const scheme = schemes.get(name) ?? schemes.get(name.replaceAll(/[^\w.-]/g, "_")); // as an import names it
      if (scheme === undefined) {
        const known = [...schemes.keys()].join(", ");
        failAudit(
          `no operation requires the security scheme ${JSON.stringify(name)}; ${
            known === "" ? "the document requires none" : `the schemes are ${known}`
          }`,
        );
      }
      return [scheme.name, toCredential(scheme, text)] as const;
    }),
  );
}

/** Converts the text of a credential to the form of its scheme. Messages do not contain it. */
function toCredential(scheme: SecurityScheme, text: string): unknown {
  const { credential, name } = scheme;
  const place = apiKeyPlaceOf(scheme);
  if (place?.place === "header" && !isFieldValue(text)) {
    failAudit(`the credential ${JSON.stringify(name)} must be one line`);
  }
  if (place !== undefined) return text;
  if (!credential) failAudit(`an audit cannot send the credential ${JSON.stringify(name)}; pass it as a header field`);
  const [username = "", ...rest] = text.split(":");
  const isBasic = credential.place === basicCredential.place;
  if (isBasic && rest.length === 0) {
    failAudit(`the credential ${JSON.stringify(name)} must have the form username:password`);
  }
  const form = isBasic ? { username, password: rest.join(":") } : text;
  try {
    formatCredential(credential, form);
  } catch (error) {
    failAudit(`the credential ${JSON.stringify(name)} is invalid: ${error instanceof Error ? error.message : ""}`);
  }
  return form;
}

/** Lists the texts that a report masks: the credentials of the audit, in every form that a server may repeat. */
export function secretsOf(
  plans: Iterable<TestedRoute>,
  caller: Caller,
  { credentials, headers }: Pick<AuditSettings, "credentials" | "headers">,
): string[] {
  const texts = Object.values(credentials);
  const passwords = [...caller.credentials.values()].flatMap((each) =>
    typeof each === "object" && each !== null ? String((each as { readonly password?: unknown }).password) : []
  );
  const shown = [...plans].flatMap((plan) => Object.values(showCredential(plan, caller)));
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    confidential.test(name) ? splitField(value) : value.length >= 8 && !isHarmless(name) ? [value] : []
  );
  const parts = [...texts, ...passwords, ...shown.flatMap(splitField), ...fields];
  const all = [...parts, ...parts.map((part) => encodeBase64(part.toWellFormed()))];
  return [...new Set(all)].toSorted((one, other) => other.length - one.length); // a part of one may be another
}

/** Tests whether the values of a header field say nothing that a report should mask. */
export function isHarmless(name: string): boolean {
  return /^(?:accept(?:-.+)?|cache-control|content-.+|prefer|user-agent)$/.test(name);
}

const confidential = /auth|cookie|key|token|secret|pass|session/;

/** Returns the value of a header field, and its parts: a server may repeat the token without `Bearer`. */
function splitField(value: string): string[] {
  return [value, ...value.split(/[\s;,]+/).flatMap((part) => [part, part.slice(part.indexOf("=") + 1)])]
    .filter((part) => part.length > 3 && !/^(?:basic|bearer|token)$/i.test(part));
}

export interface AuditTarget {
  /** The origin of a URL, or a handler. */
  readonly server: string | TargetHandler;
  /** The path that replaces that of the document's servers; `undefined` to keep theirs. */
  readonly basePath: string | undefined;
}

export function readTarget(target: string | URL | TargetHandler): AuditTarget {
  if (typeof target === "function") return { server: (request) => target(request), basePath: undefined };
  const text = String(target);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    failAudit(`the server must be a URL like http://127.0.0.1:3000, got ${describeValue(text)}`);
  }
  if (url.username !== "" || url.password !== "") {
    failAudit("the URL of the server must have no username and password; pass them as a credential");
  }
  if (url.search !== "" || url.hash !== "") failAudit("the URL of the server must have no query and no fragment");
  const isBare = target instanceof URL && url.pathname === "/"; // which such an object always has
  const hasPath = /^[a-z]+:\/\/[^/]*\//i.test(text) && !isBare;
  return { server: url.origin, basePath: hasPath ? url.pathname.replace(/(?<!\/)\/+$/, "") : undefined };
}
