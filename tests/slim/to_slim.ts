/** The slim contract of a whole one, without a file: the output of the command runs at once. */
import type { Contract } from "@scope/api";
import * as slim from "@scope/api/slim";
import { writeSlimContract } from "../../src/tools/slim/write_slim_contract.ts";
import { routesOf } from "../../src/contract/node.ts";
import type { MessageFormat, SocketRepresentation } from "../../src/representation/socket.ts";

/** The slim contract of a contract whose codecs and representations are not exported. */
export function toSlim(contract: Contract): slim.SlimContract {
  const exports = nameParts(contract);
  const codecs = { path: "./codecs.ts", specifier: "./codecs.ts", exports };
  const file = { name: "contract", contract: "./contract.ts", codecs, library: "@scope/api/slim" };
  return evaluate(writeSlimContract(contract, file), exports);
}

/** Names for everything that a contract's declarations carry and a slim contract imports. */
function nameParts(contract: Contract): Record<string, unknown> {
  const parts = new Set(
    routesOf(contract.routes).flatMap(({ params, query, headers, body, responses }) => [
      params,
      query,
      headers,
      ...[...Object.values(responses), ...(body ? [body] : [])].flatMap((declared) => [
        declared.schema,
        "headers" in declared ? declared.headers : undefined,
        (declared.representation as { readonly custom?: unknown }).custom,
        ...messagesOf(declared.representation).flatMap(({ schema, custom }) => [schema, custom]),
      ]),
    ]).filter((part) => part !== undefined),
  );
  return Object.fromEntries([...parts].map((part, index) => [`part${index}`, part]));
}

/** The messages of the connections of a response. */
function messagesOf(representation: unknown): readonly MessageFormat[] {
  const { socket } = representation as Partial<SocketRepresentation>;
  return socket ? [socket.fromClient, socket.fromServer] : [];
}

/** The export of a file that was written, run with these codecs in place of its imports. */
function evaluate(text: string, codecs: Readonly<Record<string, unknown>>): slim.SlimContract {
  const [, call = ""] = / = slim\.slimContract<typeof whole>(.*);$/ms.exec(text) ?? [];
  return new Function("slim", "codecs", `"use strict"; return slim.slimContract${call};`)(slim, codecs);
}
