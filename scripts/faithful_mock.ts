/** Mocks that do what a document says, also about credentials: for audits, which must find nothing in them. */
import { importContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { verify } from "@scope/api/server";
import { routesOf } from "../src/contract/node.ts";
import { schemesOf, type SecurityScheme } from "../src/contract/security_scheme.ts";
import { apiKeyPlaceOf } from "../src/tools/testing/encode_request.ts";

/** A mock, and the credentials that it accepts, as an audit takes them. */
export interface FaithfulMock {
  readonly serve: (request: Request) => Promise<Response>;
  readonly credentials: Readonly<Record<string, string>>;
}

const secret = "a-credential-of-the-mock";

/** Creates a mock of a document that accepts one credential for each security scheme. */
export function createFaithfulMock(document: object): FaithfulMock {
  const { contract } = importContract(document);
  const schemes = schemesOf(routesOf(contract.routes));
  const known = schemes.filter((scheme) => scheme.credential ?? apiKeyPlaceOf(scheme));
  const isBasic = ({ credential }: SecurityScheme) => credential?.place.endsWith("basic");
  const credentials = known.map((scheme) => [scheme.name, isBasic(scheme) ? `ada:${secret}` : secret] as const);
  const serve = mockContract(contract, { security: schemes.map(verifyScheme) });
  return { serve: async (request) => await serve(request), credentials: Object.fromEntries(credentials) };
}

/** Verifies the one credential of a scheme. Whoever calls is accepted where the document does not say how to show it. */
function verifyScheme(scheme: SecurityScheme): ReturnType<typeof verify> {
  const { credential, scopes } = scheme;
  const place = apiKeyPlaceOf(scheme);
  return verify(scheme, ({ request, ...shown }) => {
    const { searchParams } = new URL(request.url);
    const key = place?.place === "query" ? searchParams.get(place.name) : place && request.headers.get(place.name);
    const isKnown = credential ? Object.values(shown).includes(secret as never) : place === undefined || key === secret;
    return isKnown ? { scopes } : undefined;
  });
}
