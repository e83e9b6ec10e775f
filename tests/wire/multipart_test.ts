import { assertEquals, assertLess, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseMultipart, type Part } from "../../src/wire/multipart.ts";
import { tries } from "../tries.ts";

fc.configureGlobal(tries(100));

const type = "multipart/form-data; boundary=b";

function parse(content: string | Uint8Array<ArrayBuffer>, contentType = type): Part[] {
  return parseMultipart(typeof content === "string" ? new TextEncoder().encode(content) : content, contentType);
}

/** One part between its boundaries. */
function part(head: string, content = "v"): string {
  return `--b\r\n${head}\r\n\r\n${content}\r\n--b--\r\n`;
}

const field = 'Content-Disposition: form-data; name="f"';

Deno.test("parseMultipart() reads fields and files in their order", async () => {
  const content = [
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\none',
    "--b\r\ncontent-disposition:form-data;name=b; filename=n.txt\r\ncontent-type: text/html; charset=utf-8\r\n\r\n<p>",
    '--b\r\nX-Other: 1\r\nContent-Disposition: Form-Data; FileName="n"; Name="c"\r\n\r\n',
    '--b\r\nContent-Disposition: form-data; name="a"; other="x;y"\r\n\r\n\r\n--\r\n',
    "--b--",
  ].join("\r\n");
  const [one, two, three, four, ...further] = parse(content);
  assertEquals([one, four, further], [["a", "one"], ["a", "\r\n--\r\n"], []]);
  const files = [two![1] as File, three![1] as File];
  assertEquals(files.map(({ name, type, size }) => [name, type, size]), [
    ["n.txt", "text/html; charset=utf-8", 3],
    ["n", "text/plain", 0],
  ]);
  assertEquals(await files[0]!.text(), "<p>");
});

Deno.test("parseMultipart() passes over what stands before the first boundary and after the last", () => {
  for (const before of ["", "\r\n", "preamble\r\n", "--c\r\n"]) {
    assertEquals(parse(`${before}${part(field)}epilogue\r\n--b\r\n`), [["f", "v"]]);
  }
  assertEquals(parse("--b--"), []);
  assertEquals(parse(`--b \t\r\n${field}\r\n\r\nv\r\n--b--`), [["f", "v"]]); // white space after a boundary (RFC 2046)
});

Deno.test("parseMultipart() reads the boundary as parameters are written", () => {
  const quoted = '--a; boundary=c\r\nContent-Disposition: form-data; name="f"\r\n\r\nv\r\n--a; boundary=c--';
  assertEquals(parse(quoted, 'multipart/form-data; charset=utf-8 ; Boundary="a; boundary=c"'), [["f", "v"]]);
  const boundaries = ["", ";", "; boundary", "; boundary=", '; boundary=""', "; charset=b", '; boundary="b'];
  for (
    const parameters of [...boundaries, `; boundary=${"b".repeat(71)}`, "; boundary=b; boundary=b", "; boundary=é"]
  ) {
    assertThrows(() => parse(part(field), `multipart/form-data${parameters}`), SyntaxError);
  }
  const longest = "b".repeat(70); // RFC 2046 allows no more
  const bounded = (boundary: string): Part[] =>
    parse(part(field).replaceAll("--b", `--${boundary}`), `multipart/form-data; boundary=${boundary}`);
  assertEquals(bounded(longest), [["f", "v"]]);
  assertThrows(() => bounded(`${longest}b`), SyntaxError, "no boundary");
});

Deno.test("parseMultipart() refuses what is malformed or cut off", () => {
  const whole = part(field);
  const cuts = Array.from({ length: whole.length - "\r\n".length }, (_, end) => whole.slice(0, end));
  const malformed = [
    "garbage",
    "--c\r\n",
    whole.replaceAll("\r\n", "\n"),
    whole.replace("--b--", "--bc--"),
    part("Content-Type: text/plain"),
    part("Content-Disposition: form-data"),
    part("Content-Disposition: form-data; filename=a"),
    part('Content-Disposition: attachment; name="f"'),
    part('Content-Disposition: form-datax; name="f"'),
    part(`${field}\r\nno field`),
    part(`${field}\r\nx y: 1`),
    part(`${field}\r\nx: a\nb`),
    part(`${field}; name="g"`),
    part(`${field}; NAME=g`),
    part(`${field}\r\n${field}`),
    part(`${field}; filename="a"b"`),
    part(`${field}; filename="a`),
    part(`${field};`),
    part(`${field} name=g`),
  ];
  for (const content of [...cuts.filter((cut) => !cut.endsWith("--b--")), ...malformed]) {
    assertThrows(() => parse(content), SyntaxError, "Cannot read form data", JSON.stringify(content));
  }
});

Deno.test("parseMultipart() takes no name for parameters, and decodes what browsers escape", () => {
  const names = [["a; name=g", "a; name=g"], ["a%22; name=%22g", 'a"; name="g'], ["%0D%0AX: y", "\r\nX: y"], [
    "\\",
    "\\",
  ]];
  for (const [written, name] of names) {
    const [[seen, file] = []] = parse(part(`Content-Disposition: form-data; name="${written}"; filename="${written}"`));
    assertEquals([seen, (file as File).name], [name, name]);
  }
});

Deno.test("parseMultipart() keeps every byte of a file, and a text's byte order mark", async () => {
  const bytes = Uint8Array.from({ length: 1024 }, (_, index) => [index, 13, 10, 45][index % 4]!);
  const head = new TextEncoder().encode(`--b\r\n${field}; filename=f\r\n\r\n`);
  const end = new TextEncoder().encode("\r\n--b--");
  const [[, file] = []] = parse(new Uint8Array([...head, ...bytes, ...end]));
  assertEquals(await (file as File).bytes(), bytes);
  assertEquals(parse(part(field, "\uFEFFa")), [["f", "\uFEFFa"]]);
});

Deno.test("parseMultipart() throws nothing but a SyntaxError, whatever the bytes", () => {
  const piece = fc.constantFrom("--b", "--", "\r\n", "\r", "\n", field, ";", '"', "name=", "filename", ":", " ", "x");
  fc.assert(fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 40 }), (pieces) => {
    try {
      parse(pieces.join(""));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }));
});

Deno.test("parseMultipart() takes time in proportion to what it reads", () => {
  const head = `${field}; filename=f`;
  const hostile: ((size: number) => string)[] = [
    (size) => `--b\r\n${field}\r\n\r\nv\r\n`.repeat(size / 60) + "--b--",
    (size) => part(head, "\r".repeat(size)),
    (size) => part(head, "\r\n--".repeat(size / 4)),
    (size) => part(head, "\r\n--b".repeat(size / 5)),
    (size) => `--b\r\n${"x:y\r\n".repeat(size / 5)}`,
    (size) => part(`Content-Disposition: form-data${"; a=".repeat(size / 4)}`),
    (size) => part(`Content-Disposition: form-data; name="${"%22".repeat(size / 3)}`),
    (size) => part(`Content-Disposition: form-data;${" ".repeat(size)}`),
    (size) => `--b${" ".repeat(size)}`,
  ];
  for (const create of hostile) {
    const [small, large] = [100_000, 800_000].map((size) => time(create(size)));
    assertLess(large!, Math.max(small!, 5) * 8 * 6, create(60)); // a quadratic one would take 64 times as long
  }
});

/** The least of three times that reading takes, in milliseconds. */
function time(content: string): number {
  const bytes = new TextEncoder().encode(content);
  return Math.min(...[1, 2, 3].map(() => {
    const started = performance.now();
    try {
      parse(bytes);
    } catch {
      // most of them are malformed
    }
    return performance.now() - started;
  }));
}
