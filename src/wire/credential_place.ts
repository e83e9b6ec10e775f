import { type HeaderSources } from "./header_sources.ts";

/** The credential in a request: the verifier's input, `"malformed"`, or `undefined` if the request has none. */
export type ShownCredential<Input extends object = object> = Input | "malformed" | undefined;

/**
 * A header for a credential, and its format.
 *
 * @internal
 */
export interface CredentialPlace<Input extends object = object, Value = never> {
  /** The name of the request header, in lowercase. */
  readonly field: string;
  /** A description of the place. Credentials with the same place cannot be told apart. */
  readonly place: string;
  /** Reads the credential from a request. */
  readonly read: (headers: Headers) => ShownCredential<Input>;
  /**
   * Formats the value of the header. If the header can carry only one credential, a present value wins. `null` means
   * none. Throws a `TypeError` that does not contain the credential if the header cannot carry it exactly.
   */
  readonly format: (value: Value, present?: string | null) => string;
  /**
   * Plans which credential the calls of a route send. Every place has the same function, so only clients with security
   * bundle it.
   */
  readonly plan: PlanCredential;
}

/**
 * Plans which credential a client's calls of a route send: one of the schemes for which the client has a credential.
 */
type PlanCredential = (
  schemes: readonly AcceptedScheme[],
  sources: Readonly<Record<string, unknown>>,
) => ShowCredential | undefined;

/** Adds the credential of a call to its own headers, which win. `sources` are the headers that were merged. */
export type ShowCredential = (own: Headers | undefined, sources: HeaderSources) => Promise<Headers | undefined>;

/** A scheme that a route accepts. */
export interface AcceptedScheme {
  readonly name: string;
  /** `undefined` for a custom scheme. */
  readonly credential?: CredentialPlace | undefined;
}
