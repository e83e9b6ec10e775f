/** Describes the security schemes, and the requirements of each operation. */
import type { RouteNode } from "../../contract/node.ts";
import {
  requirementsOf,
  type SchemeKind,
  schemesOf,
  type Security,
  type SecurityScheme,
} from "../../contract/security_scheme.ts";
import type { OpenApiFlow, OpenApiSecurityRequirement, OpenApiSecurityScheme } from "./types.ts";

/** Describes the security schemes of routes by name; `undefined` if there are none. */
export function describeSchemes(routes: readonly RouteNode[]): Record<string, OpenApiSecurityScheme> | undefined {
  const schemes = schemesOf(routes);
  if (schemes.length === 0) return undefined;
  return Object.fromEntries(schemes.map((scheme) => [scheme.name, describeScheme(scheme)]));
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
