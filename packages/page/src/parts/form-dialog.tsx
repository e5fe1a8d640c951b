import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiFailure } from '../api/failure.ts';
import { useAction } from '../data/use-load.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Spoken } from './language.tsx';

export interface FormDialogProps {
  readonly title: string;
  readonly text?: string;
  readonly submit: string;
  /** Label of the button that closes the dialog; default: cancel. Set it where "cancel" could mean either button. */
  readonly keep?: string;
  /** True for an action that cannot be undone. */
  readonly danger?: boolean;
  readonly noValidate?: boolean;
  /** True when only the button submits, not Enter in a field. */
  readonly isQuestion?: boolean;
  /** Fields of the API that show their own faults; the notice leaves these out. */
  readonly shownAtFields?: readonly string[];
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren | ((failure: ApiFailure | undefined) => ComponentChildren);
}

type Words = Spoken<{ readonly common: { readonly cancel: string; readonly working: string } }>;
type Notice = (props: {
  readonly failure: ApiFailure | undefined;
  readonly shownAtFields?: readonly string[];
}) => ReturnType<typeof Dialog> | null;

/** Creates the dialog of a page that runs an action. When the action fails, the dialog stays open and shows the failure. */
export function createFormDialog(useWords: () => Words, FailureNotice: Notice): (props: FormDialogProps) => ReturnType<typeof Dialog> {
  return function FormDialog(props) {
    const { title, text, submit, keep, danger, noValidate, isQuestion, shownAtFields = [], onSubmit, onClose, children } = props;
    const { t } = useWords();
    const { busy, failure, run } = useAction();
    const form = useRef<HTMLFormElement>(null);
    useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [failure]);
    const content = (
      <>
        {text !== undefined && <p>{text}</p>}
        {typeof children === 'function' ? children(failure) : children}
        <FailureNotice failure={failure} shownAtFields={shownAtFields} />
        <div class="dialog-actions">
          <Button onClick={onClose} text={keep ?? t.common.cancel} />
          <button
            type={isQuestion ? 'button' : 'submit'}
            class={danger ? 'danger' : 'primary'}
            aria-disabled={busy}
            onClick={isQuestion ? () => run(onSubmit) : undefined}
          >
            {busy ? t.common.working : submit}
          </button>
        </div>
      </>
    );
    const submitted = (event: Event): void => {
      event.preventDefault();
      run(onSubmit);
    };
    return (
      <Dialog title={title} onClose={onClose}>
        {isQuestion ? (
          content
        ) : (
          <form ref={form} noValidate={noValidate} onSubmit={submitted}>
            {content}
          </form>
        )}
      </Dialog>
    );
  };
}
