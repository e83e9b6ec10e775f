/** proxy() in front of a server of `node:http`. Prints what comes back as JSON. */
import { createServer } from "node:http";
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { proxy } from "@scope/api/proxy";

const upstream = createServer((req, res) => {
  let body = "";
  req.on("data", (chunk) => body += chunk);
  req.on("end", () => {
    const zipped = gzipSync("zipped");
    const coded = { "content-encoding": "gzip", "content-length": zipped.length };
    res.writeHead(req.url === "/moved" ? 302 : 200, {
      ...(req.url === "/zipped" && coded),
      "connection": "X-Hop",
      "x-hop": "1",
      "location": "/else",
      "set-cookie": ["a=1", "b=2"],
    });
    const { "x-hop": hop = "none", "x-own": own = "none", "x-forwarded-for": address = "none" } = req.headers;
    res.end(req.url === "/zipped" ? zipped : `${req.method} ${req.url} ${body} ${hop} ${own} ${address}`);
  });
});
await once(upstream.listen(0, "127.0.0.1"), "listening");
const base = `http://127.0.0.1:${upstream.address().port}`;
const pass = proxy(base);

const seen = [];
for (
  const request of [
    new Request("http://localhost/zipped"),
    new Request("http://localhost/moved"),
    new Request("http://localhost/a?b=c", {
      method: "POST",
      body: "sent",
      headers: { "connection": "x-hop", "x-hop": "1", "x-own": "2", "x-forwarded-for": "6.6.6.6" },
    }),
  ]
) {
  const { status, headers, ...answer } = await pass(request).then(async (each) => ({
    status: each.status,
    headers: each.headers,
    text: await each.text(),
  }));
  const coded = [headers.get("content-encoding"), headers.get("x-hop")];
  seen.push([status, answer.text, ...coded, headers.getSetCookie().join()]);
}
seen.push((await proxy("http://127.0.0.1:1")(new Request("http://localhost/"))).status);
upstream.closeAllConnections();
upstream.close();
console.log(JSON.stringify(seen));
