/** Checks which routes can become tools. */
import { type RouteNode } from "../contract/node.ts";
import { contentOf } from "./contents.ts";

/** Throws the `TypeError` for a route that cannot become a tool: which route, why, and what to do instead. */
export function cannotMakeTool(key: string, state: string): never {
  throw new TypeError(`mcpTools(): cannot make a tool of ${key}: ${state}`);
}

/** Returns the name of a route's tool: its key, in characters that MCP and the APIs of models allow. */
export function toToolName(key: string): string {
  const name = key.replaceAll(".", "_");
  if (/^[\w-]{1,128}$/.test(name)) return name;
  cannotMakeTool(
    JSON.stringify(key),
    "its key must have at most 128 characters, of ASCII letters, digits, _, - and dots; rename it",
  );
}

/** Throws a `TypeError` for a route whose body or response a model cannot use. */
export function refuseContents({ key, body, responses }: RouteNode): void {
  const unfitBody = body && contentOf(body).unfit;
  if (unfitBody !== undefined) {
    cannotMakeTool(key, `its body must be JSON, text or a form, got ${unfitBody}`);
  }
  if (typeof body?.contentType === "object") {
    cannotMakeTool(key, "its body must have one media type, got several or a range");
  }
  for (const [status, declared] of Object.entries(responses)) {
    const { unfit } = contentOf(declared);
    if (unfit !== undefined) {
      cannotMakeTool(key, `its response ${status} must be JSON or text, got ${unfit}`);
    }
  }
}
