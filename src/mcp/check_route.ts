/** Checks which routes can become tools. */
import { type RouteNode } from "../contract/node.ts";
import { contentOf } from "./contents.ts";

/** Throws the `TypeError` for a route that cannot become a tool: which route, why, and what to do instead. */
export function cannotMakeTool(key: string, state: string): never {
  throw new TypeError(`Cannot make a tool of ${key}: ${state}`);
}

/** Returns the name of a route's tool: its key, in characters that MCP and the APIs of models allow. */
export function toToolName(key: string): string {
  const name = key.replaceAll(".", "_");
  if (/^[\w-]{1,128}$/.test(name)) return name;
  cannotMakeTool(
    JSON.stringify(key),
    "the name of a tool has at most 128 characters, which are letters of ASCII, digits, _ and -; rename its keys",
  );
}

/** Throws a `TypeError` for a route whose body or response a model cannot use. */
export function refuseContents({ key, body, responses }: RouteNode): void {
  const unfitBody = body && contentOf(body).unfit;
  if (unfitBody !== undefined) {
    cannotMakeTool(key, `its body is ${unfitBody}; declare a route that takes JSON, text or a form`);
  }
  if (typeof body?.contentType === "object") {
    cannotMakeTool(key, "its body may have several media types; declare a route whose body has one");
  }
  for (const [status, declared] of Object.entries(responses)) {
    const { unfit } = contentOf(declared);
    if (unfit !== undefined) {
      cannotMakeTool(key, `its response ${status} is ${unfit}; declare a route that answers with JSON or text`);
    }
  }
}
