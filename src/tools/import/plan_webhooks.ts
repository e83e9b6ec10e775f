/** Plans the webhooks of a document: requests that the API sends, each to a URL of the receiver. */
import { toOneLine } from "../../messages.ts";
import type { Operation } from "../openapi/operations.ts";
import { toList } from "../openapi/part.ts";
import { Names } from "./names.ts";
import type { DocumentReader, GroupPlan, Planned, RoutePlan } from "./plan.ts";
import { planBody, planResponses } from "./plan_content.ts";
import { type Parameter, readParameters } from "./plan_parameters.ts";
import { attempt, checkMethod, describeSunset, labelOf, planHeadersBeside, proseOf, tagsOf } from "./plan_routes.ts";
import type { ReportedOperation } from "./report.ts";

/** The webhooks of a document, and what became of each. */
export interface PlannedWebhooks {
  /** The webhooks; `undefined` if none is declared. */
  readonly webhooks: GroupPlan | undefined;
  readonly reported: readonly ReportedOperation[];
}

/** The key of the group of webhooks. No tag has it, because theirs are identifiers. */
const groupKey = "~webhooks";

/** The tag that documents of contracts have for webhooks. */
const tag = "webhooks";

/**
 * Plans the webhooks of a document.
 *
 * @param operationIds The ids of the routes, which no webhook has.
 */
export function planWebhooks(
  operations: readonly Operation[],
  operationIds: readonly string[],
  reader: DocumentReader,
): PlannedWebhooks {
  const ids = new Names(operationIds);
  const routes = new Map<string, RoutePlan>();
  const reported = operations.map((operation): ReportedOperation => {
    const name = operation.path;
    const label = labelOf(operation);
    const earlier = routes.get(name)?.method.toUpperCase();
    const found = attempt(() => {
      if (earlier !== undefined) throw new TypeError(`a webhook has one method, and ${earlier} is declared`);
      return planWebhook(operation, reader);
    });
    if ("reason" in found) return { operation: label, key: undefined, changes: [], reason: found.reason };
    const { planned, changes } = found;
    const wanted = planned.operationId ?? name;
    const operationId = ids.take(wanted);
    routes.set(name, operationId === wanted ? planned : { ...planned, operationId });
    const renamed = `its operationId is ${JSON.stringify(operationId)}, because another operation has ${
      JSON.stringify(wanted)
    }`;
    return {
      operation: label,
      key: name,
      changes: operationId === wanted ? changes : [...changes, renamed],
      reason: undefined,
    };
  });
  const group = { key: groupKey, tag, description: undefined, routes: [...routes.values()] };
  return { webhooks: routes.size === 0 ? undefined : group, reported };
}

/** Reports a webhook that is not planned, because a contract without schemas has none. */
export function leaveOut(operation: Operation): ReportedOperation {
  return {
    operation: labelOf(operation),
    key: undefined,
    changes: [],
    reason: "a contract without schemas sends nothing",
  };
}

/**
 * Plans a webhook.
 *
 * @throws {TypeError} If a contract cannot declare it.
 */
function planWebhook(operation: Operation, reader: DocumentReader): Planned<RoutePlan> {
  const method = checkMethod(operation);
  const { planned: parameters, changes: alike } = readParameters(reader.source, operation);
  const body = planBody(operation, reader);
  if (body.planned === undefined) throw new TypeError("it has no body, which a webhook needs");
  const headers = planHeadersBeside(body.planned, parameters, reader);
  const tags = tagsOf(reader.source, operation);
  const responses = planResponses(operation, reader);
  return {
    planned: {
      key: operation.path,
      operation,
      method,
      path: "/",
      hasTrailingSlash: false,
      ...proseOf(operation),
      tags: tags.length === 1 && tags[0] === tag ? [] : tags,
      params: undefined,
      query: undefined,
      headers: headers.planned,
      body: body.planned,
      responses: responses.planned.map(({ status, response }) => [status, response] as const),
      security: undefined,
    },
    changes: [
      ...describeSunset(operation),
      ...alike,
      ...parameters.flatMap(describePlace),
      ...(toList(operation.part.security).length > 0 ? ["its security is not declared: it is the receiver's"] : []),
      ...[body, headers, responses].flatMap(({ changes }) => changes),
    ],
  };
}

/** Says that a parameter is not declared, because the receiver chooses its URL. */
function describePlace({ name, part }: Parameter): string[] {
  if (part.in !== "path" && part.in !== "query") return [];
  return [`the ${part.in} parameter ${toOneLine(name)} is not declared: the receiver chooses its URL`];
}
