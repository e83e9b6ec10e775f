/** What `alone.ts` must find on every version of Node. */
import { assertEquals } from "@std/assert";

/** Runs a bundle of `alone.ts` and compares what it prints. */
export async function checkAlone(node: string, bundle: string): Promise<void> {
  const { stdout, success } = await new Deno.Command(node, { args: [bundle], stderr: "inherit" }).output();
  assertEquals(success, true);
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), {
    http2: {
      "text": [200, "1", "1"],
      "url": [200, "http://127.0.0.1/url"],
      "fields": [200, ["a=1", "b=2"], null, "fields"],
      "items": [200, "onetwo"],
      "with a host, too": [200, "2"],
      "with another host": [400, "invalid-path"],
      "missing": [404, "not-found"],
      "HEAD": [200, "1", ""],
      "CONNECT": [400, "invalid-path"],
      "echo": [200, '{"a":1}'],
      "told once to send a body": [200, "1", 1],
      "a reset upload runs no handler": [],
      "a reset aborts the signal": ["aborted"],
      "a reset without an error closes the producer": ["closed"],
      "a failed stream is reset": [200, "one", 2],
      "413": [413, "body-too-large"],
      "a stream is closed after a 413": [true, 0],
      "413 by its length": [413, "body-too-large"],
      "its client keeps nothing of it": true,
      "413 as it is counted": [413, "body-too-large"],
      "its client keeps nothing of that": true,
      "read in part": [200, "half"],
      "streams that the server keeps": 0,
    },
    tls: [200, "https://127.0.0.1/url"],
    nothing: {
      "responses": [200, "1", 200, '{"a":1}'],
      "ended before the handler returns, without a body": [true, false],
      "reports": [],
    },
    slow: { "has stopped": true, "has grown": false },
    trickle: { "has stopped": true, "has grown": false },
  });
}
