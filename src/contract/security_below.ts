/** Types of the security that the routes below a node declare. */
import { type Marked } from "../mark.ts";
import { type NodeKey } from "./node.ts";
import { type Security } from "./security_scheme.ts";

/**
 * The lists of security schemes of all routes below a node.
 *
 * @internal
 */
export type SecurityBelow<Node> = Node extends Marked<"route"> & { readonly security: infer Secured } ? Secured
  : { [Key in NodeKey<Node>]: SecurityBelow<Node[Key]> }[NodeKey<Node>];

/**
 * The entries of lists of security schemes.
 *
 * @internal
 */
export type EntryOf<Secured> = Secured extends Security ? Secured[number] : never;

/**
 * The names of the schemes in a list.
 *
 * @internal
 */
export type SchemeName<Secured> = Secured extends Security ? Exclude<Secured[number]["name"], ""> : never;
