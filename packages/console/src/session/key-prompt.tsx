import { Dialog } from '@parcelway/page/parts/dialog';
import { useRef } from 'preact/hooks';
import { useAction } from '../data/use-action.ts';
import { useWords } from '../messages/language.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { Field } from '../parts/field.tsx';
import { useSession } from './session.tsx';

/** What the prompt needs. */
export interface KeyPromptProps {
  /** What the key is needed for. */
  readonly text: string;
  /** Called once the key has begun a session. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks somebody who is signed in for the key again. What is open stays as it is. */
export function KeyPrompt({ text, onDone, onClose }: KeyPromptProps) {
  const { t } = useWords();
  const { signIn } = useSession();
  const action = useAction();
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const key = field.current?.value.trim() ?? '';
    if (key !== '') action.run(() => signIn(key).then(onDone));
  };
  return (
    <Dialog title={t.session.again} onClose={onClose}>
      <p>{text}</p>
      <form noValidate onSubmit={submit}>
        <Field label={t.signIn.key}>
          {(ids) => <input {...ids} ref={field} type="password" autocomplete="off" spellcheck={false} autocapitalize="none" required />}
        </Field>
        <FailureNotice failure={action.failure} />
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={action.busy}>
            {action.busy ? t.common.working : t.session.again}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
