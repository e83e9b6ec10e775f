import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { decodeJson, encodeBytes, encodeText } from "../../src/representation/whole_body.ts";
import { decodeText } from "../../src/wire/read_bytes.ts";
import type { WholeContent } from "../../src/representation/representation.ts";
import { encodeJson } from "../../src/wire/json.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(100);

/** The content of a message. */
async function contentOf(encoded: WholeContent): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(encoded).arrayBuffer());
}

const text = fc.string({ unit: "binary" });

// proves json | No byte order mark is sent | RFC 8259, 8.1
Deno.test("decodeJson() reverses encodeJson()", async () => {
  await always(fc.asyncProperty(fc.jsonValue(), async (value) => {
    const plain = JSON.parse(JSON.stringify(value)); // JSON has no -0
    assertEquals(decodeJson(await contentOf(encodeJson(value))), plain);
  }));
});

Deno.test("decodeText() reverses encodeText()", async () => {
  await always(
    fc.asyncProperty(text, async (value) => assertEquals(decodeText(await contentOf(encodeText(value))), value)),
  );
});

Deno.test("encodeBytes() returns exactly the bytes of a view, a buffer or a blob", async () => {
  await always(fc.asyncProperty(fc.uint8Array(), fc.nat(8), async (whole, from) => {
    const view = whole.subarray(from);
    const bytes = Uint8Array.from(view);
    assertEquals(await contentOf(encodeBytes(view)), bytes);
    assertEquals(await contentOf(encodeBytes(new Blob([bytes]))), bytes);
    assertEquals(await contentOf(encodeBytes(bytes.buffer)), bytes);
  }));
});

Deno.test("a byte order mark is dropped only from JSON", () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x31]);
  assertEquals(decodeJson(marked), 1);
  assertEquals(decodeText(marked), "\ufeff1");
});

Deno.test("encoders refuse values that a representation cannot carry", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const refused: [(value: unknown) => WholeContent, unknown[]][] = [
    [encodeJson, [
      undefined,
      () => 1,
      Symbol("a"),
      1n,
      { a: 1n },
      cycle,
      { toJSON: () => undefined },
      NaN,
      [undefined],
      new Map(),
    ]],
    [encodeText, [undefined, null, 1, {}, [], "\ud800", "a\udfffb"]],
    [encodeBytes, [undefined, null, "a", 1, [1, 2], {}, new DataView(new ArrayBuffer(1)), new Uint16Array(1)]],
  ];
  for (const [encode, values] of refused) {
    for (const value of values) assertThrows(() => encode(value), TypeError);
  }
});
