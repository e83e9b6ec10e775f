import { type HeaderSources } from "./header_sources.ts";

/**
 * What a request shows of a credential: what a verifier is told of it, `"malformed"`, or `undefined` where the request does not show it.
 */
export type ShownCredential<Input extends object = object> = Input | "malformed" | undefined;

/**
 * One place for a credential in the header fields of requests.
 *
 * @internal
 */
export interface CredentialPlace<Input extends object = object, Given = never> {
  /** The request field, in lower case. */
  readonly field: string;
  /** The place in words. Two places of one name cannot be told apart. */
  readonly place: string;
  /** Reads the credential from a request. */
  readonly read: (headers: Headers) => ShownCredential<Input>;
  /**
   * The value of the field that shows a credential. What the field has already wins where it cannot have both; `null` for none.
   * Throws a `TypeError` without the credential's text where the field cannot carry it exactly.
   */
  readonly format: (given: Given, present?: string | null) => string;
  /** Plans which credential the calls of a route send. All places carry the same, which brings it along to clients. */
  readonly plan: PlanCredential;
}

/** Plans which credential a client's calls of a route send: of which of its schemes, where a client has some of them. */
type PlanCredential = (
  schemes: readonly AcceptedScheme[],
  sources: Readonly<Record<string, unknown>>,
) => ShowCredential | undefined;

/** Adds the credential of a call to its own header fields, which win; `sources` are what they were merged of. */
export type ShowCredential = (own: Headers | undefined, sources: HeaderSources) => Promise<Headers | undefined>;

/** A scheme that a route accepts. */
export interface AcceptedScheme {
  readonly name: string;
  /** Absent for a custom scheme. */
  readonly credential?: CredentialPlace | undefined;
}
