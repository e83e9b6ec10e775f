/** The script of a page of `xhr.ts`: uploads with `xhrFetch`. */
import { type Around, type Client, ClientError, createClient } from "@scope/api/client";
import { type UploadProgress, xhrFetch } from "@scope/api/xhr";
import { retry } from "@scope/api/retry";
import { contract } from "./xhr_contract.ts";

/** An outcome, and the progress that was reported up to it. */
export interface Uploaded {
  readonly outcome: string;
  readonly progress: readonly UploadProgress[];
}

/** The functions of the page that tests can call, by name. */
export interface Page {
  upload(kind: keyof typeof uploads, length: number, baseUrl?: string): Promise<Uploaded>;
  abort(length: number): Promise<Uploaded>;
  timeOut(length: number, timeout: number): Promise<Uploaded>;
  abortEarly(steps: number): Promise<string>;
  countListeners(): Promise<readonly number[]>;
  retry(): Promise<Uploaded>;
  echo(): Promise<boolean>;
  describe(method: string, path: string, init?: RequestInit): Promise<readonly [byXhr: string, byFetch: string]>;
  hasBody(method: string, path: string): Promise<boolean>;
  failures(): Promise<readonly string[]>;
}

async function observe(
  call: (client: Client<typeof contract.routes>) => Promise<{ readonly status: number; readonly body: unknown }>,
  { baseUrl = "/", onProgress, around }: {
    readonly baseUrl?: string;
    readonly onProgress?: () => void;
    readonly around?: Around;
  } = {},
): Promise<Uploaded> {
  const progress: UploadProgress[] = [];
  const onUploadProgress = (now: UploadProgress): void => {
    progress.push(now);
    onProgress?.();
  };
  const client = createClient(contract, { baseUrl, around, fetch: xhrFetch({ onUploadProgress }) });
  const outcome = await call(client).then(
    ({ status, body }) => `${status} ${status === 200 ? body : ""}`,
    describeError,
  );
  return { outcome, progress };
}

const uploads = {
  bytes: (client, bytes) => client.bytes({ body: bytes }),
  form: (client, bytes) => {
    const body = new FormData();
    body.append("file", new File([bytes], "ä.bin", { type: "image/png" }));
    return client.form({ body });
  },
  file: (client, bytes) => client.stream({ body: new File([bytes], "a.mp4") }),
  stream: (client, bytes) => client.stream({ body: produce(bytes.length) }),
  slow: (client, bytes) => client.slow({ body: bytes }),
  moved: (client, bytes) => client.moved({ body: "a".repeat(bytes.length) }),
} satisfies Record<
  string,
  (
    client: Client<typeof contract.routes>,
    bytes: Uint8Array<ArrayBuffer>,
  ) => Promise<{ readonly status: number; readonly body: unknown }>
>;

async function* produce(length: number): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0; left -= 100_000) yield new Uint8Array(Math.min(left, 100_000));
}

function describeError(error: unknown): string {
  return error instanceof ClientError ? `${error.code}: ${error.cause}` : String(error);
}

const page: Page = {
  upload: (kind, length, baseUrl) =>
    observe((client) => uploads[kind](client, new Uint8Array(length)), baseUrl === undefined ? {} : { baseUrl }),
  abort: (length) => {
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error("enough"));
    const { signal } = controller;
    return observe((client) => client.slow({ body: new Uint8Array(length) }, { signal }), { onProgress });
  },
  timeOut: (length, timeout) => observe((client) => client.slow({ body: new Uint8Array(length) }, { timeout })),
  abortEarly: async (steps) => {
    const controller = new AbortController();
    const abort = async (): Promise<void> => {
      for (let step = 0; step < steps; step++) await null;
      controller.abort(new RangeError("early"));
    };
    const { blob } = Request.prototype;
    Request.prototype.blob = async function (): Promise<Blob> {
      const content = await blob.call(this);
      void abort();
      return content;
    };
    const body = new Blob([new Uint8Array(1_000_000)], { type: "video/mp4" });
    const init = { method: "PUT", body, signal: controller.signal };
    const outcome = await xhrFetch()(new Request("/slow", init)).then(() => "sent", String);
    Request.prototype.blob = blob;
    return outcome;
  },
  countListeners: async () => {
    const { addEventListener: add, removeEventListener: remove } = AbortSignal.prototype;
    const send = xhrFetch({ onUploadProgress: () => {} });
    const left: number[] = [];
    for (const path of ["/bytes", "http://127.0.0.1:9/", "/aborted"]) {
      const controller = new AbortController();
      const body = new Blob(["a"], { type: "image/png" });
      const request = new Request(path, { method: "PUT", body, signal: controller.signal });
      const listeners = new Set<unknown>();
      AbortSignal.prototype.addEventListener = function (...given: Parameters<typeof add>): void {
        if (this === request.signal) listeners.add(given[1]);
        add.apply(this, given);
      };
      AbortSignal.prototype.removeEventListener = function (...given: Parameters<typeof remove>): void {
        if (this === request.signal) listeners.delete(given[1]);
        remove.apply(this, given);
      };
      const sent = send(request).catch(() => {});
      if (path === "/aborted") controller.abort();
      await sent;
      await new Promise((resolve) => setTimeout(resolve, 200)); // until the body of an aborted one was read
      Object.assign(AbortSignal.prototype, { addEventListener: add, removeEventListener: remove });
      left.push(listeners.size);
    }
    return left;
  },
  retry: () => observe((client) => client.flaky({ body: new Uint8Array(3) }), { around: retry() }),
  echo: async () => {
    const body = new Uint8Array(100_000).map((_, index) => index * 7 % 256);
    const client = createClient(contract, { baseUrl: "/", fetch: xhrFetch() });
    const result = await client.echo({ body });
    return result.status === 200 && result.body.length === body.length &&
      result.body.every((byte, index) => byte === body[index]);
  },
  describe: async (method, path, init) => {
    const request = () => new Request(path, { method, ...init });
    const describe = async (response: Response): Promise<string> => {
      const { status, statusText, url, ok, redirected, headers } = response;
      return JSON.stringify([
        status,
        statusText,
        url,
        ok,
        redirected,
        response.type === "opaqueredirect",
        [...headers].filter(([name]) => !["connection", "date"].includes(name)), // which differ by the moment,
        await response.text(),
      ]);
    };
    const byXhr = await xhrFetch()(request()).then(describe).catch(String);
    return [byXhr, await fetch(request()).then(describe).catch(String)];
  },
  hasBody: async (method, path) => (await xhrFetch()(new Request(path, { method }))).body !== null,
  failures: async () => {
    const send = xhrFetch();
    const inits: readonly RequestInit[] = [
      { credentials: "omit" },
      { cache: "no-store" },
      { mode: "no-cors" },
      { keepalive: true },
      { integrity: "sha256-a" },
      { referrer: "/elsewhere" },
      { referrerPolicy: "no-referrer" },
      { signal: AbortSignal.abort(new RangeError("before")) },
    ];
    return await Promise.all(inits.map((init) => send(new Request("/fields", init)).then(() => "sent", String)));
  },
};

Object.assign(globalThis, { page });
