/** Functions of the application that throw, reject with or return a revoked Proxy, whose type cannot be tested. */
import { defineContract, request, response, route, security } from "@scope/api";
import { createFetchHandler, type FetchOptions } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assertEquals } from "@std/assert";
import { rejectionsOf } from "../support/rejections.ts";

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** The ways in which a function ends with a revoked Proxy. */
const ends: Readonly<Record<string, () => never>> = {
  throws: () => {
    throw revoked();
  },
  rejects: () => Promise.reject(revoked()) as never,
  returns: () => revoked() as never,
  resolves: () => Promise.resolve({ then: (take: (value: unknown) => void) => take(revoked()) }) as never,
};

const token = security.bearer("token");
const contract = defineContract({
  security: [token],
  responses: { 400: response.text() },
  routes: { it: route.post("/", { body: request.text(), responses: { 200: response.text() } }) },
});

type Place =
  | "verifier"
  | "guard"
  | "context"
  | "middleware"
  | "handler"
  | "refuse"
  | "contextInput"
  | "onError"
  | "origins";
const places: readonly Place[] = [
  "verifier",
  "guard",
  "context",
  "middleware",
  "handler",
  "refuse",
  "contextInput",
  "onError",
  "origins",
];

Deno.test("a revoked Proxy from any function of the application is a response, and no unhandled rejection", async () => {
  for (const place of places) {
    for (const [name, end] of Object.entries(ends)) {
      const at = <Usual>(own: Place, usual: Usual): Usual => own === place ? end() : usual;
      const fails = place === "onError";
      const server = defineServer(contract, {
        security: [verify(token, () => at("verifier", { id: "1" }))],
        context: () => at("context", {}),
        refuse: () => at("refuse", undefined),
      }).guard(() => at("guard", undefined)).use(({ next }) => at("middleware", undefined) ?? next());
      const options: FetchOptions = {
        cors: { origins: () => at("origins", true) },
        onError: () => at("onError", undefined),
      };
      const handler = createFetchHandler(
        server.implement({
          it: ({ response }) => {
            if (fails || place === "refuse") throw new Error("failed");
            return at("handler", response(200, "ok"));
          },
        }),
        { ...options, contextInput: () => at("contextInput", {}) },
      );
      const statuses: number[] = [];
      const unhandled = await rejectionsOf(async () => {
        const headers = { authorization: "Bearer a", origin: "https://app.example.com", "content-type": "text/plain" };
        const incoming = new Request("http://localhost/", { method: "POST", body: "text", headers });
        statuses.push((await handler(incoming)).status);
      });
      const isAnswered = place === "origins";
      assertEquals([statuses, unhandled.length], [[isAnswered ? 200 : 500], 0], `${place} ${name}`);
    }
  }
});
