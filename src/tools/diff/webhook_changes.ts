/**
 * Compares the webhooks of two contracts, in the reverse direction: an old receiver reads what the new API sends, as a
 * client reads a response, and answers what the new API reads, as a server reads a request.
 */
import type { ApiRequestBody, ApiResponse, ApiRoute } from "./api.ts";
import { compareBodies } from "./body_changes.ts";
import type { Change } from "./change.ts";
import { compareDeprecations, compareFields, compareStyles } from "./route_changes.ts";
import type { RoutePair } from "./route_pairs.ts";
import type { Effort } from "./slot_changes.ts";

/** Compares the webhooks of two APIs. Those of one name and method are the same. */
export function compareWebhooks(before: readonly ApiRoute[], after: readonly ApiRoute[], effort: Effort): Change[] {
  const [earlier, later] = [before, after].map((routes) => new Map(routes.map((each) => [labelOf(each), each])));
  const removed = [...earlier!].filter(([label]) => !later!.has(label)).map(([, each]) => each);
  const added = [...later!].filter(([label]) => !earlier!.has(label)).map(([, each]) => each);
  return [
    ...removed.map((each): Change => {
      const message = `${labelOf(each)} is no longer sent`;
      return { verdict: "breaking", rule: "webhook-removed", route: each.key, where: "", message };
    }),
    ...added.map((each): Change => {
      const message = `${labelOf(each)} may be sent now`;
      return { verdict: "compatible", rule: "webhook-added", route: each.key, where: "", message };
    }),
    ...[...earlier!].flatMap(([label, each]) => {
      const other = later!.get(label);
      return other ? compareWebhook({ before: each, after: other }, effort) : [];
    }),
  ];
}

function labelOf({ method, path }: ApiRoute): string {
  return `${method} ${path}`;
}

function compareWebhook(pair: RoutePair, effort: Effort): Change[] {
  const { before, after } = pair;
  const route = before.key;
  return [
    ...compareDeprecations(pair),
    ...(["query", "headers"] as const).flatMap((slot) =>
      compareFields({ route, slot, isRequest: false, before: before[slot], after: after[slot] }, effort)
    ),
    ...compareStyles(pair),
    ...compareSentBody(pair, effort),
    ...compareAnswers(pair, effort),
  ];
}

function compareSentBody(
  { before: { key: route, body: was }, after: { body: is } }: RoutePair,
  effort: Effort,
): Change[] {
  const common = { route, where: "body" } as const;
  const presence = comparePresence(was, is);
  const changes = presence ? [{ ...common, ...presence }] : [];
  if (!was || !is) return changes;
  return [...changes, ...compareBodies({ ...common, isRequest: false, isFixed: true, before: was, after: is }, effort)];
}

/** Describes a body that may be missing now, or that is always sent. */
function comparePresence(
  was: ApiRequestBody | undefined,
  is: ApiRequestBody | undefined,
): Pick<Change, "verdict" | "rule" | "message"> | undefined {
  if (!was && !is) return undefined;
  if (!was) return { verdict: "compatible", rule: "body-added", message: "a body is sent now" };
  if (!is) return { verdict: "breaking", rule: "body-removed", message: "the body is no longer sent" };
  if (was.isOptional === is.isOptional) return undefined;
  return is.isOptional
    ? { verdict: "breaking", rule: "body-optional", message: "the body may be missing now" }
    : { verdict: "compatible", rule: "body-required", message: "the body is always sent now" };
}

/** Compares the responses that receivers answer. */
function compareAnswers({ before, after }: RoutePair, effort: Effort): Change[] {
  const route = before.key;
  const answered = [...before.responses].flatMap(([where, response]): Change[] => {
    const read = findResponse(where, after.responses);
    const pair = { route, isRequest: true };
    if (read) {
      return [
        ...compareBodies({ ...pair, where, before: response, after: read }, effort),
        ...compareFields({ ...pair, slot: `${where} headers`, before: response.headers, after: read.headers }, effort),
      ];
    }
    const message = "the status is no longer accepted";
    return [{ verdict: "breaking", rule: "status-removed", route, where, message }];
  });
  const added = [...after.responses.keys()].filter((status) => !findResponse(status, before.responses));
  return [
    ...answered,
    ...added.map((where): Change => {
      return { verdict: "compatible", rule: "status-added", route, where, message: "the status is accepted now" };
    }),
  ];
}

/** Returns the response of a status, or that of the range that contains it. */
function findResponse(status: string, responses: ApiRoute["responses"]): ApiResponse | undefined {
  return responses.get(status) ?? responses.get(`${status[0]}XX`) ?? responses.get("default");
}
