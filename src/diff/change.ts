/** What became of a contract. */
import { type Json } from "../json_schema/json.ts";

/**
 * What a change does to an old client of the new server:
 *
 * - `breaking`: some call that worked fails, or some response is not what the client was promised.
 * - `unproven`: it was neither proven that nothing breaks nor found that something does.
 * - `source`: the wire is the same, but code that is compiled against the new contract has to change.
 * - `compatible`: nothing breaks; it is listed so that a changelog may say it.
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

/** One change of a contract; see {@linkcode diffContracts}. */
export interface Change {
  /** What it does to an old client of the new server. */
  readonly verdict: ChangeVerdict;
  /** What kind of change it is. */
  readonly rule: ChangeRule;
  /** The dotted key of the route, such as `users.byId`; in documents the operation's id, or its method and path. */
  readonly route: string;
  /** The slot and the place in it: `body /name`, `200 /email`, `query /q`; empty for the route as a whole. */
  readonly where: string;
  /** What it is, in plain English. */
  readonly message: string;
  /** A value that the old side and the new one disagree on; for `route-shadows` the path of a call. */
  readonly witness?: Json;
}

/** The order in which changes are listed. */
export const verdicts: readonly ChangeVerdict[] = ["breaking", "unproven", "source", "compatible"];
