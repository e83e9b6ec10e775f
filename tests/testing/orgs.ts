/** A server of organizations, each with its owner, and with the check of ownership at one place. */
import { defineContract, response, route, router, security } from "@scope/api";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import * as z from "zod";

const token = security.bearer("token");
const Org = z.object({ id: z.string(), name: z.string() });
const NewOrg = z.object({ name: z.string().min(1) });
const User = z.object({ id: z.string(), role: z.enum(["admin", "guest"]) });
const NewUser = z.object({ role: z.enum(["admin", "guest"]) });

export const contract = defineContract({
  security: [token],
  responses: { 404: response.empty() },
  routes: {
    health: route.get("/health", { security: [], responses: { 200: response.text() } }),
    orgs: router("/orgs", {
      routes: {
        list: route.get("/", { responses: { 200: z.array(Org) } }),
        create: route.post("/", { body: NewOrg, responses: { 201: Org } }),
        one: router("/:org", {
          routes: {
            read: route.get("/", { responses: { 200: Org } }),
            rename: route.put("/", { body: NewOrg, responses: { 200: Org } }),
            change: route.patch("/", { body: NewOrg.partial(), responses: { 200: Org } }),
            remove: route.delete("/", { responses: { 204: response.empty() } }),
            archive: route.post("/archive", { responses: { 204: response.empty() } }),
            users: router("/users", {
              routes: {
                list: route.get("/", { responses: { 200: z.array(User) } }),
                add: route.post("/", { body: NewUser, responses: { 201: User } }),
                read: route.get("/:user", { responses: { 200: User } }),
                remove: route.delete("/:user", { responses: { 204: response.empty() } }),
              },
            }),
          },
        }),
      },
    }),
  },
});

export interface StoredOrg {
  readonly id: string;
  readonly owner: string;
  name: string;
  readonly users: Map<string, z.output<typeof User>>;
}

/**
 * Returns a function that creates a server, with organizations that exist. It forgets the check of ownership at the
 * routes whose `METHOD key` is in the list, and which organization a user belongs to at those whose `above key` is.
 */
export function createOrgs(forgotten: readonly string[] = [], orgs: StoredOrg[] = []): () => FetchHandler {
  return () => {
    let created = 0;
    const forgets = (what: string): boolean => forgotten.includes(what);
    /** Returns the users of an organization, or of the one that a user belongs to. */
    const findUsers = (org: StoredOrg, id: string, key: string): StoredOrg["users"] =>
      (forgets(`above ${key}`) ? orgs.find(({ users }) => users.has(id)) ?? org : org).users;
    const shown = ({ id, name }: StoredOrg) => ({ id, name });
    const server = defineServer(contract, {
      security: [verify(token, ({ token }) => token === "ada" || token === "eve" ? { id: token } : null)],
      context: ({ request }) => ({ method: request.method }),
    });
    const { orgs: node } = contract.routes;
    const one = server.at(node.one).use(({ params, caller, context, route, next, response }) => {
      const org = orgs.find(({ id }) => id === params.org);
      const isOpen = org && (org.owner === caller.id || forgets(`${context.method} ${route.key}`));
      return isOpen ? next({ org }) : response(404);
    }).implement({
      read: ({ context: { org }, response }) => response(200, shown(org)),
      rename: ({ context: { org }, body, response }) => response(200, shown(Object.assign(org, body))),
      change: ({ context: { org }, body, response }) => response(200, shown(Object.assign(org, body))),
      remove: ({ context: { org }, response }) => {
        orgs.splice(orgs.indexOf(org), 1);
        return response(204);
      },
      archive: ({ response }) => response(204),
      users: {
        list: ({ context: { org }, response }) => response(200, [...org.users.values()]),
        add: ({ context: { org }, body, response }) => {
          const user = { ...body, id: `u${++created}` };
          org.users.set(user.id, user);
          return response(201, user);
        },
        read: ({ context: { org }, params, route, response }) => {
          const user = findUsers(org, params.user, route.key).get(params.user);
          return user ? response(200, user) : response(404);
        },
        remove: ({ context: { org }, params, route, response }) => {
          findUsers(org, params.user, route.key).delete(params.user);
          return response(204);
        },
      },
    });
    return createFetchHandler(server.implement({
      health: ({ response }) => response(200, "ok"),
      orgs: {
        list: ({ caller, route, response }) =>
          response(200, orgs.filter(({ owner }) => owner === caller.id || forgets(`GET ${route.key}`)).map(shown)),
        create: ({ caller, body: { name }, response }) => {
          const org = { id: `o${++created}`, owner: caller.id, name, users: new Map() };
          orgs.push(org);
          return response(201, shown(org));
        },
        one,
      },
    }));
  };
}
