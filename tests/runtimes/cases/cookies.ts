import type { Case } from "../case.ts";
import { exchange } from "../exchange.ts";

export const cookies: readonly Case[] = [
  {
    name: "each Set-Cookie is a field of its own",
    run: async (baseUrl) => {
      const response = await fetch(`${baseUrl}/api/cookie`);
      await response.body?.cancel();
      return response.headers.getSetCookie();
    },
    gives: ["one=1; Path=/", "two=2; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT"],
  },
  {
    name: "a Cookie field arrives as it was sent",
    run: async (baseUrl) => {
      const head = 'GET /api/cookie HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: a=1; b="x y"\r\n\r\n';
      return (await exchange(baseUrl, head)).includes('a=1; b="x y"');
    },
    gives: true,
  },
];
