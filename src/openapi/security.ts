/** What a document says of security: the schemes, and what each operation requires. */
import { type RouteNode } from "../contract/node.ts";
import { isMarked } from "../mark.ts";
import { requirementsOf } from "../contract/security_list.ts";
import { type SchemeKind, type Security, type SecurityScheme } from "../contract/security_scheme.ts";
import { type OpenApiFlow, type OpenApiSecurityRequirement, type OpenApiSecurityScheme } from "./types.ts";

/** The security schemes of routes, by name; `undefined` where there are none. */
export function describeSchemes(routes: readonly RouteNode[]): Record<string, OpenApiSecurityScheme> | undefined {
  const schemes = routes.flatMap(({ security = [] }) => requirementsOf(security).map(({ scheme }) => scheme));
  if (schemes.length === 0) return undefined;
  return Object.fromEntries(schemes.map((scheme) => [scheme.name, describeScheme(scheme)]));
}

function describeScheme(scheme: SecurityScheme): OpenApiSecurityScheme {
  const { description } = scheme.options;
  return { ...describeKind[scheme.kind](scheme), ...(description !== undefined && { description }) };
}

/** What a document says of each kind. Options that a kind requires are there. */
const describeKind: Readonly<Record<SchemeKind, (scheme: SecurityScheme) => OpenApiSecurityScheme>> = {
  bearer: describeBearer,
  basic: () => ({ type: "http", scheme: "basic" }),
  apiKey: ({ options: { header } }) => ({ type: "apiKey", in: "header", name: header! }),
  cookie: ({ options: { cookie } }) => ({ type: "apiKey", in: "cookie", name: cookie! }),
  custom: ({ options: { openapi } }) => openapi as unknown as OpenApiSecurityScheme, // whose author answers for it
};

function describeBearer({ scopes, options }: SecurityScheme): OpenApiSecurityScheme {
  const { scheme = "Bearer", format, oauth2, openIdConnect } = options;
  if (oauth2) {
    const own = Object.fromEntries(scopes.map((scope) => [scope, ""]));
    const flows = Object.entries(oauth2.flows).map(([name, flow]) => [name, { scopes: own, ...flow } as OpenApiFlow]);
    return { type: "oauth2", flows: Object.fromEntries(flows) };
  }
  if (openIdConnect !== undefined) return { type: "openIdConnect", openIdConnectUrl: openIdConnect };
  const name = scheme.toLowerCase();
  const bearerFormat = name === "bearer" ? format : undefined; // which OpenAPI has for no other scheme
  return { type: "http", scheme: name, ...(bearerFormat !== undefined && { bearerFormat }) };
}

/** The security requirements of a route, in their order: scopes by the name of a scheme, and `{}` for callers without a credential. */
export function describeSecurity(security: Security | undefined): OpenApiSecurityRequirement[] | undefined {
  return security?.map((entry) => {
    if (isMarked(entry, "no security")) return {};
    const [requirement] = requirementsOf([entry]);
    return { [entry.name]: requirement!.scopes };
  });
}
