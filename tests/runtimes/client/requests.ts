import { ClientError, unwrap } from "@scope/api/client";
import type { Case } from "../case.ts";
import { callerOf, clientOf, failure } from "./call.ts";

/** Requests. */
export const requests: readonly Case[] = [
  {
    name: "a path parameter arrives unchanged",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).echo({ params: { value: "a/b %25 é\u{1F30D}" } })),
    gives: { value: "a/b %25 é\u{1F30D}" },
  },
  {
    name: "a query's list arrives in its order",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).query({ query: { tag: ["b", "a c"], word: "é&=" } })),
    gives: { tag: ["b", "a c"], word: "é&=" },
  },
  {
    name: "header fields arrive",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).headers({ headers: { "x-value": "one" } })),
    gives: { "x-value": "one" },
  },
  {
    name: "QUERY sends its body",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).method.query({ body: { title: "asked" } })),
    gives: { title: "asked" },
  },
  {
    name: "a Cookie header of a call is sent",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).cookie({ headers: { cookie: "a=1" } })),
    gives: "a=1",
    differences: [{
      on: ["chromium"],
      gives: "",
      why: "Pages cannot set `Cookie`; the browser sends its own cookies, as `init: { credentials }` says.",
    }],
  },
  {
    name: "a call has the first credential that its route accepts, a username and a password in UTF-8",
    run: async (baseUrl) => {
      const clients = [
        callerOf(baseUrl, { login: { username: "é", password: "\u{1F30D}:" }, partner: "k" }),
        callerOf(baseUrl, { login: () => undefined, partner: () => Promise.resolve("k") }),
      ];
      const requests = await Promise.all(clients.map((client) => client.cookie.request()));
      return requests.map(({ headers }) => [headers.get("authorization"), headers.get("x-api-key")]);
    },
    gives: [["Basic w6k68J+MjTo=", null], [null, "k"]],
  },
  {
    name: "a cookie of the credentials is added to a Cookie header",
    run: async (baseUrl) => {
      const sent = unwrap(await callerOf(baseUrl, { session: "s" }).cookie({ headers: { cookie: "a=1" } }));
      return sent.split("; ").filter((cookie) => /^(?:a|sid)=/.test(cookie)); // a page has others of its own
    },
    gives: ["a=1", "sid=s"],
    differences: [{
      on: ["chromium"],
      gives: [],
      why: "Pages cannot set `Cookie`; the browser sends its own cookies, as `init: { credentials }` says.",
    }],
  },
  {
    name: "the base URL is a path",
    run: async () => {
      try {
        return unwrap(await clientOf("/").text({ body: "here" }));
      } catch (error) {
        return error instanceof TypeError ? "TypeError" : String(error);
      }
    },
    gives: "TypeError",
    differences: [{
      on: ["chromium"],
      gives: "here",
      why: "A page resolves a relative `baseUrl` against its location; elsewhere it is a `TypeError`.",
    }],
  },
  {
    name: "a path parameter that no URL carries is invalid-input",
    run: (baseUrl) => failure(clientOf(baseUrl).echo({ params: { value: ".." } })),
    gives: { code: "invalid-input" },
  },
  {
    name: "an optional body may be left out",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).optional()),
    gives: "absent",
  },
  {
    name: "CBOR there and back, a representation of the user's",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).cbor({ body: { title: "é" } })),
    gives: { title: "é" },
  },
  {
    name: "a form there and back",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).form({ body: { name: "é & ü", tag: ["a", "b"] } })),
    gives: { name: "é & ü", tag: ["a", "b"] },
  },
  {
    name: "form data with a file",
    run: async (baseUrl) => {
      const page = new File(["at sea"], "one é.txt", { type: "text/x-page" });
      return unwrap(await clientOf(baseUrl).formData({ body: { title: "é", page } }));
    },
    gives: [["title", "é"], ["page", "one é.txt", "text/x-page", "at sea"]],
  },
  {
    name: "a text file of form data is sent with its type",
    run: async (baseUrl) => {
      const page = new File(["at sea"], "one.txt", { type: "text/plain" });
      return unwrap(await clientOf(baseUrl).file({ body: { page } }));
    },
    gives: ["page", "one.txt", "text/plain", "at sea"],
    differences: [{
      on: ["bun"],
      gives: ["page", "one.txt", "text/plain;charset=utf-8", "at sea"],
      why:
        "Bun adds a charset to the `type` of text and JSON files, and sends it. A schema that accepts only `text/plain` rejects them.",
    }],
  },
  {
    name: "an upload from a stream",
    run: async (baseUrl) => {
      const body = new Blob([new Uint8Array(90_000)]).stream();
      try {
        return unwrap(await clientOf(baseUrl).upload({ body }));
      } catch (error) {
        return error instanceof ClientError ? error.code : String(error);
      }
    },
    gives: 90_000,
    differences: [{
      on: ["chromium"],
      gives: "network",
      why: "Browsers send streams only over HTTP/2 or later; over HTTP/1.1, the call rejects with `network`.",
    }],
  },
  {
    name: "an upload from a generator",
    run: async (baseUrl) => {
      async function* chunks(): AsyncGenerator<Uint8Array> {
        for (let count = 0; count < 3; count++) yield await Promise.resolve(new Uint8Array(1000));
      }
      try {
        return unwrap(await clientOf(baseUrl).upload({ body: chunks() }));
      } catch (error) {
        return error instanceof ClientError ? error.code : String(error);
      }
    },
    gives: 3000,
    differences: [{
      on: ["chromium"],
      gives: "network",
      why: "Browsers send streams only over HTTP/2 or later; over HTTP/1.1, the call rejects with `network`.",
    }],
  },
];
