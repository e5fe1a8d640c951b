import { ApiFailure, dataOf } from '@parcelway/page/api/failure';

const PRINTABLE = /^(application\/pdf|image\/(png|jpeg|webp|gif|bmp))\s*(;|$)/i;

/**
 * Fetches a document, to be printed.
 * @throws ApiFailure when it did not come: with the code of the platform, `offline`, `timeout`, or `unreadable` for anything else than a
 * document, such as a page of a proxy
 */
export async function printable(url: string, deadlineMs: number): Promise<Blob> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(url, { signal: deadline, credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (response.ok && PRINTABLE.test(response.headers.get('content-type') ?? '')) return await response.blob();
    throw refusalIn(response, await response.text());
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    throw new ApiFailure(deadline.aborted ? 'timeout' : 'offline', { detail: (error as Error).message });
  }
}

function refusalIn({ headers }: Response, text: string): ApiFailure {
  try {
    const envelope: unknown = JSON.parse(text);
    dataOf({ envelope, retryAfter: headers.get('retry-after'), requestId: headers.get('x-request-id') });
  } catch (error) {
    if (error instanceof ApiFailure) return error;
  }
  return new ApiFailure('unreadable');
}

interface FocusedPage {
  readonly activeElement: unknown;
}

interface Focusable {
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
