/** The contract, mounted with the package's own adapter. It decides which requests a server must accept. */
import { messageOf } from "../../messages.ts";
import type { Contract } from "../../contract/contract.ts";
import { handlerResponses, mapNodes, type RouteNode, routesOf } from "../../contract/node.ts";
import { sentStatus } from "../../contract/refusals.ts";
import { schemesOf } from "../../contract/security_scheme.ts";
import { createFetchHandler } from "../../fetch/fetch_handler.ts";
import type { ErrorReport } from "../../server/answer/answer_stop.ts";
import { mapLeaves, markAs } from "../../mark.ts";
import type { RefuseInput } from "../../server/define/refuse.ts";
import { defineServer } from "../../server/define/server.ts";
import { verify } from "../../server/steps/authenticate.ts";
import { withoutSocket } from "../openapi/without_socket.ts";
import type { AdapterProblem } from "../../wire/problem.ts";
import { takesStream } from "./route_plan.ts";
import { toRequest, type WireRequest } from "./wire_request.ts";

export interface Verdict {
  /** The route whose handler receives the request; `undefined` if the contract rejects it. */
  readonly route: RouteNode | undefined;
  /** The route that rejects the request; `undefined` if it matches none, or if a handler receives it. */
  readonly refusing: RouteNode | undefined;
  /**
   * The usual status of the rejection. 200 if a handler receives the request, 500 if a schema of the contract throws.
   */
  readonly status: number;
  /** The status that the contract's refusals declare instead; `undefined` if they declare none. */
  readonly declared: number | undefined;
  readonly reason: string;
  /** The methods of the path, if the contract rejects the method of the request. */
  readonly allow: readonly string[];
}

export type Judge = (request: WireRequest) => Promise<Verdict>;

class Reached {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

const origin = "http://localhost";

/** Mounts a contract with handlers that only report their calls, and verifiers that accept every credential. */
export function createReference(contract: Contract): Judge {
  const nodes = routesOf(contract.routes);
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const plain = withoutRefusals(contract);
  const refusing = new WeakMap<Request, RouteNode>();
  const refuse = ({ request, route }: RefuseInput): void => {
    const node = route && byKey.get(route.key);
    if (node) refusing.set(request, node);
  };
  const verifiers = schemesOf(nodes).map((scheme) => verify(scheme, () => ({ scopes: scheme.scopes })));
  const implementation = defineServer(plain, { security: verifiers, refuse } as never) // a verifier for each scheme
    .implement(mapLeaves(plain.routes, "route", toHandler) as never);
  const answer = createFetchHandler(implementation, { onError: report });
  return async (request) => {
    const asked = toRequest(request, origin);
    const response = await answer(asked);
    const key = response.headers.get(reachedField);
    if (key !== null) return { ...taken, route: byKey.get(decodeURIComponent(key)) };
    const node = refusing.get(asked);
    const { refusals } = node ?? contract;
    const declared = sentStatus(refusals, response.status);
    return { ...await readRefusal(response), route: undefined, refusing: node, declared };
  };
}

const taken: Verdict = {
  route: undefined,
  refusing: undefined,
  status: 200,
  declared: undefined,
  reason: "",
  allow: [],
};

/** Returns a copy of a contract whose refusals are all problem documents, which say why. */
function withoutRefusals(contract: Contract): Contract {
  const routes = mapNodes(contract.routes, (node) => ({
    responses: withoutSocket(handlerResponses(node)),
    ownResponses: undefined,
    refusals: undefined,
  }));
  return markAs("contract", { ...contract, routes, refusals: undefined });
}

const reachedField = "x-reached";

function report({ error }: ErrorReport): Response {
  if (error instanceof Reached) {
    return new Response(null, { status: 204, headers: { [reachedField]: encodeURIComponent(error.key) } });
  }
  return Response.json({ detail: messageOf(error) }, { status: 500 });
}

/** Returns a handler that first reads a streamed body, because its limit applies only while a handler reads it. */
function toHandler(node: RouteNode): (input: { readonly body: unknown }) => Promise<never> {
  const reached = new Reached(node.key);
  return async ({ body }) => {
    if (takesStream(node)) { for await (const _ of (body ?? []) as AsyncIterable<unknown>); } // the body of an upload
    throw reached;
  };
}

async function readRefusal(response: Response): Promise<Pick<Verdict, "status" | "reason" | "allow">> {
  const { status, headers, body } = response;
  const problem: Partial<AdapterProblem> = body === null ? {} : await response.json();
  return { status, reason: formatReason(problem, status), allow: headers.get("allow")?.split(", ") ?? [] };
}

function formatReason({ issues = [], detail }: Partial<AdapterProblem>, status: number): string {
  const [issue] = issues;
  if (!issue) return status === 500 && detail ? `a schema throws: ${detail}` : reasons[status] ?? `with ${status}`;
  const { location, pointer, message } = issue;
  const where = location === "body" ? pointer : `${location}${pointer}`;
  const start = `${issue.path.at(-1)} `; // most libraries begin the message with the name of the part, or omit the name
  const said = message.startsWith(start) ? message.slice(start.length) : message;
  const joint = /^(?:must|is|has)\b/.test(said) ? " " : ": ";
  return `${where === "" ? "the body" : where}${joint}${said}`;
}

const reasons: Readonly<Record<number, string>> = {
  400: "the request is malformed",
  401: "it has no credential",
  403: "it is forbidden",
  404: "no route has the path",
  405: "the path does not have the method",
  413: "the body is too large",
  415: "the content type is not the declared one",
  500: "a schema throws",
};
