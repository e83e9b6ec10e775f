/** Contracts without connections, for programs that do not open any. Documents do not contain this. */
import { raw, type ResponseDeclaration, type Responses } from "../../contract/response.ts";
import { markAs } from "../../mark.ts";
import { socketOf } from "./sockets.ts";

/** Returns responses without connections: a native 101 in their place, which needs no option `sockets` to be mounted. */
export function withoutSocket(responses: Responses): Responses {
  return socketOf(responses[101]) ? { ...responses, 101: closed } : responses;
}

/** Returns whether a response is what {@linkcode withoutSocket} has put in the place of connections. */
export function isClosed(declared: ResponseDeclaration | undefined): boolean {
  return declared === closed;
}

const closed: ResponseDeclaration = /* @__PURE__ */ markAs("response", {
  .../* @__PURE__ */ raw(),
  kind: "socket",
});
