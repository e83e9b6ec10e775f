import { type Case, problem, show } from "../case.ts";
import { exchange, parseAnswer } from "../exchange.ts";

export const routing: readonly Case[] = [
  {
    name: "a literal segment wins over a parameter",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/echo/literal`)),
    gives: { status: 200, body: "literal" },
  },
  {
    name: "a parameter is decoded once, %2F inside it",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/pair/a%2Fb/%2525%20%C3%A9`)),
    gives: { status: 200, body: { one: "a/b", two: "%25 é" } },
  },
  {
    name: "a malformed escape is 400",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/echo/%GG`), "content-type"),
    gives: problem(400, "Bad Request", "invalid-path", { "content-type": "application/problem+json" }),
  },
  {
    name: "a trailing slash is another path",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/echo/literal/`)),
    gives: problem(404, "Not Found", "not-found"),
  },
  {
    name: "a method that no route has is 405, with Allow",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/method`, { method: "POST" }), "allow"),
    gives: problem(405, "Method Not Allowed", "method-not-allowed", { allow: "PUT, DELETE, OPTIONS, QUERY" }),
  },
  {
    name: "HEAD is GET without its body, content-length included",
    run: async (baseUrl) =>
      await show(await fetch(`${baseUrl}/api/echo/x`, { method: "HEAD" }), "content-type", "content-length"),
    gives: { status: 200, "content-type": "application/json", "content-length": "13", body: "" },
  },
  {
    name: "OPTIONS is a route's own",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/method`, { method: "OPTIONS" }), "allow"),
    gives: { status: 204, allow: "PUT, DELETE", body: "" },
  },
  {
    name: "QUERY has a body",
    run: async (baseUrl) => {
      const body = JSON.stringify({ title: "asked" });
      const head = "QUERY /api/method HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n";
      const answer = parseAnswer(await exchange(baseUrl, `${head}Content-Length: ${body.length}\r\n\r\n${body}`));
      return { ...answer, body: answer.body.includes('{"title":"asked"}') };
    },
    gives: { status: 200, body: true },
    differences: [{
      on: ["node 20.3"],
      gives: { status: 400, body: false },
      why: "The HTTP parser of Node 20.19 and earlier rejects the method QUERY with 400.",
    }],
  },
  {
    name: "dot segments that a client sends as they are",
    run: async (baseUrl) => {
      const head = "GET /api/other/../echo/%2e%2e/echo/literal HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      return parseAnswer(await exchange(baseUrl, head)).status;
    },
    gives: 200,
  },
  {
    name: "a request target in absolute form is a path like any other",
    run: async (baseUrl) => {
      const head = `GET ${baseUrl}/api/echo/literal HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      return parseAnswer(await exchange(baseUrl, head)).status;
    },
    gives: 200,
  },
  {
    name: "a Host that is none never becomes a part of the path",
    run: async (baseUrl) => {
      const hosts = ["/api/echo/literal?", "/api", "?", "#", "[", "x@y", "x\\y", "a\tb", "a b", "a:b", "é", ""];
      const answers = await Promise.all(hosts.map(async (host) => {
        const head = `GET /api/echo/path HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        const { status, body } = parseAnswer(await exchange(baseUrl, head));
        return status === 400 || (status === 200 && body.includes('{"value":"path"}')) ? "fine" : `${host}: ${status}`;
      }));
      return [...new Set(answers)];
    },
    gives: ["fine"],
  },
  {
    name: "a request without Host is routed by its path",
    run: async (baseUrl) => {
      const paths = ["/api/echo/literal", "/first/api/echo/literal"];
      const heads = paths.map((path) => `GET ${path} HTTP/1.0\r\nConnection: close\r\n\r\n`);
      const answers = await Promise.all(heads.map((head) => exchange(baseUrl, head)));
      return answers.map((answer) => Number(answer.match(/^HTTP\/1\.[01] (\d+)/)?.[1]));
    },
    gives: [200, 404],
    differences: [
      {
        on: ["bun"],
        gives: [400, 400],
        why: "Bun creates no absolute URL without a valid `Host`; the response is 400.",
      },
      {
        on: ["workerd"],
        gives: [400, 400],
        why: "workerd itself responds with 400.",
      },
    ],
  },
];
