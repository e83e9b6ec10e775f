import { type Case, problem, show } from "../case.ts";
import { exchange, parseAnswer } from "../exchange.ts";
import { uploadApart } from "../upload.ts";

const json = { "content-type": "application/json" };

function post(url: string, contentType: string | undefined, body: BodyInit): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body,
    headers: contentType === undefined ? {} : { "content-type": contentType },
  });
}

export const decoding: readonly Case[] = [
  {
    name: "a query's repeated key is a list",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/query?tag=a&tag=b+c&word=%C3%A9%26`)),
    gives: { status: 200, body: { tag: ["a", "b c"], word: "é&" } },
  },
  {
    name: "a query's single key is a list where the schema has one",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/query?tag=a`)),
    gives: { status: 200, body: { tag: ["a"] } },
  },
  {
    name: "header fields of one name are joined",
    run: async (baseUrl) => {
      const head = "GET /api/headers HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Value: one\r\nx-value: two\r\n\r\n";
      const { status, body } = parseAnswer(await exchange(baseUrl, head));
      return { status, joined: body.includes('"one, two"') };
    },
    gives: { status: 200, joined: true },
  },
  {
    name: "what the schema refuses is 400 with its issues",
    run: async (baseUrl) => {
      const response = await post(`${baseUrl}/api/note`, json["content-type"], '{"title":""}');
      const { status, code, issues } = await response.json();
      return { status, code, pointers: issues.map((issue: { readonly pointer: string }) => issue.pointer) };
    },
    gives: { status: 400, code: "invalid-request", pointers: ["/title"] },
  },
  {
    name: "malformed JSON is 400",
    run: async (baseUrl) => await show(await post(`${baseUrl}/api/note`, json["content-type"], "{")),
    gives: problem(400, "Bad Request", "invalid-body"),
  },
  {
    name: "an empty JSON body is 400",
    run: async (baseUrl) => await show(await post(`${baseUrl}/api/note`, json["content-type"], "")),
    gives: problem(400, "Bad Request", "invalid-body"),
  },
  {
    name: "text that is not UTF-8 is read with replacement characters",
    run: async (baseUrl) => await show(await post(`${baseUrl}/api/text`, "text/plain", new Uint8Array([0x61, 0xff]))),
    gives: { status: 200, body: "a\uFFFD" },
  },
  {
    name: "another media type is 415",
    run: async (baseUrl) => await show(await post(`${baseUrl}/api/note`, "text/plain", "{}")),
    gives: problem(415, "Unsupported Media Type", "unsupported-media-type"),
  },
  {
    name: "a missing media type is 415",
    run: async (baseUrl) => await show(await post(`${baseUrl}/api/note`, undefined, new Uint8Array([0x7b, 0x7d]))),
    gives: problem(415, "Unsupported Media Type", "unsupported-media-type"),
  },
  {
    name: "exactly maxBodyBytes pass",
    run: async (baseUrl) =>
      (await (await post(`${baseUrl}/api/bytes`, "application/octet-stream", new Uint8Array(100_000))).bytes()).length,
    gives: 100_000,
  },
  {
    name: "a longer body is 413 by its Content-Length",
    run: async (baseUrl) =>
      await show(await post(`${baseUrl}/api/bytes`, "application/octet-stream", new Uint8Array(100_001))),
    gives: problem(413, "Content Too Large", "body-too-large"),
  },
  {
    name: "a longer body without Content-Length is 413 as it arrives",
    run: async (baseUrl) => {
      const body = new Blob([new Uint8Array(150_000)]).stream();
      return await show(await uploadApart(`${baseUrl}/api/bytes`, body));
    },
    gives: problem(413, "Content Too Large", "body-too-large"),
  },
];
