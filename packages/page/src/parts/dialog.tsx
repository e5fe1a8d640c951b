import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** What a dialog needs. */
export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** True when Escape must not close it: what it shows is shown this once. */
  readonly stays?: boolean;
  readonly children: ComponentChildren;
}

/** A dialog in front of the page. The browser keeps the focus inside; Escape closes it unless it `stays`, and the focus goes back. */
export function Dialog({ title, onClose, stays = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    ref.current?.showModal();
    // The dialog is taken out of the document, not closed, and with it the browser's knowledge of where the focus was.
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
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
