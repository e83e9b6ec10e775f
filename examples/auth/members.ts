/**
 * The members and their tokens, in memory, without any HTTP.
 *
 * @module
 */
import { hashSecret } from "./secrets.ts";

export interface Member {
  readonly id: string;
  readonly name: string;
}

export interface Members {
  readonly find: (id: string | undefined) => Member | undefined;
  readonly findByToken: (token: string) => Promise<Member | undefined>;
  readonly rename: (member: Member, name: string) => Member;
}

/** Ada, who has `token`, and Grace, who has no token. */
export async function createMembers(token: string | undefined): Promise<Members> {
  if (token !== undefined && token.length < 32) {
    throw new TypeError("Cannot use the token: it is shorter than 32 characters; make one with `openssl rand -hex 32`");
  }
  const byId = new Map(
    [{ id: "1", name: "Ada Lovelace" }, { id: "2", name: "Grace Hopper" }].map((one) => [one.id, one]),
  );
  const idByHash = new Map(token === undefined ? [] : [[await hashSecret(token), "1"]]);
  const find = (id: string | undefined): Member | undefined => id === undefined ? undefined : byId.get(id);
  return {
    find,
    findByToken: async (token) => find(idByHash.get(await hashSecret(token))),
    rename: ({ id }, name) => {
      byId.set(id, { id, name });
      return { id, name };
    },
  };
}
