import { type Case, problem, show } from "../case.ts";

function send(url: string, method: string, contentType: string, body: BodyInit): Promise<Response> {
  return fetch(url, { method, body, headers: { "content-type": contentType } });
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

export const representations: readonly Case[] = [
  {
    name: "JSON, its undeclared fields stripped, with a declared header",
    run: async (baseUrl) => {
      const body = JSON.stringify({ title: "naïve 🌍", more: 1 });
      return await show(
        await send(`${baseUrl}/api/note`, "POST", "application/json", body),
        "content-type",
        "location",
      );
    },
    gives: {
      status: 201,
      "content-type": "application/json",
      location: "/api/note/na%C3%AFve%20%F0%9F%8C%8D",
      body: { title: "naïve 🌍" },
    },
  },
  {
    name: "a declared 409",
    run: async (baseUrl) =>
      await show(await send(`${baseUrl}/api/note`, "POST", "application/json", '{"title":"taken"}')),
    gives: { status: 409, body: { value: "taken" } },
  },
  {
    name: "a codec's date",
    run: async (baseUrl) =>
      await show(await send(`${baseUrl}/api/meeting`, "POST", "application/json", '{"at":"2026-01-02T03:04:05Z"}')),
    gives: { status: 200, body: { at: "2026-01-02T03:04:05.000Z" } },
  },
  {
    name: "text",
    run: async (baseUrl) =>
      await show(await send(`${baseUrl}/api/text`, "POST", "text/plain", "\uFEFFnaïve 🌍\r\n"), "content-type"),
    gives: { status: 200, "content-type": "text/plain;charset=UTF-8", body: "naïve 🌍\r\n" },
  },
  {
    name: "HEAD of text has its content type",
    run: async (baseUrl) =>
      await show(await fetch(`${baseUrl}/api/echo/literal`, { method: "HEAD" }), "content-type", "content-length"),
    gives: { status: 200, "content-type": "text/plain;charset=UTF-8", "content-length": "7", body: "" },
  },
  {
    name: "empty text",
    run: async (baseUrl) => await show(await send(`${baseUrl}/api/method`, "PUT", "text/plain", "")),
    gives: { status: 200, body: "" },
  },
  {
    name: "every byte",
    run: async (baseUrl) => {
      const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      const response = await send(`${baseUrl}/api/bytes`, "POST", "application/octet-stream", all);
      const bytes = await response.bytes();
      return [response.headers.get("content-type"), bytes.length, bytes.every((byte, index) => byte === index)];
    },
    gives: ["application/octet-stream", 256, true],
  },
  {
    name: "CBOR, a representation of the user's, its undeclared fields stripped",
    run: async (baseUrl) => {
      const note = Uint8Array.of(0xa2, 0x65, ...ascii("title"), 0x62, 0xc3, 0xa9, 0x64, ...ascii("more"), 0x01);
      const response = await send(`${baseUrl}/api/cbor`, "POST", "application/cbor", note);
      return [response.status, response.headers.get("content-type"), [...await response.bytes()]];
    },
    gives: [200, "application/cbor", [0xa1, 0x65, ...ascii("title"), 0x62, 0xc3, 0xa9]],
  },
  {
    name: "malformed CBOR is 400",
    run: async (baseUrl) =>
      await show(await send(`${baseUrl}/api/cbor`, "POST", "application/cbor", Uint8Array.of(0xa1))),
    gives: problem(400, "Bad Request", "invalid-body"),
  },
  {
    name: "CBOR of another media type is 415",
    run: async (baseUrl) =>
      await show(await send(`${baseUrl}/api/cbor`, "POST", "application/json", Uint8Array.of(0xa0))),
    gives: problem(415, "Unsupported Media Type", "unsupported-media-type"),
  },
  {
    name: "bytes of one of several media types, which the handler receives and returns",
    run: async (baseUrl) => {
      const types = ["Image/PNG;x=y", "image/gif", "image/webp", "text/plain"];
      const responses = await Promise.all(types.map((type) => send(`${baseUrl}/api/image`, "POST", type, "1")));
      return await Promise.all(responses.map(async (response) => {
        await response.bytes();
        return [response.status, response.headers.get("content-type")];
      }));
    },
    gives: [
      [200, "image/png;a=b"],
      [200, "image/gif;a=b"],
      [500, "application/problem+json"],
      [415, "application/problem+json"],
    ],
  },
  {
    name: "empty",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/method`, { method: "DELETE" }), "content-type"),
    gives: { status: 204, "content-type": null, body: "" },
  },
  {
    name: "an optional body that is absent",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/optional`, { method: "POST" })),
    gives: { status: 200, body: "absent" },
  },
  {
    name: "a form",
    run: async (baseUrl) => {
      const body = new URLSearchParams([["name", "é & ü"], ["tag", "a"], ["more", "1"]]);
      return await show(await fetch(`${baseUrl}/api/form`, { method: "POST", body }));
    },
    gives: { status: 200, body: { name: "é & ü", tag: ["a"] } },
  },
  {
    name: "form data with a file",
    run: async (baseUrl) => {
      const body = new FormData();
      body.append("title", "é");
      body.append("page", new File(["at sea"], "one é.txt", { type: "text/x-page" }));
      return await show(await fetch(`${baseUrl}/api/form-data`, { method: "POST", body }));
    },
    gives: { status: 200, body: [["title", "é"], ["page", "one é.txt", "text/x-page", "at sea"]] },
  },
  {
    name: "a file keeps its media type where a schema checks it",
    run: async (baseUrl) =>
      await show(await send(`${baseUrl}/api/file`, "POST", "multipart/form-data; boundary=x", textFile)),
    gives: { status: 200, body: ["page", "one.txt", "text/plain", "at sea"] },
  },
  {
    name: "a file of a FormData keeps its media type",
    run: async (baseUrl) =>
      await show(await send(`${baseUrl}/api/form-data`, "POST", "multipart/form-data; boundary=x", textFile)),
    gives: { status: 200, body: [["page", "one.txt", "text/plain", "at sea"]] },
    differences: [{
      on: ["bun"],
      gives: { status: 200, body: [["page", "one.txt", "text/plain;charset=utf-8", "at sea"]] },
      why:
        "Bun's `FormData` adds a charset to the `type` of text and JSON files. With a schema, files keep the type that was sent.",
    }],
  },
  {
    name: "form data that is cut off is 400",
    run: async (baseUrl) => {
      const body = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb';
      return await show(await send(`${baseUrl}/api/form-data`, "POST", "multipart/form-data; boundary=x", body));
    },
    gives: problem(400, "Bad Request", "invalid-body"),
  },
  {
    name: "a declared problem",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/problem`), "content-type"),
    gives: {
      status: 403,
      "content-type": "application/problem+json",
      body: { type: "about:blank", title: "Not yours", status: 403, code: "not-yours" },
    },
  },
];

/** A form with a text file, as no runtime's own `File` changes its type. */
const textFile = [
  '--x\r\nContent-Disposition: form-data; name="page"; filename="one.txt"',
  "Content-Type: text/plain\r\n\r\nat sea\r\n--x--\r\n",
].join("\r\n");
