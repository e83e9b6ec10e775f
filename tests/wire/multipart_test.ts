import { assertEquals, assertLess, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type FormPart, parseMultipart } from "../../src/wire/multipart.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(100);

const type = "multipart/form-data; boundary=b";

function parse(content: string | Uint8Array<ArrayBuffer>, contentType = type): FormPart[] {
  return parseMultipart(typeof content === "string" ? new TextEncoder().encode(content) : content, contentType);
}

/** One part between its boundaries. */
function part(head: string, content = "v"): string {
  return `--b\r\n${head}\r\n\r\n${content}\r\n--b--\r\n`;
}

const field = 'Content-Disposition: form-data; name="f"';

// proves forms | Parts keep their order; names may repeat | RFC 7578, 5.2 and 4.3
// proves forms | A file without a type is `text/plain` | RFC 7578, 4.4
Deno.test("parseMultipart() reads fields and files in order", async () => {
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
    ["n.txt", "text/html;charset=utf-8", 3],
    ["n", "text/plain", 0],
  ]);
  assertEquals(await files[0]!.text(), "<p>");
});

// proves forms | Text before the first boundary and after the last is ignored; whitespace may follow a boundary | RFC
//   2046, 5.1.1
Deno.test("parseMultipart() skips text before the first boundary and after the last", () => {
  for (const before of ["", "\r\n", "preamble\r\n", "--c\r\n"]) {
    assertEquals(parse(`${before}${part(field)}epilogue\r\n--b\r\n`), [["f", "v"]]);
  }
  assertEquals(parse("--b--"), []);
  for (const [padding, end] of [[" \t", "--b--"], ["", "--b-- \t"], ["", "--b--\t\r\nepilogue"]]) { // RFC 2046 allows it
    assertEquals(parse(`--b${padding}\r\n${field}\r\n\r\nv\r\n${end}`), [["f", "v"]]);
  }
});

// proves forms | A boundary has 1 to 70 characters, in the syntax of parameters | RFC 2046, 5.1.1
Deno.test("parseMultipart() reads the boundary with the syntax of parameters", () => {
  const quoted = '--a; boundary=c\r\nContent-Disposition: form-data; name="f"\r\n\r\nv\r\n--a; boundary=c--';
  assertEquals(parse(quoted, 'multipart/form-data; charset=utf-8 ; Boundary="a; boundary=c"'), [["f", "v"]]);
  for (const parameters of ["; boundary=b;", "; boundary=b ; ", ";; boundary=b", '; boundary="b" ;;charset=utf-8']) {
    assertEquals(parse(part(field), `multipart/form-data${parameters}`), [["f", "v"]]); // RFC 9110, section 5.6.6
  }
  const boundaries = ["", ";", "; boundary", "; boundary=", '; boundary=""', "; charset=b", '; boundary="b'];
  for (
    const parameters of [...boundaries, `; boundary=${"b".repeat(71)}`, "; boundary=b; boundary=b", "; boundary=é"]
  ) {
    assertThrows(() => parse(part(field), `multipart/form-data${parameters}`), SyntaxError);
  }
  const longest = "b".repeat(70); // RFC 2046 allows no more
  const bounded = (boundary: string): FormPart[] =>
    parse(part(field).replaceAll("--b", `--${boundary}`), `multipart/form-data; boundary=${boundary}`);
  assertEquals(bounded(longest), [["f", "v"]]);
  assertThrows(() => bounded(`${longest}b`), SyntaxError, "its content type lacks a valid boundary");
});

// proves forms | Each part has `Content-Disposition: form-data` with a name | RFC 7578, 4.2
// proves forms | Only whitespace follows a boundary on its line | RFC 2046, 5.1.1
Deno.test("parseMultipart() refuses malformed and truncated bodies", () => {
  const whole = part(field);
  const cuts = Array.from({ length: whole.length - "\r\n".length }, (_, end) => whole.slice(0, end));
  const malformed = [
    "garbage",
    "--c\r\n",
    whole.replaceAll("\r\n", "\n"),
    ...["bc--", "bc", "b--junk", "b-- junk", "b--\n", "b--\r", "b-"].map((line) => whole.replace("--b--", `--${line}`)),
    ...["--bc\r\n", "--b--junk\r\n", "--b junk\r\n"].map((line) => part(field, `v\r\n${line}w`)),
    `--b--junk\r\n${whole}`,
    part("Content-Type: text/plain"),
    part("Content-Disposition: form-data"),
    part("Content-Disposition: form-data; filename=a"),
    part('Content-Disposition: attachment; name="f"'),
    part('Content-Disposition: form-datax; name="f"'),
    part(`${field}\r\nno field`),
    part(`${field}\r\nx y: 1`),
    part(`${field}\r\nx : 1`),
    part(`${field}\r\n: 1`),
    part(`Content-Disposition: form-data;\r\n name="f"`),
    part(`${field}\r\nx: a\nb`),
    part(`${field}; name="g"`),
    part(`${field}; NAME=g`),
    part(`${field}; x=1; X=2`),
    part(`${field}\r\n${field}`),
    part(`${field}\r\nContent-Disposition: form-data`),
    part(`${field}; filename="a"b"`),
    part(`${field}; filename="a`),
    part(`${field};`),
    part(`${field} name=g`),
  ];
  for (const content of [...cuts.filter((cut) => !cut.endsWith("--b--")), ...malformed]) {
    assertThrows(() => parse(content), SyntaxError, "Cannot read form data", JSON.stringify(content));
  }
});

// proves forms | Names are not decoded: `%22` stays `%22` | HTML Standard, 4.10.21.8
Deno.test("parseMultipart() keeps names raw, without parsing or decoding them", () => {
  for (
    const name of ["a; name=g", "50%22.txt", "%0D%0AX: y", "%22%0d%0a%41", "\\", "C:\\path\\file", "\\\\a\\", "a\uFEFF"]
  ) {
    const [[seen, file] = []] = parse(part(`Content-Disposition: form-data; name="${name}"; filename="${name}"`));
    assertEquals([seen, (file as File).name], [name, name]);
  }
});

Deno.test("parseMultipart() reads a quotation mark after a backslash as part of a name", () => {
  for (
    const [written, name] of [
      ['a\\"b.txt', 'a"b.txt'],
      ['\\"', '"'],
      ['\\"\\"', '""'],
      ['\\\\"x\\\\', '\\"x\\\\'],
      ['a\\" b\\"c', 'a" b"c'],
      ['C:\\dir\\"x\\"y\\', 'C:\\dir"x"y\\'],
    ]
  ) {
    const [[, file] = []] = parse(part(`${field}; filename="${written}"`));
    assertEquals((file as File).name, name);
  }
  const [[first, second] = []] = [parse(part('Content-Disposition: form-data; name="a\\"; filename="b\\"'))];
  assertEquals([first![0], (first![1] as File).name, second], ["a\\", "b\\", undefined]);
  // what escapes quotation marks, and has one before a semicolon in a name, is never read as other parameters
  for (const name of ['a"; name=g', 'a"; x=1; y="', 'a"; x="1"; y', 'a" ;x=y;z="z', '";']) {
    const escaped = name.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
    assertThrows(() => parse(part(`${field}; filename="${escaped}"`)), SyntaxError, "", name);
  }
});

// proves forms | A part with only `filename*` is a 400 | RFC 7578, 4.2
Deno.test("parseMultipart() refuses a file with only filename*, because its bytes would become text", () => {
  for (const name of ["filename*=utf-8''a.txt", 'filename*0="a"; filename*1=".txt"', "FileName*=utf-8''%e2%82%ac"]) {
    assertThrows(() => parse(part(`${field}; ${name}`)), SyntaxError, "a file lacks a plain name");
  }
});

// proves forms | `filename*` beside `filename` is read if both name the same file; else it is a 400 | RFC 7578, 4.2;
//   RFC 6266, 4.3
Deno.test("parseMultipart() reads filename* beside filename only if both name the same file, because readers choose differently", () => {
  const same: readonly (readonly [plain: string, extended: string, name: string])[] = [
    ["a.txt", "utf-8''a.txt", "a.txt"], // .NET sends both
    ["ä b.txt", "UTF-8'en'%c3%a4%20b.txt", "ä b.txt"],
    ["%C3%A4.txt", "utf-8''%c3%a4.txt", "ä.txt"], // percent-encoded (RFC 7578, section 2)
    ["=?utf-8?B?w6QudHh0?=", "utf-8''%C3%A4.txt", "ä.txt"], // an encoded word of .NET
    ["=?UTF-8?Q?=C3=A4.txt?=", "UTF-8''%C3%A4.txt", "ä.txt"], // and of Spring
  ];
  for (const [plain, extended, name] of same) {
    for (const both of [`filename="${plain}"; filename*=${extended}`, `FileName*=${extended}; filename="${plain}"`]) {
      const [[, file] = []] = parse(part(`${field}; ${both}`));
      assertEquals((file as File).name, name);
    }
  }
  for (
    const other of [
      "filename*=utf-8''b.txt",
      "filename*=utf-8''",
      "filename*=utf-8''%ff",
      "filename*=iso-8859-1''a.txt",
      "filename*=a.txt",
      'filename*0="a.txt"',
      "filename*=utf-8''a.txt; filename*0=a.txt",
    ]
  ) {
    assertThrows(() => parse(part(`${field}; filename="a.txt"; ${other}`)), SyntaxError, "a file has two names");
  }
});

Deno.test("parseMultipart() reads at most 1,000 files, and any number of texts", () => {
  const files = (count: number): string => `--b\r\n${field}; filename=""\r\n\r\n\r\n`.repeat(count) + "--b--";
  assertEquals(parse(files(1_000)).length, 1_000);
  assertThrows(() => parse(files(1_001)), RangeError, "The form has more than 1000 files");
  assertEquals(parse(`--b\r\n${field}\r\n\r\n\r\n`.repeat(20_000) + "--b--").length, 20_000);
});

// proves forms | Part headers other than `Content-Disposition` and `Content-Type` are ignored | RFC 7578, 4.8
Deno.test("parseMultipart() ignores part headers without a meaning, repeated or not", () => {
  const unknown = [
    "X-One: 1",
    "X-One: 2",
    "x-one:",
    "Content-Transfer-Encoding: 8bit",
    "Content-Dispositions: x",
    "Content-Length: 7",
  ];
  assertEquals(parse(part([...unknown, field, ...unknown].join("\r\n"))), [["f", "v"]]);
  assertEquals(parse(part(`X-Other: \u00e9\t"; name="g"\r\n${field}`)), [["f", "v"]]);
});

Deno.test("parseMultipart() refuses two Content-Type or Content-Disposition fields in a part, because readers differ", () => {
  const types = ["text/plain", "text/html"];
  for (const [one, two] of [types, [types[0], types[0]], ["", ""]]) {
    const head = `${field}; filename=a\r\nContent-Type: ${one}\r\ncontent-type: ${two}`;
    assertThrows(() => parse(part(head)), SyntaxError, "two content-type fields");
  }
  const other = 'CONTENT-DISPOSITION: form-data; name="g"';
  for (const head of [`${field}\r\n${other}`, `${other}\r\nX: y\r\n${field}`]) {
    assertThrows(() => parse(part(head)), SyntaxError, "two content-disposition fields");
  }
});

Deno.test("parseMultipart() refuses NUL in names, file names and part headers, and keeps it in contents", async () => {
  for (const head of ['name="f\0"', 'name="\0"', 'name="f"; filename="a\0.txt"', 'name="f"; x=\0', "name=f\0"]) {
    assertThrows(() => parse(part(`Content-Disposition: form-data; ${head}`)), SyntaxError);
  }
  for (const line of ["X: \0", "X: a\0b", "X\0: a", "Content-Type: text/plain\0"]) {
    assertThrows(() => parse(part(`${field}; filename=a\r\n${line}`)), SyntaxError);
    assertThrows(() => parse(part(`${line}\r\n${field}`)), SyntaxError);
  }
  assertEquals(parse(part(field, "a\0b")), [["f", "a\0b"]]);
  const [[, file] = []] = parse(part(`${field}; filename=a`, "\0"));
  assertEquals(await (file as File).bytes(), new Uint8Array(1));
});

// proves forms | A file's `type` is a serialised media type | MIME Sniffing, 4.5
Deno.test("parseMultipart() sets the serialized media type of a part on its file, or none", () => {
  const types = [
    ["image/png", "image/png"],
    [" Image/PNG\t", "image/png"],
    ["text/html; Charset=UTF-8", "text/html;charset=utf-8"],
    ['text/html ; a="b" ;c="d;\\"e" ; junk; a=2; f=', 'text/html;a=b;c="d;\\"e"'],
    ["text/html, text/plain", ""],
    ["text/html; charset=a, text/plain", "text/html"],
    ['text/html; charset="é"', "text/html"],
    ["text", ""],
    ["text/", ""],
    ["/html", ""],
    ["text/html html", ""],
    ["té/xt", ""],
    ["", ""],
  ];
  for (const [written, type] of types) {
    const [[, file] = []] = parse(part(`${field}; filename=a\r\nContent-Type:${written}`));
    assertEquals((file as File).type, type, written);
  }
});

Deno.test("parseMultipart() refuses a text in another charset than UTF-8, unless it is in ASCII", () => {
  for (const charset of ["iso-8859-1", "ISO-8859-15", '"windows-1252"', "utf-16"]) {
    const head = `${field}\r\nContent-Type: text/plain; charset=${charset}`;
    assertEquals(parse(part(head, "caf\te")), [["f", "caf\te"]]);
    const latin = Uint8Array.from(part(head, "caf\u00e9"), (character) => character.charCodeAt(0));
    for (const content of [latin, part(head, "c\0a\0"), part(head, "caf\u00e9")]) {
      assertThrows(() => parse(content), SyntaxError, "a field has another charset than UTF-8");
    }
  }
  const utf8 = part(`${field}\r\nContent-Type: text/plain; charset=UTF-8`, "caf\u00e9");
  assertEquals(parse(utf8), [["f", "caf\u00e9"]]);
});

Deno.test("parseMultipart() keeps every byte of a file, and a text's byte order mark", async () => {
  const bytes = Uint8Array.from({ length: 1024 }, (_, index) => [index, 13, 10, 45][index % 4]!);
  const head = new TextEncoder().encode(`--b\r\n${field}; filename=f\r\n\r\n`);
  const end = new TextEncoder().encode("\r\n--b--");
  const [[, file] = []] = parse(new Uint8Array([...head, ...bytes, ...end]));
  assertEquals(await (file as File).bytes(), bytes);
  assertEquals(parse(part(field, "\uFEFFa")), [["f", "\uFEFFa"]]);
});

Deno.test("parseMultipart() throws only a SyntaxError, whatever the bytes", () => {
  const piece = fc.constantFrom("--b", "--", "\r\n", "\r", "\n", field, ";", '"', "name=", "filename", ":", " ", "x");
  always(fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary" })), { maxLength: 40 }), (pieces) => {
    try {
      parse(pieces.join(""));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }));
});

Deno.test("parseMultipart() takes linear time", () => {
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
    (size) => `--b\r\n${head}\r\n\r\nv\r\n`.repeat(size / 70) + "--b--",
    (size) => part(`Content-Disposition: form-data; name="${'\\"'.repeat(size / 2)}"`),
    (size) => part(`Content-Disposition: form-data; name="${'\\" '.repeat(size / 3)}`),
    (size) => part(`Content-Disposition: form-data; name="\\"${" ".repeat(size)}`),
    (size) => part(`${field}\r\n${"x: y\r\n".repeat(size / 6)}x:`),
    (size) => part(`${head}\r\nContent-Type: a/b${" ".repeat(size)}x`),
    ...["\n", "\rz", "\0", "x"].flatMap((end) =>
      ["x", "Content-Type", "Content-Disposition"].flatMap((name) =>
        [" ", "\t", "\v"].map((space) => (size: number): string =>
          part(`${name}:${space.repeat(size)}${end}\r\n${field}`)
        )
      )
    ),
    (size) => part(`${"x".repeat(size)}\n`),
    (size) => part(`${field}${"; x".repeat(size / 3)}\n`),
    ...[";", " ;", ';a="', ';a="\\', ";a=b", ';a="\\";'].map((piece) => (size: number): string =>
      part(`${head}\r\nContent-Type: a/b${piece.repeat(size / piece.length)}`)
    ),
  ];
  for (const create of hostile) {
    const most = Math.max(time(create(100_000)), 5) * 8 * 6; // a quadratic one would take 64 times as long
    let large = Infinity; // a busy machine may slow down some rounds
    for (let round = 0; round < 5 && large >= most; round++) large = time(create(800_000));
    assertLess(large, most, create(60));
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
