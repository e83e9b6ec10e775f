import { type Case, show } from "../case.ts";

const deprecated = {
  deprecation: "@1780272000",
  sunset: "Fri, 01 Jan 2027 00:00:00 GMT",
  link: '</api/health>; rel="deprecation"',
};
const fields = ["etag", "content-type", ...Object.keys(deprecated)];

async function ask(url: string, etag: string, method = "GET"): Promise<unknown> {
  return await show(await fetch(url, { method, headers: { "if-none-match": etag } }), ...fields);
}

const notModified = { status: 304, "content-type": null, body: "" };

export const conditional: readonly Case[] = [
  {
    name: "a response that the client has is a 304 with its fields, a native one and one of fetch too",
    run: async (baseUrl) => [
      await ask(`${baseUrl}/api/tagged/raw`, '"1"'),
      await ask(`${baseUrl}/api/tagged/fetched`, '"0", W/"1"'),
      await ask(`${baseUrl}/api/tagged/raw`, "*", "HEAD"),
      await ask(`${baseUrl}/api/tagged-lines`, '"1"'),
    ],
    gives: [
      ...Array.from({ length: 3 }, () => ({ ...notModified, etag: '"1"', ...deprecated })),
      { ...notModified, etag: 'W/"1"', deprecation: null, sunset: null, link: null },
    ],
  },
  {
    name: "a response that the client has not is sent, and says that its route is deprecated",
    run: async (baseUrl) => {
      const response = await fetch(`${baseUrl}/api/tagged/fetched`, { headers: { "if-none-match": '"2"' } });
      return await show(response, "etag", ...Object.keys(deprecated));
    },
    gives: { status: 200, etag: '"1"', ...deprecated, body: "fetched" },
  },
  {
    name: "a problem that is written shortly is whole",
    run: async (baseUrl) => await show(await fetch(`${baseUrl}/api/tagged/nothing`), ...Object.keys(deprecated)),
    gives: {
      status: 404,
      ...deprecated,
      body: { type: "about:blank", title: "Not Found", status: 404, detail: "nothing" },
    },
  },
];
