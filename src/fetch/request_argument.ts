import { type RouteInfo } from "../server/call.ts";

/** What functions that see the head of a request are called with. The signal is a getter, as a handler's is. */
export class RequestArgument {
  constructor(readonly request: Request, readonly route: RouteInfo) {}

  get signal(): AbortSignal {
    return this.request.signal;
  }
}
