import { request, type RequestBody, response, route } from "@scope/api";
import { assertEquals } from "@std/assert";
import { assertProblem, mountRoute } from "../support/mount_route.ts";

/** The response of a route with this body to a body of this content type. */
async function send(body: RequestBody, contentType: string | undefined): Promise<Response> {
  const handler = mountRoute(
    route.post("/", { body, responses: { 200: response.empty() } }),
    ({ response }) => response(200),
  );
  const headers: HeadersInit = contentType === undefined ? {} : { "content-type": contentType };
  return await handler(new Request("http://localhost/", { method: "POST", body: new Uint8Array([49]), headers }));
}

// proves http | Type and subtype are case-insensitive; parameters are not part of them | 8.3.1
// proves http | Content-Type is one media type; a list is invalid | 8.3, 5.3
Deno.test("body accepts the declared media type by essence", async () => {
  const cases: [RequestBody, string | undefined, number][] = [
    [request.json(), "application/json", 200],
    [request.json(), "Application/JSON; Charset=UTF-8", 200],
    [request.json(), "application/json ; a=b", 200],
    [request.json(), "application/json;", 200],
    [request.json(), "application/vnd.api+json", 200],
    [request.json(), "APPLICATION/LD+JSON;profile=x", 200],
    [request.json(), "application/jsonp", 415],
    [request.json(), "application/x+json+xml", 415],
    [request.json(), "+json", 415],
    [request.json(), "application/+json/+json", 415],
    [request.json(), "text/json", 415],
    [request.json(), "text/plain", 415],
    [request.json(), "json", 415],
    [request.json(), "application / json", 415],
    [request.json(), "\t application/json \t", 200],
    [request.json(), "application/json\u00a0", 415], // white space elsewhere, but no part of a field's
    [request.json(), "\u00a0application/json;a=b", 415],
    [request.json(), "\u0085application/problem+json", 415],
    [request.json(), 'a"b"/c+json', 415],
    [request.json(), "", 415],
    [request.json(), undefined, 415],
    [request.json(), "application/json, application/json", 415],
    [request.json(), "application/json, text/plain", 415],
    [request.json(), "text/plain, application/json", 415],
    [request.json(), "a/b+json, c/d+json", 415],
    [request.json(), "application/json;charset=utf-8, application/json;charset=utf-8", 415],
    [request.json(), 'application/json;a="b", text/plain', 415],
    [request.json(), 'application/json;a="b\\"", text/plain', 415],
    [request.json(), 'application/json;a="b, c"', 200],
    [request.json(), 'application/json;a="b\\", c";d=e', 200],
    [request.json(), 'application/json;a="; charset=latin1"', 200], // text of another parameter
    [request.json(), 'application/json;a="\\"; charset=latin1"', 200],
    [request.json(), 'application/json;a="b";charset=latin1', 415],
    [request.json(), 'application/json;a="; charset=utf-8";charset="latin1"', 415],
    [request.text(), "text/plain;charset=UTF-8", 200],
    [request.text(), "text/html", 415],
    [request.text(), "application/problem+json", 415],
    [request.bytes(), "application/octet-stream", 200],
    [request.bytes(), "image/png", 415],
    [request.json({ contentType: "application/vnd.a+json" }), "application/vnd.a+json; v=1", 200],
    [request.json({ contentType: "application/vnd.a+json" }), "application/vnd.b+json", 415],
    [request.json({ contentType: "application/vnd.a+json" }), "application/json", 415],
    [request.json({ contentType: "Application/JSON; charset=utf-8" }), "application/json", 200],
    [request.bytes({ contentType: "image/PNG" }), "IMAGE/png", 200],
    [request.text({ contentType: "text/csv; header=present" }), "text/csv", 200],
  ];
  for (const [body, contentType, status] of cases) {
    const answer = await send(body, contentType);
    assertEquals(answer.status, status, `${body.contentType} given ${contentType}`);
    if (status === 415) await assertProblem(answer, 415, "Unsupported Media Type", "unsupported-media-type");
  }
});

// proves http | Content of an unsupported media type is 415 | 15.5.16
// proves http-differences | 415 may come with Accept | 15.5.16 | 415 has no Accept | Clients know the media type from
//   the contract
Deno.test("body of another media type is refused before a byte is read", async () => {
  for (const options of [{}, { maxBodyBytes: 1_000 }]) {
    let pulled = false;
    const body = new ReadableStream({ pull: () => void (pulled = true) }, { highWaterMark: 0 });
    const incoming = new Request("http://localhost/", {
      method: "POST",
      body,
      headers: { "content-type": "text/plain" },
    });
    const declared = route.post("/", { body: request.json(), responses: { 204: response.empty() } });
    const answer = await mountRoute(declared, ({ response }) => response(204), options)(incoming);
    assertEquals([answer.status, pulled, incoming.bodyUsed], [415, false, false]);
  }
});
