/** The parts of a browser's `XMLHttpRequest` that are used. */
export interface BrowserRequest {
  withCredentials: boolean;
  responseType: string;
  onloadend: (() => void) | null;
  readonly upload: { onprogress: ((event: BrowserProgress) => void) | null };
  readonly status: number;
  readonly statusText: string;
  readonly response: unknown;
  readonly responseURL: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob | null): void;
  abort(): void;
}

/** The parts of a `ProgressEvent` that are used. */
export interface BrowserProgress {
  readonly loaded: number;
}

/** The browser's own; the types of a DOM are not there on servers. */
declare const XMLHttpRequest: (new () => BrowserRequest) | undefined;

/** The class of the browser's requests; throws a `TypeError` where there is none. */
export function findBrowserRequest(): new () => BrowserRequest {
  if (typeof XMLHttpRequest !== "undefined") return XMLHttpRequest;
  throw new TypeError("xhrFetch(): there is no XMLHttpRequest; use fetch outside of browsers");
}
