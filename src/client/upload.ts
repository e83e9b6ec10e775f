/** The requests whose body is sent as it comes. */
import { type Awaitable } from "../awaitable.ts";
import { discard } from "./decode_response.ts";
import { nextBytes, NoBytesError, type Producer, type Source, stopProducer, toProducer } from "./producer.ts";

/** What an upload's request is built with. */
export interface UploadInit {
  readonly body: Source;
  readonly signal: AbortSignal | undefined;
}

/** The uploads under way, by their requests and by the responses to them. */
const uploads = new WeakMap<Request | Response, Upload>();

/** The request of an upload; `duplex` says that it is sent as it comes, and has no other value. */
export function createUpload(url: string, init: UploadInit): Request {
  const upload = new Upload(toProducer(init.body), init.signal);
  const request = new Request(url, { ...init, body: upload.stream, duplex: "half" } as RequestInit);
  uploads.set(request, upload);
  return request;
}

/** The response to a request; rejects where its upload broke off, for what is answered to a part is no answer to the whole. */
export function unlessBroken(request: Request, sent: Awaitable<Response>): Awaitable<Response> {
  const upload = uploads.get(request);
  if (!upload) return sent;
  return Promise.resolve(sent).then((response) => {
    uploads.set(response, upload);
    if (!upload.failure) return response;
    discard(response);
    throw upload.failure.cause;
  }, (error) => {
    upload.end(error);
    throw upload.failure ? upload.failure.cause : error;
  });
}

/**
 * Ends the upload that was answered by a response, where that has been read to its end or is of no use: a server that answers
 * early, with 413 perhaps, wants no more. A body that is still being read may be made of the upload, as an echo is.
 */
export function endUpload(response: Response | undefined, body?: unknown): void {
  const isOpen = typeof body === "object" && body !== null &&
    (body instanceof Response || body instanceof ReadableStream || Symbol.asyncIterator in body);
  if (response && !isOpen) uploads.get(response)?.end(new DOMException("The call is over", "AbortError"));
}

/** One upload. Its producer is asked for the next bytes when they are wanted, and stopped once where they no longer are. */
class Upload {
  /** The stream that is sent. */
  readonly stream: ReadableStream<Uint8Array>;
  /** What it broke off with. */
  failure: { readonly cause: unknown } | undefined;
  readonly #producer: Producer;
  readonly #signal: AbortSignal | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isOver = false;

  constructor(producer: Producer, signal: AbortSignal | undefined) {
    this.#producer = producer;
    this.#signal = signal;
    this.stream = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#pull(),
      cancel: (reason) => this.#stop(reason),
    }, { highWaterMark: 0 });
    signal?.addEventListener("abort", this.#abort);
    if (signal?.aborted) this.#abort();
  }

  /** Ends it, where it has not ended. */
  end(reason: unknown): void {
    if (this.#isOver) return;
    this.#stop(reason);
    this.#controller.error(reason);
  }

  readonly #abort = (): void => this.end(this.#signal!.reason);

  #stop(reason: unknown): void {
    if (this.#isOver) return;
    this.#close();
    stopProducer(this.#producer, reason);
  }

  #close(): void {
    this.#isOver = true;
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  async #pull(): Promise<void> {
    try {
      const bytes = await nextBytes(this.#producer);
      if (this.#isOver) return;
      if (bytes) return this.#controller.enqueue(bytes);
      this.#close();
      this.#controller.close();
    } catch (cause) {
      if (this.#isOver) return;
      this.failure = { cause };
      if (cause instanceof NoBytesError) this.#stop(cause);
      else this.#close();
      throw cause;
    }
  }
}
