/** Compares the responses of two servers of one contract. */
import { type Answer, type Silence } from "./answer.ts";
import { type Exchange, type RuleSettings } from "./exchange.ts";
import { type Breach } from "./finding.ts";
import { isSame } from "./is_same.ts";
import { mediaTypeEssence } from "../wire/media_type.ts";

/**
 * Returns how the response of another server differs: in its status or, if a handler received the request, in its body.
 */
export function compareAnswers(
  { answer, verdict }: Exchange,
  other: Answer | Silence,
  { show }: RuleSettings,
): Breach | undefined {
  const breach = (state: string): Breach => ({
    rule: "same-answers",
    state: `was answered ${answer.status}; the other server ${state}`,
  });
  if ("state" in other) return breach(other.state);
  if (other.status !== answer.status) return breach(`answered ${other.status}`);
  if (verdict.route === undefined || isSame(contentOf(answer), contentOf(other))) return undefined;
  return breach(`answered with another body: ${show(textOf(answer), 200)} became ${show(textOf(other), 200)}`);
}

/** Returns the content of a response. JSON is parsed, because the order of members is irrelevant. */
function contentOf(answer: Answer): unknown {
  const text = textOf(answer);
  const { headers } = answer;
  if (!/[/+]json$/.test(mediaTypeEssence(headers.get("content-type") ?? ""))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf({ body }: Answer): string {
  return new TextDecoder().decode(body);
}
