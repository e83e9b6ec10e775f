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
    name: "JSON is read after a byte order mark, with its length and in chunks",
    run: async (baseUrl) => {
      const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('{"title":"a"}')]);
      const body = new Blob([bytes]).stream();
      const answers = [
        await post(`${baseUrl}/api/note`, json["content-type"], bytes),
        await uploadApart(`${baseUrl}/api/note`, body, json["content-type"]),
      ];
      return await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]));
    },
    gives: [[201, { title: "a" }], [201, { title: "a" }]],
  },
  {
    name: "an optional JSON body with a media type and no byte is absent, also in chunks",
    run: async (baseUrl) => {
      const head = "POST /api/optional HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n";
      const ends = ["\r\n", "Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"];
      const answers = await Promise.all(ends.map(async (end) => parseAnswer(await exchange(baseUrl, head + end))));
      return answers.map(({ status, body }) => [status, body.includes("absent")]);
    },
    gives: [[200, true], [200, true], [200, true]],
  },
  {
    name: "a body with a content coding is 415",
    run: async (baseUrl) => {
      const paths = { note: "application/json", text: "text/plain", bytes: "application/octet-stream" };
      const answers = Object.entries(paths).map(([path, contentType]) =>
        fetch(`${baseUrl}/api/${path}`, {
          method: "POST",
          body: new Uint8Array([0x1f, 0x8b]),
          headers: { "content-type": contentType, "content-encoding": "gzip" },
        })
      );
      return (await Promise.all(answers)).map(({ status, headers }) => [status, headers.get("accept-encoding")]);
    },
    gives: [[415, "identity"], [415, "identity"], [415, "identity"]],
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
