import { Dialog } from '@parcelway/page/parts/dialog';
import { useWords } from '../../messages/language.ts';
import { CopyButton } from '../../parts/copy-button.tsx';

/** What the dialog needs. */
export interface SecretDialogProps {
  readonly secret: string;
  readonly note?: string;
  readonly onClose: () => void;
}

/** Shows a signing secret, which nobody can show again. */
export function SecretDialog({ secret, note, onClose }: SecretDialogProps) {
  const { t } = useWords();
  return (
    <Dialog title={t.secret.title} onClose={onClose} stays>
      <p>{t.secret.once}</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={t.secret.label} />
      </p>
      {note !== undefined && <p class="faint">{note}</p>}
      <div class="dialog-actions">
        <button type="button" class="primary" onClick={onClose}>
          {t.secret.done}
        </button>
      </div>
    </Dialog>
  );
}
