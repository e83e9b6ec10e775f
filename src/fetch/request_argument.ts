import { type RouteInfo } from "../server/call.ts";

/** The argument of functions that read the head of a request. The signal is a getter, as in a handler's input. */
export class RequestArgument {
  constructor(readonly request: Request, readonly route: RouteInfo) {}

  get signal(): AbortSignal {
    return this.request.signal;
  }
}
