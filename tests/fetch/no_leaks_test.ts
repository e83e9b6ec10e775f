import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert } from "@std/assert";
import { type } from "arktype";

// proves problems | Problems reveal no details of the implementation | 5
Deno.test("createFetchHandler() responses contain neither thrown values nor input", async () => {
  const Canary = type({ name: "string" });
  const contract = defineContract({
    routes: {
      it: route.post("/:id", {
        query: type({ "q?": "1 <= string <= 9" }),
        body: request.json(Canary),
        responses: { 200: response.json(Canary), 404: response.text() },
      }),
    },
  });
  const canary = "c4n4ry";
  const answers = [
    () => ({ status: 200, body: { name: 1, [canary]: 1 } }),
    () => ({ status: 201, body: canary }),
    () => ({ status: 404, body: canary, headers: { [canary]: `${canary}\n` } }),
    () => new Response(canary),
    () => {
      throw new Error(canary);
    },
  ];
  for (const answer of answers) {
    const implementation = defineServer(contract).implement({ it: answer as never });
    const handler = createFetchHandler(implementation, { onError: () => undefined });
    const send = (path: string, body: string, contentType = "application/json"): Promise<Response> =>
      Promise.resolve(
        handler(
          new Request(`http://localhost${path}`, { method: "POST", body, headers: { "content-type": contentType } }),
        ),
      );
    const all = await Promise.all([
      send(`/${canary}`, `{"name":"${canary}"}`),
      send(`/${canary}/${canary}`, "{}"),
      send(`/${canary}%GG`, "{}"),
      send(`/1`, `{${canary}`),
      send(`/1`, "{}", `text/${canary}`),
      send(`/1?q=${canary}${canary}`, "{}"),
    ]);
    for (const answered of all) {
      assert(answered.status >= 400);
      assert(!JSON.stringify([await answered.text(), ...answered.headers]).includes(canary));
    }
  }
});
