/** Representations of maintained libraries: values arrive unchanged, and hostile bytes are 400, never 500. */
import { create } from "@bufbuild/protobuf";
import { type CustomRepresentation, defineContract, request, response, route } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler } from "@scope/api/fetch";
import { defineServer } from "@scope/api/server";
import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import fc from "fast-check";
import { listen } from "../support/mount_route.ts";
import { asserting } from "../support/tries.ts";
import { cbor, csv, maxArrayLength, msgpack, point, pointType } from "./libraries.ts";

const always = asserting(200);

const baseUrl = "http://localhost";

/** The test cases of a representation. */
interface Tried {
  readonly representation: CustomRepresentation;
  /** Values that it carries. */
  readonly values: fc.Arbitrary<unknown>;
  /** Bytes that are not a value; some look like the beginning of one. */
  readonly malformed: readonly (readonly number[])[];
}

/** JSON values, without a key that libraries reject or rename. */
const json = fc.jsonValue({ maxDepth: 4 }).map((value) =>
  JSON.parse(JSON.stringify(value).replaceAll("__proto__", "proto"))
);
const text = fc.string({ unit: "grapheme" });
const near = fc.record({ x: fc.double({ noNaN: true }), label: text });
const points = fc.record({ x: fc.double({ noNaN: true }), label: text, near: fc.array(near) });

const tried: Readonly<Record<string, Tried>> = {
  MessagePack: {
    representation: msgpack,
    values: json,
    malformed: [
      [],
      [0xc1], // never used
      [0x01, 0x02], // two values
      [0xa5, 0x61], // a text that is cut off
      [0x92, 0x01], // an array that is cut off
      [0xdb, 0xff, 0xff, 0xff, 0xff], // lengths of 4 GiB
      [0xc6, 0xff, 0xff, 0xff, 0xff],
      [0xdd, 0xff, 0xff, 0xff, 0xff],
      [0xdf, 0xff, 0xff, 0xff, 0xff],
      [0x81, 0xa9, ...new TextEncoder().encode("__proto__"), 0x80],
      ...nested([0x91], 10_000),
      ...nested([0xdc, maxArrayLength >> 8, maxArrayLength & 255], 5000), // arrays that claim to be long
      ...nested([0xdd, 0x01, 0xc9, 0xc3, 0x80], 50), // by default 250 bytes that exhaust the memory of a process
    ],
  },
  CBOR: {
    representation: cbor,
    values: json,
    malformed: [
      [],
      [0x01, 0x02],
      [0xff], // a break without a beginning
      [0x1c], // a reserved length
      [0x61],
      [0xc1, 0x00], // a tag that is not known
      [0x5a, 0xff, 0xff, 0xff, 0xff],
      [0x7a, 0xff, 0xff, 0xff, 0xff],
      [0x9a, 0xff, 0xff, 0xff, 0xff],
      [0xba, 0xff, 0xff, 0xff, 0xff],
      ...nested([0x81], 1_000_000),
      ...nested([0x9a, 0x00, 0x0f, 0x42, 0x40], 200_000),
      ...nested([0xc1], 1_000_000),
    ],
  },
  Protobuf: {
    representation: point as CustomRepresentation as CustomRepresentation<unknown>,
    values: points.map((value) => create(pointType, value as never)),
    malformed: [
      [0x00], // a field with the number 0
      [0x09, 0x00], // a double that is cut off
      [0x12, 0x05, 0x61], // a text that is cut off
      [0x12, 0x01, 0xff], // text that is not UTF-8
      [0x12, 0xff, 0xff, 0xff, 0xff, 0x0f], // a length of 4 GiB
      [0x0f], // a type that does not exist
      ...nested([0x1a, 0x7f], 1000),
    ],
  },
  CSV: {
    representation: csv as CustomRepresentation as CustomRepresentation<unknown>,
    values: fc.array(fc.record({ name: text, note: text })),
    malformed: [
      [0xff, 0xfe], // not UTF-8
      [...new TextEncoder().encode('a,b\n"1,2')], // a quotation mark that nothing closes
      [...new TextEncoder().encode("a,b\n1,2,3")], // more fields than columns
      [...new TextEncoder().encode('a,b\n1"2,3')], // a quotation mark inside of a field
    ],
  },
};

/** One value inside of another, this many times, without an end. */
function nested(opening: readonly number[], depth: number): number[][] {
  return [Array.from({ length: depth * opening.length }, (_, index) => opening[index % opening.length]!)];
}

for (const [name, { representation, values, malformed }] of Object.entries(tried)) {
  const contract = defineContract({
    routes: {
      echo: route.post("/echo", {
        body: request.as(representation),
        responses: { 200: response.as(representation) },
      }),
      take: route.post("/take", { body: request.as(representation), responses: { 204: response.empty() } }),
    },
  });
  const { heard, onError } = listen();
  const handler = createFetchHandler(
    defineServer(contract).implement({
      echo: ({ body }) => ({ status: 200, body }),
      take: ({ response }) => response(204),
    }),
    { onError, maxBodyBytes: 2_000_000 },
  );

  const statusOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<number> => {
    const headers = { "content-type": representation.contentType };
    const answer = await handler(new Request(`${baseUrl}/take`, { method: "POST", body: bytes, headers }));
    if (answer.status === 400) assertEquals((await answer.json()).code, "invalid-body");
    return answer.status;
  };

  Deno.test(`${name}: values make a round trip between client and server`, async () => {
    const client = createClient(contract, { baseUrl, fetch: handler });
    await always(fc.asyncProperty(values, async (body) => {
      assertEquals((await client.echo({ body })).body, body);
    }));
  });

  Deno.test(`${name}: malformed bytes are 400`, async () => {
    for (const bytes of malformed) {
      assertEquals(await statusOf(Uint8Array.from(bytes)), 400, JSON.stringify(bytes.slice(0, 20)));
    }
    assertEquals(heard, []);
  });

  Deno.test(`${name}: any bytes are accepted or 400, never 500`, async () => {
    await always(fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
      assert([204, 400].includes(await statusOf(Uint8Array.from(bytes))));
    }));
    assertEquals(heard, []);
  });

  Deno.test(`${name}: truncated or changed bytes are accepted or 400, never 500`, async () => {
    const spoiled = fc.record({ value: values, at: fc.nat(), byte: fc.nat(255), isCut: fc.boolean() });
    await always(fc.asyncProperty(spoiled, async ({ value, at, byte, isCut }) => {
      const whole = await new Response(await representation.encode(value) as Blob).bytes();
      const place = at % (whole.byteLength + 1);
      const bytes = whole.slice(0, isCut ? place : undefined);
      if (!isCut && place < whole.byteLength) bytes[place] = byte;
      assert([204, 400].includes(await statusOf(bytes)));
    }));
    assertEquals(heard, []);
  });

  Deno.test(`${name}: a client resolves to a result or rejects with invalid-body for any bytes`, async () => {
    const malformedOrNot = fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.constantFrom(...malformed.slice(0, 6)));
    await always(fc.asyncProperty(malformedOrNot, async (bytes) => {
      const headers = { "content-type": representation.contentType };
      const fetch = (): Response => new Response(Uint8Array.from(bytes), { headers });
      const outcome = await createClient(contract, { baseUrl, fetch }).echo({ body: await first(values) })
        .catch((error: unknown) => error);
      if (!(outcome instanceof Error)) return;
      assertInstanceOf(outcome, ClientError);
      assertEquals(outcome.code, "invalid-body");
    }));
  });
}

/** One value of many. */
function first(values: fc.Arbitrary<unknown>): unknown {
  return fc.sample(values, 1)[0];
}
