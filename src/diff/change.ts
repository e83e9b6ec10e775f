/** The changes of a contract. */
import { type Json } from "../json_schema/json.ts";

/**
 * What a change does to an old client of the new server:
 *
 * - `breaking`: a call that worked fails, or a response differs from the contract of the client.
 * - `unproven`: it could neither be proven that nothing breaks, nor was a value found that breaks.
 * - `source`: the wire is the same, but code that is compiled against the new contract must change.
 * - `compatible`: nothing breaks. It is listed for changelogs.
 */
export type ChangeVerdict = "breaking" | "unproven" | "source" | "compatible";

/** The kinds of changes. */
export type ChangeRule =
  | "route-added"
  | "route-removed"
  | "route-shadows"
  | "key-renamed"
  | "parameter-renamed"
  | "request-narrowed"
  | "request-widened"
  | "request-changed"
  | "response-narrowed"
  | "response-widened"
  | "response-changed"
  | "default-changed"
  | "body-added"
  | "body-removed"
  | "body-required"
  | "body-optional"
  | "body-limit-changed"
  | "content-type-added"
  | "content-type-removed"
  | "representation-changed"
  | "status-added"
  | "status-removed"
  | "success-removed"
  | "security-narrowed"
  | "security-widened"
  | "schema-unknown";

/** One change of a contract, as {@linkcode diffContracts} lists it. */
export interface Change {
  /** What it does to an old client of the new server. */
  readonly verdict: ChangeVerdict;
  /** The kind of change. */
  readonly rule: ChangeRule;
  /** The dotted key of the route, such as `users.byId`. In documents, the operation id, or method and path. */
  readonly route: string;
  /** The slot and the place in it: `body /name`, `200 /email`, `query /q`. Empty for the whole route. */
  readonly where: string;
  /** The change in plain English. */
  readonly message: string;
  /** A value on which the old and the new side disagree. For `route-shadows`, the path of a call. */
  readonly witness?: Json;
}

/** The order in which changes are listed. */
export const verdicts: readonly ChangeVerdict[] = ["breaking", "unproven", "source", "compatible"];
