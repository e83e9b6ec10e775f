/** A report as annotations of GitHub Actions: commands that a step prints. */
import { toOneLine } from "../../messages.ts";
import { type Findings, isAccepted, reasonOf } from "./findings.ts";
import type { JudgedChange } from "./policy.ts";

/**
 * Renders an annotation for each change that fails, and for each other one that is not compatible.
 *
 * @param file The file that the annotations are at, relative to the root of the repository.
 */
export function renderGithub({ changes, fails, remarks, suggestion }: Findings, file: string | undefined): string {
  const listed = changes.filter((change) => fails(change) || (change.verdict !== "compatible" && !isAccepted(change)));
  const lines = [
    ...listed.map((change) =>
      toCommand({
        level: fails(change) ? "error" : change.verdict === "source" ? "notice" : "warning",
        file,
        title: `${change.verdict} ${change.rule}`,
        message: describe(change),
      })
    ),
    ...remarks.map(({ message, isFailure }) =>
      toCommand({ level: isFailure ? "error" : "warning", file: undefined, title, message })
    ),
    suggestion,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Renders a message that is not about a change. */
export function renderNotice(message: string): string {
  return `${toCommand({ level: "notice", file: undefined, title, message })}\n`;
}

/** The title of annotations that are not about a change. */
const title = "Breaking changes";

function describe(change: JudgedChange): string {
  const { route, where, message, witness } = change;
  const reason = reasonOf(change);
  return [
    ...[route, where, message].filter((part) => part !== ""),
    ...(witness === undefined ? [] : [JSON.stringify(witness)]),
    ...(reason === undefined ? [] : [`(${reason})`]),
  ].join("  ");
}

interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly file: string | undefined;
  readonly title: string;
  readonly message: string;
}

function toCommand({ level, file, title, message }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${escapeProperty(file)}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(",")}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return toOneLine(text).replaceAll("%", "%25");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
