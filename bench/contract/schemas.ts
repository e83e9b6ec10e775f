/**
 * The schemas of the contract that every system implements. A system that accepts Standard Schema uses these. A system
 * with its own schema language repeats them in its own file.
 */
import { type } from "arktype";

export const Health = type("'ok'");

export const UserParams = type({ id: "string" });
export const User = type({ id: "string", name: "string" });
export const Rename = type({ name: "string >= 1" });

export const ListQuery = type({
  "tags?": "string[]",
  "page?": "string.integer.parse",
});
export const ListHeaders = type({ "x-user": "string" });
export const UserList = type({
  user: "string",
  page: "number",
  tags: "string[]",
});

export const Import = type({
  items: type({ id: "number", name: "string", active: "boolean" }).array(),
});

/** Strips undeclared fields. Only the check of the guarantees uses it. */
export const Profile = type({ "+": "delete", id: "string", name: "string" });

/** An item of a stream. */
export const Row = type({ id: "number", name: "string", active: "boolean" });
