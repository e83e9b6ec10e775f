/** What a report must not contain: the credentials of the audit, in every form that a server may repeat. */
import { encodeBase64 } from "../../wire/credentials.ts";
import { type Caller, showCredential } from "../testing/encode_request.ts";
import type { RoutePlan } from "../testing/route_plan.ts";
import type { AuditSettings } from "./settings.ts";

export function secretsOf(
  plans: Iterable<RoutePlan>,
  caller: Caller,
  { credentials, headers }: Pick<AuditSettings, "credentials" | "headers">,
): string[] {
  const texts = Object.values(credentials);
  const passwords = [...caller.credentials.values()].flatMap((each) =>
    typeof each === "object" && each !== null ? String((each as { readonly password?: unknown }).password) : []
  );
  const shown = [...plans].flatMap((plan) => Object.values(showCredential(plan, caller)));
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    confidential.test(name) ? splitField(value) : value.length >= 8 && !isHarmless(name) ? [value] : []
  );
  const parts = [...texts, ...passwords, ...shown.flatMap(splitField), ...fields];
  const all = [...parts, ...parts.map((part) => encodeBase64(part.toWellFormed()))];
  return [...new Set(all)].toSorted((one, other) => other.length - one.length); // a part of one may be another
}

/** Tests whether the values of a header field say nothing that a report should mask. */
export function isHarmless(name: string): boolean {
  return /^(?:accept(?:-.+)?|cache-control|content-.+|prefer|user-agent)$/.test(name);
}

/** The names of header fields whose values are confidential, also in short parts. */
const confidential = /auth|cookie|key|token|secret|pass|session/;

/** Returns the value of a header field, and its parts: a server may repeat the token without `Bearer`. */
function splitField(value: string): string[] {
  return [value, ...value.split(/[\s;,]+/).flatMap((part) => [part, part.slice(part.indexOf("=") + 1)])]
    .filter((part) => part.length > 3 && !/^(?:basic|bearer|token)$/i.test(part));
}
