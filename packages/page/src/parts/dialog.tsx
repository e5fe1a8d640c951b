import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** True when Escape must not close it: what it shows is shown this once. */
  readonly stays?: boolean;
  readonly children: ComponentChildren;
}

/** A dialog in front of the page. The browser keeps the focus inside; Escape closes it unless it `stays`, and the focus goes back, or to the nearest heading. */
export function Dialog({ title, onClose, stays = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    // The dialog is taken out of the document, not closed, and with it the browser's knowledge of where the focus was.
    const giveBack = focusKeeper();
    ref.current?.showModal();
    return giveBack;
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!stays) onClose();
      }}
      onClose={onClose}
    >
      <h2 id={id} class="dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** Milliseconds for which the control that took the focus back is watched: a list that is loaded again may leave it out. */
const WATCHED_MS = 10_000;
const HEADINGS = 'h1, h2, h3';

/** The heading that a control belongs to: the first one of the smallest part of the page that has the control and a heading. */
function headingOf(control: Element | null): HTMLElement | null {
  for (let part = control?.parentElement ?? null; part !== null; part = part.parentElement) {
    const heading = part.querySelector<HTMLElement>(HEADINGS);
    if (heading !== null) return heading;
  }
  return null;
}

/** Focuses the nearest heading after the focused control has disappeared. */
function focusHeading(nearest: HTMLElement | null): void {
  const heading = nearest?.isConnected === true ? nearest : document.querySelector<HTMLElement>(`main :is(${HEADINGS})`);
  if (heading === null) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Calls `onLost` once when a control that has the focus is taken out of the page. Forgets it when something else takes the focus. */
function watch(control: HTMLElement, onLost: () => void): void {
  const observer = new MutationObserver(() => {
    const isThere = control.isConnected;
    if (isThere && document.activeElement === control) return;
    end();
    if (!isThere && (document.activeElement ?? document.body) === document.body) onLost();
  });
  const end = (): void => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const timer = setTimeout(end, WATCHED_MS);
  observer.observe(document.body, { subtree: true, childList: true });
}

/**
 * Notes what has the focus, to give it back later.
 * @returns gives the focus back: to the control that had it, or to the nearest heading when that control is gone, hidden or disabled, or is gone soon after
 */
export function focusKeeper(): () => void {
  const control = document.activeElement;
  // Looked for now: a control that is gone lies nowhere.
  const heading = headingOf(control);
  return () => {
    // After everything that goes together with the dialog.
    queueMicrotask(() => {
      if (!(control instanceof HTMLElement) || control === document.body || document.querySelector('dialog[open]') !== null) return;
      // The next view may have the focus already.
      if ((document.activeElement ?? document.body) !== document.body) return;
      control.focus();
      if (document.activeElement === control) watch(control, () => focusHeading(heading));
      else focusHeading(heading);
    });
  };
}
