/** What happens to the page or the worker that a connection belongs to. */

/** What a connection does then. */
export interface PageEvents {
  /** Called when the page is left. It may come back. */
  readonly onHide: () => void;
  /** Called when the page comes back. */
  readonly onShow: () => void;
  /** Called when the network comes back. */
  readonly onOnline: () => void;
}

/**
 * Listens to the events of the page (HTML Standard, section 7.4.2.3). An open connection would keep browsers from caching
 * the page when it is left. Returns a function that stops.
 */
export function watchPage({ onHide, onShow, onOnline }: PageEvents): () => void {
  const listeners: readonly (readonly [type: string, listener: (event: object) => void])[] = [
    ["pagehide", onHide],
    ["pageshow", (event): void => void ((event as { readonly persisted?: boolean }).persisted && onShow())],
    ["online", onOnline],
  ];
  for (const [type, listener] of listeners) globalThis.addEventListener?.(type, listener);
  return () => {
    for (const [type, listener] of listeners) globalThis.removeEventListener?.(type, listener);
  };
}
