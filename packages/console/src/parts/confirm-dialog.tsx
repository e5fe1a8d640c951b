import { Dialog } from '@parcelway/page/parts/dialog';
import type { ComponentChildren } from 'preact';
import { useAction } from '../data/use-action.ts';
import { useWords } from '../messages/language.ts';
import { FailureNotice } from './failure-notice.tsx';

/** What a question needs. */
export interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  /** What the button does, in a word. */
  readonly confirm: string;
  /** What the other button does; default: cancel. For a question in which that word could mean both. */
  readonly keep?: string;
  /** True for what cannot be undone. */
  readonly danger?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** What can be chosen besides. */
  readonly children?: ComponentChildren;
}

/** Asks before something is done. It stays open with the reason when it could not be done. */
export function ConfirmDialog({ title, text, confirm, keep, danger = false, onConfirm, onClose, children }: ConfirmProps) {
  const { t } = useWords();
  const action = useAction();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <FailureNotice failure={action.failure} />
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          {keep ?? t.common.cancel}
        </button>
        <button type="button" class={danger ? 'danger' : 'primary'} aria-disabled={action.busy} onClick={() => action.run(onConfirm)}>
          {action.busy ? t.common.working : confirm}
        </button>
      </div>
    </Dialog>
  );
}
