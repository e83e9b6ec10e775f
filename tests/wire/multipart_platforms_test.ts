/**
 * Deno's multipart reader and undici's, which is Node's, as second opinions: if both return the same, so must the
 * toolkit's parser.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Response as UndiciResponse } from "undici";
import { parseMultipart } from "../../src/wire/multipart.ts";
import { asserting, tries } from "../support/tries.ts";

const always = asserting(200);

const boundary = "----boundaryAaBbCcDdEeFfGg"; // as long as browsers' are
const contentType = `multipart/form-data; boundary=${boundary}`;
type Entries = Iterable<readonly [name: string, value: string | Blob]>;

/**
 * The entries that a reader finds in a content, as plain data without the types of files, whose default differs;
 * `undefined` if it throws.
 */
async function read(parse: () => Entries | Promise<Entries>): Promise<unknown> {
  try {
    const entries = [...await parse()].map(async ([name, value]) => [
      name,
      typeof value === "string" ? value : { name: (value as File).name, bytes: [...await value.bytes()] },
    ]);
    return await Promise.all(entries);
  } catch {
    return undefined;
  }
}

async function readAll(
  content: string,
): Promise<{ readonly ours: unknown; readonly deno: unknown; readonly undici: unknown }> {
  const headers = { "content-type": contentType };
  return {
    ours: await read(() => parseMultipart(new TextEncoder().encode(content), contentType)),
    deno: await read(() => new Response(content, { headers }).formData()),
    undici: await read(async () => [...await new UndiciResponse(content, { headers }).formData()] as Entries),
  };
}

/** A name as browsers send it, without what they escape, without `%22`, which undici decodes, and without `=`, `;` and emptiness, which Deno misreads. */
const name = fc.oneof(
  fc.string({
    unit: fc.constantFrom("a", "é", "€", "\\", " ", ".", "'", "%", "/", ":", ",", "\u{1f600}"),
    minLength: 1,
  }),
  fc.constantFrom("C:\\path\\file", "a\\", "__proto__", "50%.txt"),
);
const content = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom("--", "\r", "\n", "\r\n", `--${boundary.slice(0, -1)}`, "b", "\0", "é"), { maxLength: 12 })
    .map((all) => all.join("")),
);
const type = fc.option(fc.constantFrom("image/png", "text/plain; charset=utf-8", ""), { nil: undefined });
const part = fc.record({ name, fileName: fc.option(name, { nil: undefined }), type, content, more: fc.boolean() });

type Part = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

function write({ name, fileName, type, content, more }: Part): string {
  const disposition = `Content-Disposition: form-data; name="${name}"`;
  const file = fileName === undefined ? "" : `; filename="${fileName}"`;
  const fields = [
    `${disposition}${file}`,
    ...type === undefined ? [] : [`Content-Type: ${type}`],
    ...more ? ["X-A: 1", "X-A: 2"] : [],
  ];
  return `--${boundary}\r\n${fields.join("\r\n")}\r\n\r\n${content}\r\n`;
}

const form = fc.array(part, { maxLength: 4 }).map((parts) => `${parts.map(write).join("")}--${boundary}--\r\n`);

Deno.test("parseMultipart() reads the forms of browsers like undici", async () => {
  await always(fc.asyncProperty(form, async (text) => {
    const { ours, undici } = await readAll(text);
    assert(ours !== undefined);
    assertEquals(undici, ours, JSON.stringify(text));
  }));
});

/** Pieces that are removed from a form or inserted into it; readers begin to differ on them. */
const piece = fc.constantFrom(
  ...[
    "\r\n",
    "\n",
    "\r",
    "\0",
    '"',
    '\\"',
    "\\",
    ";",
    " ",
    "\t",
    ":",
    "=",
    "--",
    "--b",
    "--b--",
    "\r\n--b",
    "\r\n--b--",
  ],
  ...["junk", "; filename=a", "; filename*=utf-8''a", "; name=g", "Content-Type: a/b\r\n", "X: y\r\n", "%22"],
);
const change = fc.record({ at: fc.nat(), cut: fc.nat(4), piece: fc.oneof(piece, fc.constant("")) });
const changed = fc.tuple(form, fc.array(change, { minLength: 1, maxLength: 2 })).map(([text, changes]) =>
  changes.reduce((all, { at, cut, piece }) => {
    const place = at % (all.length + 1);
    return all.slice(0, place) + piece + all.slice(place + cut);
  }, text)
);

Deno.test("parseMultipart() refuses a malformed form, or reads it like Deno and undici if both agree", async () => {
  let alike = 0;
  await always(
    fc.asyncProperty(changed, async (text) => {
      const { ours, deno, undici } = await readAll(text);
      if (ours === undefined || deno === undefined || JSON.stringify(deno) !== JSON.stringify(undici)) return;
      alike++;
      assertEquals(ours, undici, JSON.stringify(text));
    }),
    tries(1_000),
  );
  assert(alike > 100, `${alike}`); // else the property says nothing
});
