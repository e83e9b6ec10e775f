/** The server without its handlers: callers, the format of errors, and JWTs. */
import { defineServer, fieldErrors, verify } from "@scope/api/server";
import { errors, jwtVerify, SignJWT } from "jose";
import { contract, token } from "./contract.ts";

const secret = Deno.env.get("JWT_SECRET");
const key = secret ? new TextEncoder().encode(secret) : crypto.getRandomValues(new Uint8Array(32));

/** Returns a token of a user, for an hour. */
export function sign(username: string): Promise<string> {
  return new SignJWT({ sub: username }).setProtectedHeader({ alg: "HS256" }).setExpirationTime("1h").sign(key);
}

/** The server, whose handlers are in `handlers.ts`. */
export const server = defineServer(contract, {
  security: [verify(token, async ({ token }) => {
    const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], requiredClaims: ["sub"] }).catch(toNone);
    return payload && { username: payload.sub!, token };
  })],
  refuse: ({ problem, status, response }) => {
    const errors = problem.issues ? fieldErrors(problem, { from: 1 }) : { [problem.code]: [problem.title] };
    return status && response(status, { errors });
  },
});

function toNone(error: unknown): { readonly payload?: never } {
  if (error instanceof errors.JOSEError) return {};
  throw error;
}
