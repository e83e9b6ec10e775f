/** The handlers of the contract. Users and articles are in memory. */
import { server, sign } from "./server.ts";

interface Article {
  readonly slug: string;
  readonly title: string;
  readonly tagList: string[];
  readonly author: string;
}

/** The hash and the salt of each user's password. */
const passwords = new Map<string, { readonly salt: Uint8Array<ArrayBuffer>; readonly hash: string }>();
const articles = new Map<string, Article>();

/** The contract with its handlers. */
export const implementation = server.implement({
  users: {
    register: async ({ body: { user: { username, password } }, response }) => {
      const salt = crypto.getRandomValues(new Uint8Array(16));
      const hash = await hashPassword(password, salt);
      if (passwords.has(username)) return response(422, { errors: { username: ["is taken"] } });
      passwords.set(username, { salt, hash });
      return response(201, { user: { username, token: await sign(username) } });
    },
    login: async ({ body: { user: { username, password } }, response }) => {
      const { salt, hash } = passwords.get(username) ?? unknown;
      if (await hashPassword(password, salt) !== hash) return response(401, { errors: { password: ["is wrong"] } });
      return response(200, { user: { username, token: await sign(username) } });
    },
    me: ({ caller, response }) => response(200, { user: caller }),
  },
  articles: {
    create: ({ body: { article }, caller, response }) => {
      const slug = article.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      if (articles.has(slug)) return response(422, { errors: { title: ["is taken"] } });
      const created: Article = { ...article, slug, author: caller.username };
      articles.set(slug, created);
      return response(201, { article: created });
    },
    bySlug: ({ params, response }) => {
      const article = articles.get(params.slug);
      return article ? response(200, { article }) : response(404, { errors: { slug: ["is unknown"] } });
    },
  },
});

/** What is compared for a user that does not exist, so that login takes the same time. */
const unknown = { salt: new Uint8Array(16), hash: "" };

async function hashPassword(password: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations: 600_000 }, key, 256);
  return new Uint8Array(bits).toBase64();
}
