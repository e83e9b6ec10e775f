/**
 * Breaks the promises about streams: backpressure, closing once, failures that never look like a clean end, and records
 * that cannot be forged.
 */
import { type MutatedFile } from "./mutant.ts";

export const streams: readonly MutatedFile[] = [
  {
    file: "src/wire/pull_stream.ts",
    tests: [
      "fetch/body_stream_test.ts",
      "client/upload_test.ts",
      "fetch/encode_stream_test.ts",
      "stream_round_trip_test.ts",
      "client/item_streams_test.ts",
      "client/representations_test.ts",
    ],
    mutants: [
      {
        breaks: "a producer is not pulled before its reader reads",
        find: "highWaterMark: 0",
        replace: "highWaterMark: 1",
      },
      {
        breaks: "a cancelled stream closes its producer",
        find: "const closed = closeProducer(this.#producer, reason);",
        replace: "const closed = undefined;",
      },
      {
        breaks: "a cancelled stream does not wait for a producer that waits",
        find: "return this.#isWaiting ? undefined : closed;",
        replace: "return closed;",
      },
      {
        breaks: "a cancelled stream waits for its producer's cleanup",
        find: "return this.#isWaiting ? undefined : closed;",
        replace: "return undefined;",
      },
      {
        breaks: "a producer that fails is not closed",
        find: "if (this.#hasItem) closeProducer(this.#producer, cause);",
        replace: "closeProducer(this.#producer, cause);",
      },
      {
        breaks: "a bad item closes the producer",
        find: "if (this.#hasItem) closeProducer(this.#producer, cause);",
        replace: "",
      },
      {
        breaks: "a failure is never a clean end",
        find: "this.#controller.error(this.#settings.explain(cause));",
        replace: "this.#controller.close();",
      },
      {
        breaks: "an ended stream removes its abort listener",
        find: 'this.#settings.signal?.removeEventListener("abort", this.#abort);',
        replace: "",
      },
      {
        breaks: "an abort ends a stream",
        find: 'else signal?.addEventListener("abort", this.#abort, { once: true });',
        replace: "",
      },
      {
        breaks: "an abort closes the producer",
        find: "closeProducer(this.#producer, signal?.reason);",
        replace: "",
      },
      {
        breaks: "a cancelled stream closes its producer once",
        find: "if (!this.#isOpen) return;\n    this.#finish();\n    const closed",
        replace: "this.#finish();\n    const closed",
      },
      {
        breaks: "a late item is dropped",
        find: "if (this.#isOpen) this.#controller.enqueue(bytes);",
        replace: "this.#controller.enqueue(bytes);",
      },
      {
        breaks: "a stream of bytes accepts only bytes",
        find: "throw new TypeError(`A stream of bytes must yield Uint8Array, got ${typeof item}`);",
        replace: "return new Uint8Array();",
      },
    ],
  },
  {
    file: "src/producer.ts",
    tests: [
      "fetch/body_stream_test.ts",
      "client/upload_test.ts",
      "fetch/encode_stream_test.ts",
      "stream_round_trip_test.ts",
      "client/item_streams_test.ts",
      "client/representations_test.ts",
      "fetch/encode_raw_test.ts",
    ],
    mutants: [
      {
        breaks: "errors while a producer is closed are ignored",
        find: "attempt(() => producer?.return?.(reason), ignore, ignore)",
        replace: "attempt(() => producer?.return?.(reason), Promise.reject, ignore)",
      },
      {
        breaks: "a native response is closed if it is refused",
        find: "isResponse(source) ? source.body : source",
        replace: "source",
      },
      {
        breaks: "an asynchronous iterator takes precedence over a synchronous one",
        find: "(iterateAsync ?? iterate)?.call(source)",
        replace: "(iterate ?? iterateAsync)?.call(source)",
      },
    ],
  },
  {
    file: "src/fetch/encode_stream.ts",
    tests: [
      "fetch/body_stream_test.ts",
      "client/upload_test.ts",
      "fetch/encode_stream_test.ts",
      "stream_round_trip_test.ts",
      "client/item_streams_test.ts",
      "client/representations_test.ts",
    ],
    mutants: [
      {
        breaks: "a disconnected client is not a failed stream",
        find: "if (!signal.aborted) reportFailure(cause, exchange, response);",
        replace: "reportFailure(cause, exchange, response);",
      },
      {
        breaks: "a failed stream is reported",
        find: "if (!signal.aborted) reportFailure(cause, exchange, response);",
        replace: "",
      },
      { breaks: "a stream is closed if its client has disconnected", find: "signal.throwIfAborted();", replace: "" },
      {
        breaks: "a value that is not a producer is refused",
        find: "if (producer) return producer;",
        replace: "return producer ?? { next: () => ({ done: true, value: undefined }) };",
      },
      {
        breaks: "bytes are not a stream of numbers",
        find: "ArrayBuffer.isView(body) ? undefined : openProducer(body)",
        replace: "openProducer(body)",
      },
      {
        breaks: "items are checked one by one",
        find: "schema ? planSent(schema, what) : (value: unknown) => value",
        replace: "(value: unknown) => value",
      },
    ],
  },
  {
    file: "src/representation/sse.ts",
    tests: [
      "fetch/body_stream_test.ts",
      "client/upload_test.ts",
      "fetch/encode_stream_test.ts",
      "stream_round_trip_test.ts",
      "client/item_streams_test.ts",
      "client/server_sent_events_test.ts",
      "client/representations_test.ts",
      "representation/sse_test.ts",
      "server/sources_test.ts",
      "client/timeout_test.ts",
    ],
    mutants: [
      { breaks: "an event's name or id cannot forge a field", find: "&& !/[\\r\\n\\0]/.test(text)", replace: "" },
      {
        breaks: "retry is a whole number of milliseconds",
        find: "if (Number.isSafeInteger(retry) && (retry as number) >= 0) return retry as number;",
        replace: "return retry as number;",
      },
      {
        breaks: "lines of data are joined by LF",
        find: "data.add(isFirst ? value : `\\n${value}`);",
        replace: "data.add(value);",
      },
      {
        breaks: "CR LF is one line break, even across chunks",
        find: 'afterReturn && text.startsWith("\\n") ? text.slice(1) : text',
        replace: "text",
      },
      {
        breaks: "a truncated event is dropped",
        find: "isPartial() || collector.hasBegun()",
        replace: "isPartial()",
      },
      {
        breaks: "an id with NUL is ignored",
        find: '(name === "id" && !value.includes("\\0"))',
        replace: 'name === "id"',
      },
      {
        breaks: "only one space after the colon is dropped",
        find: "/^([^:]*):? ?(.*)$/s",
        replace: "/^([^:]*):? *(.*)$/s",
      },
      { breaks: "a comment is not a field", find: "/^([^:]*):? ?(.*)$/s", replace: "/^:?([^:]*):? ?(.*)$/s" },
      {
        breaks: "a retry of anything but digits is ignored",
        find: "/^\\d{1,15}$/.test(value)",
        replace: 'value !== ""',
      },
      {
        breaks: "an id without data counts",
        find: "collector.lastEventId = fields.id ?? collector.lastEventId;",
        replace: "if (data !== undefined) collector.lastEventId = fields.id ?? collector.lastEventId;",
      },
      {
        breaks: "an id stays until the next",
        find: "collector.lastEventId = fields.id ?? collector.lastEventId;",
        replace: 'collector.lastEventId = fields.id ?? "";',
      },
      {
        breaks: "a retry counts, with data or without",
        find: "collector.reconnectionTime = fields.retry = Number(value)",
        replace: "event.retry = Number(value)",
      },
      {
        breaks: "an event without data is dropped",
        find: "data && { ...fields, data: data.take() }",
        replace: '{ ...fields, data: data?.take() ?? "" }',
      },
      { breaks: "lines end by CR, LF or both", find: "/\\r\\n|\\n|\\r/", replace: "/\\r\\n|\\n/" },
      {
        breaks: "events' data is checked item by item",
        find: "whenReady(check(event.data), (data) => formatEvent(event, encodeJson(data)))",
        replace: "formatEvent(event, encodeJson(event.data))",
      },
      {
        breaks: "an event is an object",
        find: "throw new TypeError(`An event must be an object with data, got ${typeof item}`);",
        replace: "return { data: item } as SentEvent;",
      },
      {
        breaks: "a comment with data is refused",
        find: 'if ("comment" in event && event.data === undefined)',
        replace: 'if ("comment" in event)',
      },
      {
        breaks: "a reader's lastEventId changes as events are read",
        find: "lastEventId: { get: () => records.lastEventId,",
        replace: "lastEventId: { value: records.lastEventId,",
      },
      {
        breaks: "an id counts when its event is whole",
        find: "fields[name] = value;",
        replace: 'fields[name] = name === "id" ? collector.lastEventId = value : value;',
      },
      { breaks: "events are read later", find: "readLater: trackResults,", replace: "" },
    ],
  },
  {
    file: "src/representation/ndjson.ts",
    tests: [
      "fetch/body_stream_test.ts",
      "client/upload_test.ts",
      "fetch/encode_stream_test.ts",
      "stream_round_trip_test.ts",
      "client/item_streams_test.ts",
      "client/representations_test.ts",
      "server/sources_test.ts",
      "client/timeout_test.ts",
    ],
    mutants: [
      {
        breaks: "a line without its LF is cut off",
        find: "    isPartial,\n",
        replace: "    isPartial: () => false,\n",
      },
      { breaks: "a line ends by LF", find: "return `${encodeJson(value)}\\n`;", replace: "return encodeJson(value);" },
      { breaks: "an empty line is ignored", find: 'if (data !== "") yield { data };', replace: "yield { data };" },
      { breaks: "a line may end by CR LF", find: 'line.endsWith("\\r") ? line.slice(0, -1) : line', replace: "line" },
      {
        breaks: "lines are checked item by item",
        find: "whenReady(check(item), formatLine)",
        replace: "formatLine(item)",
      },
      { breaks: "lines are read later", find: "readLater: trackResults,", replace: "" },
    ],
  },
  {
    file: "src/wire/records.ts",
    tests: ["client/item_streams_test.ts", "client/memory_test.ts"],
    mutants: [
      { breaks: "a record has at most maxRecordBytes", find: "if (length > max) throw", replace: "if (false) throw" },
      {
        breaks: "maxRecordBytes counts bytes, not characters",
        find: "if (text.length * 3 > maxBytes) checkLength(new TextEncoder().encode(text), maxBytes);",
        replace: "",
      },
      { breaks: "a record that is too long fails early", find: "checkLength(rest, maxLength);", replace: "" },
      { breaks: "a line may arrive in pieces", find: "lines[0] = rest.take();", replace: "" },
      {
        breaks: "a record in pieces uses memory in proportion to its bytes",
        find: "if (this.#pieces.push(text) < pieceCount) return;",
        replace: 'this.#pieces = [(this.#pieces[0] ?? "") + text];\n    return;',
      },
    ],
  },
];
