/** The responses of the contract's routes: the same plain functions behind every system. */

export interface User {
  readonly id: string;
  readonly name: string;
}

export interface UserList {
  readonly user: string;
  readonly page: number;
  readonly tags: string[];
}

export function findUser(id: string): User {
  return { id, name: "Ada" };
}

export function renameUser(id: string, name: string): User {
  return { id, name };
}

export function listUsers(
  query: { readonly tags?: string[]; readonly page?: number },
  user: string,
): UserList {
  return { user, page: query.page ?? 1, tags: query.tags ?? [] };
}

/** Returns a field that the schema does not name and, for one profile, a name that the schema rejects. */
export function findProfile(id: string): User {
  const profile = { id, name: "Ada", secret: "not for the wire" };
  return id === "broken" ? { ...profile, name: 42 as unknown as string } : profile;
}
