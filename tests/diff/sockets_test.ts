/** Connections are compared in both directions: what clients send as a request, what the server sends as a response. */
import { type Contract, defineContract, request, response, route } from "@scope/api";
import { diffContracts } from "@scope/api/diff";
import { openApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";
import * as z from "zod";

const text = z.string();
const said = z.object({ text });
const ok = response.empty();

const contractWith = (responses: object): Contract =>
  defineContract({ routes: { room: route.get("/room", { responses: { 404: ok, ...responses } }) } }) as Contract;
const socket = (options: object) => ({ 101: response.socket({ fromClient: said, fromServer: said, ...options }) });

interface Row {
  readonly before: object;
  readonly after: object;
  /** Verdict, rule, place and message of each change. */
  readonly changes: readonly string[];
  /** Those of documents, which do not tell representations apart. */
  readonly ofDocuments?: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  "a member that clients must send": {
    before: socket({}),
    after: socket({ fromClient: z.object({ text, to: text }) }),
    changes: ["breaking | request-narrowed | 101 fromClient /to | is required now"],
  },
  "a member that clients may send": {
    before: socket({}),
    after: socket({ fromClient: z.object({ text, to: text.optional() }) }),
    changes: ["compatible | request-widened | 101 fromClient /to | was added"],
  },
  "a member that the server sends too": {
    before: socket({}),
    after: socket({ fromServer: z.object({ text, by: text }) }),
    changes: ["compatible | response-widened | 101 fromServer /by | was added"],
  },
  "a member that the server may leave out": {
    before: socket({}),
    after: socket({ fromServer: z.object({ text: text.optional() }) }),
    changes: ["breaking | response-widened | 101 fromServer /text | may be missing now"],
  },
  "a close code that clients do not know, and one that is gone": {
    before: socket({ closes: { 4001: "closed", 4002: "full" } }),
    after: socket({ closes: { 4002: "full", 4003: "banned" } }),
    changes: [
      "breaking | close-added | 101 closes /4003 | may close a connection now",
      "compatible | close-removed | 101 closes /4001 | no longer closes a connection",
    ],
  },
  "another subprotocol": {
    before: socket({}),
    after: socket({ protocols: ["v2", "v3"] }),
    changes: ["breaking | protocol-changed | 101 protocols | must be v2 or v3 now, not json"],
  },
  "a further subprotocol": { before: socket({}), after: socket({ protocols: ["v2", "json"] }), changes: [] },
  "shorter messages": {
    before: socket({ maxMessageBytes: 200 }),
    after: socket({ maxMessageBytes: 100 }),
    changes: ["breaking | body-limit-changed | 101 fromClient | may have 100 bytes or fewer now, not 200"],
  },
  "bytes instead of JSON": {
    before: socket({}),
    after: socket({ fromClient: request.bytes() }),
    changes: [
      "breaking | content-type-removed | 101 fromClient | application/json was removed",
      "compatible | content-type-added | 101 fromClient | application/octet-stream was added",
    ],
  },
  "a route that opens no connections any more": {
    before: socket({}),
    after: { 200: ok },
    changes: [
      "breaking | status-added | 200 | the status may be sent now",
      "breaking | status-removed | 101 | connections are no longer opened",
    ],
  },
  "a route that opens connections too": {
    before: { 200: ok },
    after: { 200: ok, ...socket({}) },
    changes: ["compatible | status-added | 101 | the status may be sent now"],
  },
  "a native response instead of a connection": {
    before: socket({}),
    after: { 101: response.raw() },
    changes: ["breaking | representation-changed | 101 | is no longer a socket"],
    ofDocuments: ["unproven | representation-changed | 101 | is no longer a socket, as far as is known"],
  },
};

const list = (...sides: Parameters<typeof diffContracts>): string[] =>
  diffContracts(...sides).map(({ verdict, rule, where, message }) => [verdict, rule, where, message].join(" | "));

// proves diff | The messages of WebSockets are compared in both directions, between contracts and documents
Deno.test("diffContracts() compares connections in both directions", async (test) => {
  const info = { title: "Chat", version: "1" };
  for (const [name, { before, after, changes, ofDocuments = changes }] of Object.entries(rows)) {
    await test.step(name, () => {
      const [one, other] = [contractWith(before), contractWith(after)];
      const documents = [one, other].map((contract) => openApiDocument(contract, { info, refusals: false }));
      assertEquals(list(one, other), changes, "of contracts");
      assertEquals(list(...documents as [never, never]), ofDocuments, "of documents");
      assertEquals(list(one, documents[1]!), ofDocuments, "of a contract and a document");
    });
  }
});

Deno.test("a contract with a socket does not differ from its document", () => {
  const contract = contractWith(socket({ closes: { 4001: "closed" }, maxMessageBytes: 5, protocols: ["v2"] }));

  assertEquals(list(contract, openApiDocument(contract, { info: { title: "Chat", version: "1" } })), []);
});
