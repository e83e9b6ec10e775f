/** The server of docs/idempotency-keys.md, for several processes on one file: `DATABASE=… deno run payments_app.ts`. */
import { defineContract, request, response, route } from "@scope/api";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { type } from "arktype";
import { openPayments } from "./payments.ts";
import { once } from "./once.ts";

const contract = defineContract({
  routes: {
    pay: route.post("/payments", {
      headers: type({ "idempotency-key": "1 <= string <= 255" }),
      body: request.json(type({ cents: "number.integer > 0" })),
      responses: { 201: response.json(type({ id: "number" })), 422: response.problem() },
    }),
  },
});

const database = openPayments(Deno.env.get("DATABASE")!);
const handler = createFetchHandler(
  defineServer(contract).implement({
    pay: ({ headers, body, response }) =>
      once(database, { caller: "ada", key: headers["idempotency-key"], request: body }, () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); // so that the other process comes in between
        const insert = database.prepare("INSERT INTO payments (payer, cents) VALUES ('ada', ?)");
        return response(201, { id: Number(insert.run(body.cents).lastInsertRowid) });
      }) ?? response(422, { detail: "This Idempotency-Key was used for another request" }),
  }),
);

Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(`listening on ${port}`) }, handler);
