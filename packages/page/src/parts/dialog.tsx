import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { focusKeeper } from './return-focus.ts';

/** What a dialog needs. */
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
