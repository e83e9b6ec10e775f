/** Signatures of Standard Webhooks. */
import { standardWebhookHeaders, standardWebhooks } from "@scope/api/webhooks";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The example of the specification, which the package `standardwebhooks` signs in the same way. */
const example = {
  content: bytes('{"test": 2432232314}'),
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
};

/** Signs and verifies at a time in seconds. */
function at(seconds: number, ...secrets: string[]): ReturnType<typeof standardWebhooks> {
  return standardWebhooks({ secrets: secrets.length > 0 ? secrets : [secret], now: () => seconds * 1000 + 999 });
}

Deno.test("standardWebhooks() signs as the specification does", async () => {
  const { sign, verify } = at(1_614_265_330);
  assertEquals(await sign("msg_p5jXN8AQM9LWM0D4loKWxJek", example.content), example.headers);
  assertEquals(await verify(new Headers(example.headers), example.content), {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1_614_265_330,
  });
  assertEquals(standardWebhookHeaders.toSorted(), Object.keys(example.headers).toSorted());
});

Deno.test("standardWebhooks() signs with every secret, and accepts each, so that a secret can be changed", async () => {
  const both = at(1_614_265_330, other, secret);
  const { "webhook-signature": signatures = "" } = await both.sign("msg_1", example.content);
  assertEquals(signatures.split(" ").length, 2);
  const headers = new Headers(await both.sign("msg_1", example.content));
  for (const receiver of [at(1_614_265_330, secret), at(1_614_265_330, other), both]) {
    assertEquals((await receiver.verify(headers, example.content))?.id, "msg_1");
  }
});

Deno.test("standardWebhooks() accepts messages within the tolerance only", async () => {
  const rows: [seconds: number, isAccepted: boolean][] = [[-301, false], [-300, true], [300, true], [301, false]];
  for (const [seconds, isAccepted] of rows) {
    const found = await at(1_614_265_330 + seconds).verify(new Headers(example.headers), example.content);
    assertEquals(found !== undefined, isAccepted, String(seconds));
  }
});

Deno.test("standardWebhooks() refuses a message of which any byte has changed", async () => {
  const { verify } = at(1_614_265_330);
  for (let index = 0; index < example.content.length; index++) {
    const content = example.content.slice();
    content[index]! ^= 1;
    assertEquals(await verify(new Headers(example.headers), content), undefined);
  }
  const rows: Record<string, string>[] = [
    { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJeK" },
    { "webhook-id": "" },
    { "webhook-id": "msg.1" },
    { "webhook-timestamp": "1614265331" },
    { "webhook-timestamp": "01614265330" },
    { "webhook-timestamp": "1614265330.0" },
    { "webhook-timestamp": "NaN" },
    { "webhook-signature": "" },
    { "webhook-signature": "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" },
    { "webhook-signature": "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" },
    { "webhook-signature": "v1,g0hM9SsE" },
    { "webhook-signature": "v1,%%%" },
    { "webhook-signature": `${"v1,AAAA ".repeat(8)}${example.headers["webhook-signature"]}` }, // the ninth
  ];
  for (const changed of rows) {
    assertEquals(await verify(new Headers({ ...example.headers, ...changed }), example.content), undefined);
  }
  const eighth = `${"v1,AAAA ".repeat(7)}${example.headers["webhook-signature"]}`;
  const accepted = new Headers({ ...example.headers, "webhook-signature": eighth });
  assert(await verify(accepted, example.content));
  assertEquals(await verify(new Headers(), example.content), undefined);
});

Deno.test("standardWebhooks() refuses secrets and options at once, without showing a secret", () => {
  const rows: [options: unknown, state: string][] = [
    [undefined, '"secrets" must be an array of at least one secret, got undefined'],
    [{ secrets: [] }, '"secrets" must be an array of at least one secret, got an array'],
    [{ secrets: Object.assign(Array(2), { 1: secret }) }, '"secrets[0]" must be "whsec_" and 24 to 64 bytes in Base64'],
    [{ secrets: ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] }, '"secrets[0]" must be "whsec_" and 24 to 64 bytes in Base64'],
    [{ secrets: [secret, "whsec_c2hvcnQ="] }, '"secrets[1]" must be "whsec_" and 24 to 64 bytes in Base64'],
    [{ secrets: ["whsec_%"] }, '"secrets[0]" must be'],
    [{ secrets: [`whsec_${btoa("a".repeat(65))}`] }, '"secrets[0]" must be'],
    [{ secrets: [secret], tolerance: -1 }, '"tolerance" must be a number of seconds, got -1'],
    [{ secrets: [secret], tolerence: 60 }, 'unknown option "tolerence" (allowed: secrets, tolerance, now)'],
    [{ secrets: [secret], now: 5 }, '"now" must be a function, got 5'],
  ];
  for (const [options, state] of rows) {
    const error = assertThrows(() => standardWebhooks(options as never), TypeError);
    assert(error.message.startsWith(`standardWebhooks(): ${state}`), error.message);
    assert(!error.message.includes("MfKQ9r8GKYq") && !error.message.includes("c2hvcnQ"), error.message);
  }
});

Deno.test("standardWebhooks() signs only ids that cannot be mistaken for another part", async () => {
  const { sign } = at(0);
  for (const id of ["", "a.b", "a b", "é", "a".repeat(257), 1 as never]) {
    await assertRejects(
      () => sign(id, example.content),
      TypeError,
      "the id must have 1 to 256 visible ASCII characters",
    );
  }
});

Deno.test("standardWebhooks() signs and verifies bytes alone, at a time that is one", async () => {
  const { sign, verify } = at(1_614_265_330);
  const headers = new Headers(example.headers);
  const rows: [call: () => Promise<unknown>, state: string][] = [
    [() => sign("msg_1", "text" as never), "the content must be a Uint8Array of the exact bytes, got a string"],
    [() => verify(headers, "text" as never), "the content must be a Uint8Array of the exact bytes, got a string"],
    [
      () => verify(headers, example.content.buffer as never),
      "the content must be a Uint8Array of the exact bytes, got an",
    ],
    [
      () => verify(example.headers as never, example.content),
      "the headers must have get(), as Headers has, got an object",
    ],
    [() => at(NaN).sign("msg_1", example.content), '"now" must return milliseconds since 1970, got NaN'],
    [() => at(NaN).verify(headers, example.content), '"now" must return milliseconds since 1970, got NaN'],
  ];
  for (const [call, state] of rows) await assertRejects(call, TypeError, state);
});
