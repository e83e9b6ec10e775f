// Written by @scope/api/slim/cli from ./contract.ts. If it is out of date, it does not compile: write it again.
import { empty, json, problem, raw, responseText, type SlimContract, slimContract, sse } from "@scope/api/slim";
import type { contract as whole } from "./contract.ts";
import { roomEvents } from "./codecs.ts";

export const contract: SlimContract<typeof whole> = slimContract<typeof whole>({
  say: ["POST", "/api/messages", { headers: 1, body: json }, { 204: empty, 503: problem }],
  listen: ["GET", "/api/messages", { query: 1, headers: 1 }, { 200: [sse, { codec: roomEvents }] }],
  typing: ["GET", "/api/typing", { query: 1 }, { 101: raw, 426: [responseText, { headers: 1 }] }],
});
