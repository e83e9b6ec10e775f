/**
 * However a body is cut, and for any `Content-Length`: a body at the limit is read exactly. One more byte is 413: the
 * handler is not called, the adapter reads only as much as it needs to detect it, and the source is cancelled.
 */
import { request, response, route } from "@scope/api";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { mountRoute } from "../support/mount_route.ts";
import { tries } from "../support/tries.ts";
import { rejectionsOf, settled } from "../support/rejections.ts";
import { anything } from "../support/hostile_schemas.ts";

const kinds = ["json", "text", "bytes", "form", "formData", "stream"] as const;
type Kind = typeof kinds[number];

const bodies = {
  json: request.json(),
  text: request.text(),
  bytes: request.bytes(),
  form: request.form(anything()),
  formData: request.formData(anything()),
  stream: request.stream(),
};

/** Content of exactly this many bytes, or of the smallest possible size. */
function contentOf(kind: Kind, length: number): string {
  const [before, after] = kind === "json"
    ? ['"', '"']
    : kind === "form"
    ? ["a=", ""]
    : kind === "formData"
    ? ['--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n', "\r\n--b--"]
    : ["", ""];
  return before + "x".repeat(Math.max(0, length - before.length - after.length)) + after;
}

/** A source of content, and the reads from it. */
interface Source {
  readonly body: ReadableStream<Uint8Array>;
  readonly watch: { given: number; cancelled: number; ended: boolean };
}

type Ending = "well" | "never" | "fails";

/** A source of content in pieces of these lengths, repeatedly; it produces nothing before it is pulled. */
function cut(content: Uint8Array, lengths: readonly number[], ending: Ending): Source {
  const watch = { given: 0, cancelled: 0, ended: false };
  let turn = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      if (turn % 3 === 2) await Promise.resolve();
      const length = lengths[turn++ % lengths.length]!;
      if (watch.given >= content.length) {
        watch.ended = true;
        return controller.close();
      }
      const piece = content.subarray(watch.given, watch.given + length);
      watch.given += piece.length;
      controller.enqueue(piece.slice());
    },
    cancel(): Promise<void> | void {
      watch.cancelled++;
      if (ending === "never") return new Promise(() => {});
      if (ending === "fails") return Promise.reject(new Error("stuck"));
    },
  }, { highWaterMark: 0 });
  return { body, watch };
}

const stated = fc.oneof(
  fc.constant(undefined),
  fc.nat(200).map(String),
  fc.constantFrom("", "-1", "0", "1e9", "5, 5", "0x10", "99999999999999999999", "NaN", "+5", "5.0", " 5 ", "Infinity"),
);

// proves promises | No more bytes than the limit are accepted, whatever the chunks and the headers
Deno.test("maxBodyBytes accepts exactly that many bytes, however they arrive and whatever headers declare", async () => {
  const unhandled = await rejectionsOf(async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...kinds),
      fc.nat(120),
      fc.constantFrom(-60, -1, 0, 1, 2, 60, 500),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }).filter((lengths) => lengths.some((length) => length > 0)),
      stated,
      fc.constantFrom("well" as const, "never" as const, "fails" as const),
      fc.boolean(),
      check,
    );
    await fc.assert(property, tries(250));
  });
  assertEquals(unhandled, []);
});

async function check(
  kind: Kind,
  limit: number,
  beyond: number,
  lengths: readonly number[],
  stated: string | undefined,
  ending: "well" | "never" | "fails",
  preserveRequestBody: boolean,
): Promise<void> {
  const content = new TextEncoder().encode(contentOf(kind, limit + beyond));
  const { body, watch } = cut(content, lengths, ending);
  let runs = 0;
  let seen = 0; // bytes, of a stream
  const handler = mountRoute(
    route.post("/", { body: bodies[kind], responses: { 204: response.empty() } }),
    (async ({ body }: { body: unknown }) => {
      runs++;
      if (body instanceof ReadableStream) { for await (const chunk of body) seen += chunk.length; }
      return { status: 204 };
    }) as never,
    { maxBodyBytes: limit, preserveRequestBody },
  );
  const type = kind === "formData" ? "multipart/form-data; boundary=b" : String(bodies[kind].contentType);
  const headers = { "content-type": type, ...(stated !== undefined && { "content-length": stated }) };
  const { status } = await handler(new Request("http://localhost/", { method: "POST", body, headers }));
  await settled();
  const claim = stated?.trim() ?? "";
  if (/^\d+$/.test(claim) && Number(claim) > limit) {
    assertEquals([status, runs], [413, 0]);
    assert(preserveRequestBody || watch.given === 0, "read what was said to be too long");
  } else if (content.length > limit) {
    assertEquals([status, runs], [413, kind === "stream" ? 1 : 0]);
    assert(seen <= limit, "a handler saw more than the limit");
    // a copy for others to read keeps the source open until both have left it
    if (!preserveRequestBody) assertEquals([watch.ended, watch.cancelled], [false, 1]);
    assert(watch.given <= limit + Math.max(...lengths) * (preserveRequestBody ? 2 : 1), `read ${watch.given}`);
  } else if (content.length === 0 && /^\d+$/.test(claim) && Number(claim) > 0) {
    assertEquals([status, runs], [500, kind === "stream" ? 1 : 0]); // other code has read it
  } else {
    assertEquals([status, runs, watch.cancelled], [204, 1, 0]);
    if (kind === "stream") assertEquals(seen, content.length);
  }
}
