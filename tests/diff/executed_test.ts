/**
 * Each row of the table, executed: an old client calls a mock of the new contract, and fails exactly if the row says
 * so.
 */
import { assert, assertEquals } from "@std/assert";
import type { Contract } from "@scope/api";
import { createClient } from "@scope/api/client";
import { diffContracts } from "@scope/api/diff";
import { mockContract } from "@scope/api/mock";
import { prune, sendableValues } from "../../src/tools/diff/witnesses.ts";
import type { Json, JsonSchemaObject } from "../../src/tools/json_schema/json.ts";
import { toReader, toSender } from "../../src/tools/json_schema/reading_rules.ts";
import { toCheck } from "../../src/schema.ts";
import { giving, rows, schemaOf, taking } from "./rows.ts";

/** The JSON Schema of a row's object. */
function wireOf(schema: JsonSchemaObject): JsonSchemaObject {
  const { jsonSchema } = schemaOf(schema)["~standard"] as unknown as { jsonSchema: { input: () => JsonSchemaObject } };
  return jsonSchema.input();
}

/** Requests of an old client: values that its own schema accepts. */
function* sentValues(schema: JsonSchemaObject): Iterable<Json> {
  const check = toCheck(schemaOf(schema));
  for (const value of sendableValues(toSender(wireOf(schema)), 60)) {
    if (!("issues" in check(value)!)) yield value;
  }
}

/** Whether a new server keeps its promises to a call of an old client. */
async function isTaken(before: Contract, after: Contract, body: Json): Promise<boolean> {
  const client: object = createClient(before, { baseUrl: "http://localhost", fetch: mockContract(after) });
  const { it } = client as { readonly it: (input: object) => Promise<{ readonly status: number }> };
  return await it({ body }).then(({ status }) => status === 204, () => false);
}

/** Whether an old client, which ignores unknown properties, finds the promises of its schema in a response. */
async function isRead(schema: JsonSchemaObject, contract: Contract, answer?: Json): Promise<boolean> {
  const handlers = answer === undefined ? {} : { it: ({ response }: never) => (response as Respond)(200, answer) };
  const fetch = mockContract(contract, { handlers: handlers as never, seed: 7 });
  const client: object = createClient(giving(schema), { baseUrl: "http://localhost", fetch });
  const { it } = client as { readonly it: () => Promise<{ readonly body: Json }> };
  const { body } = await it();
  const known = prune([toReader(wireOf(schema), true)], body);
  return known === undefined ||
    !("issues" in await toCheck(schemaOf({ ...schema, additionalProperties: true }))(known));
}

type Respond = (status: number, body: Json) => never;

for (const { name, before, after } of rows) {
  Deno.test(`a new server refuses an old client exactly if a request breaks: ${name}`, async () => {
    const [old, young] = [taking(before), taking(after)];
    const breaking = diffContracts(old, young, { samples: 500 }).filter(({ verdict }) => verdict === "breaking");

    for (const { witness } of breaking) {
      assert(await isTaken(old, old, witness!), "the old server takes the witness");
      assertEquals(await isTaken(old, young, witness!), false, "the new server refuses it");
    }
    if (breaking.length > 0) return;
    for (const value of sentValues(before)) assert(await isTaken(old, young, value), JSON.stringify(value));
  });

  Deno.test(`an old client cannot read a new server exactly if a response breaks: ${name}`, async () => {
    const [old, young] = [giving(before), giving(after)];
    const breaking = diffContracts(old, young, { samples: 500 }).filter(({ verdict }) => verdict === "breaking");

    for (const { witness } of breaking) {
      assertEquals(await isRead(before, young, witness!), false, "it reads the witness");
    }
    if (breaking.length > 0) return;
    for (const value of sentValues(after)) assert(await isRead(before, young, value), JSON.stringify(value));
    assert(await isRead(before, young), "it does not read the mock's own answer");
  });
}
