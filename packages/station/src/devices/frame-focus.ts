/** What of the page the focus of the printing frame touches. */
export interface FocusedPage {
  /** The element that has the focus. */
  readonly activeElement: unknown;
}

/** The hidden frame of a document, or what had the focus before it. */
export interface Focusable {
  focus?(): void;
  blur?(): void;
  readonly isConnected?: boolean;
}

/** Milliseconds between two looks at where the focus is. */
const LOOK_MS = 1000;

/**
 * Keeps the keyboard out of a frame that is printed: what had the focus gets it back at once, on `afterprint`, and whenever the frame has it at one
 * of the looks, because a viewer of PDF takes it when it pleases.
 * @param before what had the focus before the document was printed
 * @param windows that may say `afterprint`
 * @returns what ends it, once the frame is taken away
 */
export function keepFocusOut(page: FocusedPage, frame: Focusable, before: Focusable | null, windows: readonly EventTarget[]): () => void {
  const lifetime = new AbortController();
  const giveBack = (): void => {
    if (page.activeElement !== frame) return;
    frame.blur?.();
    if (before?.isConnected === true) before.focus?.();
  };
  for (const each of windows) each.addEventListener('afterprint', giveBack, { signal: lifetime.signal });
  const looks = setInterval(giveBack, LOOK_MS);
  giveBack();
  return () => {
    clearInterval(looks);
    lifetime.abort();
  };
}
