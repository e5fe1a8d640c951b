import { keepFocusOut, printable } from './printable.ts';

/** Milliseconds that a document may take to come, and to load. */
const LOAD_MS = 20_000;
/** Ends when the document that was asked for last is printed: the next one takes its frame. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Prints a document of the platform, one after the other in the order in which they were asked for. The browser takes the size of the page from
 * the PDF.
 * @throws ApiFailure when something other than the document came; Error when it is at another address than the page, or does not load
 */
export function printDocument(url: string): Promise<void> {
  const printed = last.then(() => printFromFrame(url));
  last = printed.catch(() => undefined);
  return printed;
}

let shown: string | undefined;
let endWatch = (): void => undefined;

/** Prints from a hidden frame. It stays until the next document, because the browser prints after this has returned. */
async function printFromFrame(url: string): Promise<void> {
  const target = new URL(url, location.href);
  if (target.origin !== location.origin) throw new Error(`${target.origin} is not where this page is from`);
  const content = await printable(target.href, LOAD_MS);
  endWatch();
  document.querySelector('iframe.printing')?.remove();
  if (shown !== undefined) URL.revokeObjectURL(shown);
  const source = URL.createObjectURL(content);
  shown = source;
  const frame = document.createElement('iframe');
  frame.className = 'printing';
  frame.title = 'PDF';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  const before = document.activeElement as HTMLElement | null;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The document did not load in time')), LOAD_MS);
    frame.addEventListener('load', () => {
      clearTimeout(timer);
      resolve();
    });
    frame.src = source;
    document.body.append(frame);
  });
  const view = frame.contentWindow;
  try {
    view?.focus();
    view?.print();
  } finally {
    // The keyboard stays at the bench: a scan into the hidden frame would be lost.
    endWatch = keepFocusOut(document, frame, before, view === null ? [window] : [window, view]);
  }
}
