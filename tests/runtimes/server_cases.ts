import type { Case } from "./case.ts";
import { cancellation } from "./cases/cancellation.ts";
import { conditional } from "./cases/conditional.ts";
import { context } from "./cases/context.ts";
import { cookies } from "./cases/cookies.ts";
import { cors } from "./cases/cors.ts";
import { decoding } from "./cases/decoding.ts";
import { framing } from "./cases/framing.ts";
import { memory } from "./cases/memory.ts";
import { openapi } from "./cases/openapi.ts";
import { problems } from "./cases/problems.ts";
import { refusals } from "./cases/refusals.ts";
import { representations } from "./cases/representations.ts";
import { security } from "./cases/security.ts";
import { streams } from "./cases/streams.ts";
import { routing } from "./cases/routing.ts";
import { unread } from "./cases/unread.ts";

/** The cases for every runtime's server, by group. */
export const serverCases: Readonly<Record<string, readonly Case[]>> = {
  routing,
  decoding,
  representations,
  streams,
  framing,
  unread,
  cookies,
  cors,
  conditional,
  context,
  security,
  problems,
  refusals,
  memory,
  openapi,
  cancellation,
};
