import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { bodyEncoders, type BodyKind, decodeBody, readBody } from "../../src/wire/body.ts";
import { tries } from "../tries.ts";

fc.configureGlobal(tries(100));

/** What stands on the wire for a value. */
async function bytesOf(kind: BodyKind, value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(bodyEncoders[kind](value)).bytes();
}

/** What both readers make of a value's content: of a message, and of bytes that were read already. */
async function readersOf(kind: BodyKind, value: unknown): Promise<[read: unknown, decoded: unknown]> {
  const bytes = await bytesOf(kind, value);
  return [await readBody(kind, new Response(bytes)), decodeBody(kind, bytes)];
}

const text = fc.string({ unit: "binary" });

Deno.test("bodyEncoders.json() is undone by readBody() and decodeBody()", async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue(), async (value) => {
    const plain = JSON.parse(JSON.stringify(value)); // JSON has no -0
    assertEquals(await readersOf("json", value), [plain, plain]);
  }));
});

Deno.test("bodyEncoders.text() is undone by readBody() and decodeBody()", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => assertEquals(await readersOf("text", value), [value, value])),
  );
});

Deno.test("bodyEncoders.bytes() is undone by readBody() and decodeBody()", async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array(), fc.nat(8), async (whole, from) => {
    const view = whole.subarray(from);
    const bytes = Uint8Array.from(view);
    assertEquals(await readersOf("bytes", view), [bytes, bytes]);
    assertEquals(await bytesOf("bytes", new Blob([bytes])), bytes);
    assertEquals(await bytesOf("bytes", bytes.buffer), bytes);
  }));
});

Deno.test("readBody() and decodeBody() leave a byte order mark out of JSON alone", async () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x31]);
  for (const [kind, value] of [["json", 1], ["text", "\ufeff1"], ["bytes", marked]] as const) {
    assertEquals(await readBody(kind, new Response(marked)), value);
    assertEquals(decodeBody(kind, marked), value);
  }
});

Deno.test("bodyEncoders refuse what a representation cannot carry", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const refused: [BodyKind, unknown[]][] = [
    ["json", [
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
    ["text", [undefined, null, 1, {}, [], "\ud800", "a\udfffb"]],
    ["bytes", [undefined, null, "a", 1, [1, 2], {}, new DataView(new ArrayBuffer(1)), new Uint16Array(1)]],
  ];
  for (const [kind, values] of refused) {
    for (const value of values) assertThrows(() => bodyEncoders[kind](value), TypeError);
  }
});
