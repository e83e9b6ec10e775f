/** The members of a browser's `XMLHttpRequest` that `xhrFetch` uses. */
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

/** The members of a `ProgressEvent` that `xhrFetch` uses. */
export interface BrowserProgress {
  readonly loaded: number;
}

/** The browser's class, declared here because the types of servers do not include the DOM. */
declare const XMLHttpRequest: (new () => BrowserRequest) | undefined;

/** Returns the class of the browser's requests. Throws a `TypeError` outside of browsers. */
export function findBrowserRequest(): new () => BrowserRequest {
  if (typeof XMLHttpRequest !== "undefined") return XMLHttpRequest;
  throw new TypeError("xhrFetch(): XMLHttpRequest is not available; use fetch outside of browsers");
}
