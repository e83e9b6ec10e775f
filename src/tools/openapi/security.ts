/** Describes the security schemes, and the requirements of each operation. */
import type { RouteNode } from "../../contract/node.ts";
import {
  requirementsOf,
  type SchemeKind,
  schemesOf,
  type Security,
  type SecurityScheme,
} from "../../contract/security_scheme.ts";
import { suggestName } from "./options.ts";
import type { OpenApiFlow, OpenApiSecurityRequirement, OpenApiSecurityScheme } from "./types.ts";

export function describeSchemes(routes: readonly RouteNode[]): Record<string, OpenApiSecurityScheme> | undefined {
  const schemes = schemesOf(routes);
  if (schemes.length === 0) return undefined;
  return Object.fromEntries(schemes.map((scheme) => [scheme.name, describeScheme(scheme)]));
}

/** What each flow of OAuth 2.0 needs (OpenAPI 3.2, "OAuth Flow Object"). */
const flowUrls: Readonly<Record<string, readonly string[]>> = {
  implicit: ["authorizationUrl"],
  password: ["tokenUrl"],
  clientCredentials: ["tokenUrl"],
  authorizationCode: ["authorizationUrl", "tokenUrl"],
  deviceAuthorization: ["deviceAuthorizationUrl", "tokenUrl"],
};

/**
 * Checks the OAuth 2.0 flows of the schemes of routes: their names, their URLs, and that one of them lists each scope
 * that a route requires.
 */
export function checkFlows(
  routes: readonly RouteNode[],
  { version, fail }: { readonly version: "3.1" | "3.2"; readonly fail: (state: string) => never },
): void {
  for (const { name, scopes, options: { oauth2 } } of schemesOf(routes)) {
    if (oauth2 === undefined) continue;
    const known = Object.keys(flowUrls).filter((flow) => version === "3.2" || flow !== "deviceAuthorization");
    const where = `the security scheme ${JSON.stringify(name)}`;
    const flows = Object.entries(oauth2.flows);
    if (flows.length === 0) fail(`${where} has no OAuth flow (allowed: ${known.join(", ")})`);
    for (const [flow, given] of flows) {
      if (!known.includes(flow)) {
        const hint = flow === "deviceAuthorization" ? '; pass version: "3.2"' : suggestName(flow, known);
        fail(`${where} has an unknown OAuth flow ${JSON.stringify(flow)}${hint} (allowed: ${known.join(", ")})`);
      }
      const missing = flowUrls[flow]!.find((url) => typeof Reflect.get(Object(given), url) !== "string");
      if (missing !== undefined) fail(`${where}: the OAuth flow ${flow} must have the URL ${JSON.stringify(missing)}`);
    }
    const listed = flows.flatMap(([, flow]) => "scopes" in flow ? Object.keys(Object(flow.scopes)) : scopes);
    const required = routes.flatMap((route) => requirementsOf(route.security ?? []).map((each) => ({ route, ...each })))
      .filter(({ scheme }) => scheme.name === name);
    for (const { route, scopes: needed } of required) {
      const unlisted = needed.find((scope) => !listed.includes(scope));
      if (unlisted !== undefined) {
        fail(`${where} has no OAuth flow with the scope ${JSON.stringify(unlisted)}, which ${route.key} requires`);
      }
    }
  }
}

function describeScheme(scheme: SecurityScheme): OpenApiSecurityScheme {
  const { description } = scheme.options;
  return { ...describeKind[scheme.kind](scheme), ...(description !== undefined && { description }) };
}

/** Describes each kind of scheme. The options that a kind requires are always set. */
const describeKind: Readonly<Record<SchemeKind, (scheme: SecurityScheme) => OpenApiSecurityScheme>> = {
  bearer: describeBearer,
  basic: () => ({ type: "http", scheme: "basic" }),
  apiKey: ({ options: { header } }) => ({ type: "apiKey", in: "header", name: header! }),
  cookie: ({ options: { cookie } }) => ({ type: "apiKey", in: "cookie", name: cookie! }),
  signature: ({ options: { openapi, headers } }) =>
    openapi as OpenApiSecurityScheme | undefined ?? { type: "apiKey", in: "header", name: headers![0] },
  custom: ({ options: { openapi } }) => openapi as unknown as OpenApiSecurityScheme, // the author of the scheme supplies it
};

function describeBearer({ scopes, options }: SecurityScheme): OpenApiSecurityScheme {
  const { scheme = "Bearer", format, oauth2, openIdConnect } = options;
  if (oauth2) {
    const own = Object.fromEntries(scopes.map((scope) => [scope, ""]));
    const flows = Object.entries(oauth2.flows).map(([name, flow]): [string, OpenApiFlow] => [
      name,
      { scopes: own, ...flow },
    ]);
    return { type: "oauth2", flows: Object.fromEntries(flows) };
  }
  if (openIdConnect !== undefined) return { type: "openIdConnect", openIdConnectUrl: openIdConnect };
  const name = scheme.toLowerCase();
  const bearerFormat = name === "bearer" ? format : undefined; // OpenAPI defines bearerFormat only for bearer
  return { type: "http", scheme: name, ...(bearerFormat !== undefined && { bearerFormat }) };
}

/**
 * Lists the security requirements of a route in declaration order: scopes by scheme name, and `{}` for callers without
 * a credential.
 */
export function describeSecurity(security: Security | undefined): OpenApiSecurityRequirement[] | undefined {
  return security?.map((entry) =>
    Object.fromEntries(requirementsOf([entry]).map(({ scheme, scopes }) => [scheme.name, scopes]))
  );
}
