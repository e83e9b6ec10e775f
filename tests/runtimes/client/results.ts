import { defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient, unwrap } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import type { Case } from "../case.ts";
import { clientOf } from "./call.ts";

/** The results of calls. */
export const results: readonly Case[] = [
  {
    name: "JSON there and back, with a declared header",
    run: async (baseUrl) => {
      const result = await clientOf(baseUrl).note({ body: { title: "naïve" } });
      return result.status === 201 ? [result.body, result.headers.location] : result.status;
    },
    gives: [{ title: "naïve" }, "/api/note/na%C3%AFve"],
  },
  {
    name: "a declared 409 is a result",
    run: async (baseUrl) => {
      const { status, body } = await clientOf(baseUrl).note({ body: { title: "taken" } });
      return { status, body };
    },
    gives: { status: 409, body: { value: "taken" } },
  },
  {
    name: "a codec's date is a Date",
    run: async (baseUrl) => {
      const { at } = unwrap(await clientOf(baseUrl).meeting({ body: { at: new Date(0) } }));
      return [at instanceof Date, at.getTime()];
    },
    gives: [true, 0],
  },
  {
    name: "text there and back",
    run: async (baseUrl) => unwrap(await clientOf(baseUrl).text({ body: "naïve \u{1F30D}\r\n" })),
    gives: "naïve \u{1F30D}\r\n",
  },
  {
    name: "text of a handler in the same process, called, copied and asked for by HEAD",
    run: async () => {
      const hello = route.get("/hello", { responses: { 200: response.text() } });
      const contract = defineContract({ routes: { hello } });
      const handler = createFetchHandler(
        defineServer(contract).implement({ hello: () => ({ status: 200, body: "é" }) }),
      );
      const { body } = await createClient(contract, { baseUrl: "http://localhost", fetch: handler }).hello();
      const answer = await handler(new Request("http://localhost/hello"));
      const copy = new Response(answer.body, answer);
      const head = await handler(new Request("http://localhost/hello", { method: "HEAD" }));
      return [body, ...[answer, copy, head].map(({ headers }) => headers.get("content-type"))];
    },
    gives: ["é", "text/plain;charset=UTF-8", "text/plain;charset=UTF-8", "text/plain;charset=UTF-8"],
  },
  {
    name: "form data that is too long for a handler in the same process is 413, and nothing else fails",
    run: async () => {
      const upload = route.post("/upload", {
        body: request.formData({ maxBytes: 100 }),
        responses: { 204: response.empty() },
      });
      const handler = createFetchHandler(
        defineServer(defineContract({ routes: { upload } })).implement({ upload: () => ({ status: 204 }) }),
      );
      const body = new FormData();
      body.append("file", new File(["x".repeat(1_000_000)], "a"));
      const { status } = await handler(new Request("http://localhost/upload", { method: "POST", body }));
      await new Promise((resolve) => setTimeout(resolve, 100)); // Node ended the process here
      return status;
    },
    gives: 413,
  },
  {
    name: "bytes there and back, from a view, a buffer and a Blob",
    run: async (baseUrl) => {
      const { bytes } = clientOf(baseUrl);
      const view = new Uint8Array([9, 0, 255, 128, 9]).subarray(1, 4);
      const bodies = [view, view.slice().buffer, new Blob([view])];
      const answers = await Promise.all(bodies.map((body) => bytes({ body })));
      return answers.map((answer) => [...unwrap(answer)]);
    },
    gives: [[0, 255, 128], [0, 255, 128], [0, 255, 128]],
  },
  {
    name: "204 has no body",
    run: async (baseUrl) => {
      const { status, body } = await clientOf(baseUrl).method.delete();
      return [status, body === undefined];
    },
    gives: [204, true],
  },
  {
    name: "all Set-Cookie headers are visible",
    run: async (baseUrl) => (await clientOf(baseUrl).cookie()).response.headers.getSetCookie().length,
    gives: 2,
    differences: [{
      on: ["chromium"],
      gives: 0,
      why: "Pages cannot read `Set-Cookie`; the browser stores the cookies.",
    }],
  },
  {
    name: "a stream of bytes is a ReadableStream",
    run: async (baseUrl) => {
      const body = unwrap(await clientOf(baseUrl).download());
      return [body instanceof ReadableStream, (await new Response(body).arrayBuffer()).byteLength];
    },
    gives: [true, 500_000],
  },
  {
    name: "NDJSON is a loop over its items",
    run: async (baseUrl) => {
      const lines: number[] = [];
      const result = await clientOf(baseUrl).lines({ params: { kind: "some", id: "client" } });
      for await (const { line } of unwrap(result)) lines.push(line);
      return lines;
    },
    gives: [1, 2, 3],
  },
  {
    name: "events are a loop over them",
    run: async (baseUrl) => {
      const events: unknown[] = [];
      const reader = unwrap(await clientOf(baseUrl).events());
      for await (const event of reader) events.push(event);
      return [...JSON.parse(JSON.stringify(events)), reader.lastEventId, reader.reconnectionTime];
    },
    gives: [{ data: { line: 1 } }, { data: { line: 2 }, event: "more", id: "é", retry: 100 }, "é", 100],
  },
  {
    name: "a declared problem is a result",
    run: async (baseUrl) => {
      const { status, body } = await clientOf(baseUrl).problem();
      return { status, body };
    },
    gives: { status: 403, body: { type: "about:blank", title: "Not yours", status: 403, code: "not-yours" } },
  },
  {
    name: "a declared redirect is a result",
    run: async (baseUrl) => {
      try {
        const { status, headers } = await clientOf(baseUrl).moved();
        return [status, headers.location];
      } catch (error) {
        return error instanceof ClientError ? [error.code, error.status] : String(error);
      }
    },
    gives: [302, "/api/further"],
    differences: [{
      on: ["chromium"],
      gives: ["unexpected-status", 0],
      why: 'Pages cannot read a redirect that is not followed; `init: { redirect: "follow" }` follows it.',
    }],
  },
  {
    name: "raw is the native response",
    run: async (baseUrl) => {
      const { body } = await clientOf(baseUrl).raw();
      return [body instanceof Response, body.headers.get("x-raw"), await body.text()];
    },
    gives: [true, "1", "as it is"],
  },
];
