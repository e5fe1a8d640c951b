import { Dialog } from '@parcelway/page/parts/dialog';
import { useWords } from '../../messages/language.ts';
import { CopyButton } from '../../parts/copy-button.tsx';

/** What the dialog needs. */
export interface ShownKeyDialogProps {
  readonly value: string;
  readonly note?: string | undefined;
  readonly onClose: () => void;
}

/** Shows a new key, which nobody can show again. */
export function ShownKeyDialog({ value, note, onClose }: ShownKeyDialogProps) {
  const { t } = useWords();
  return (
    <Dialog title={t.keys.shownTitle} onClose={onClose} stays>
      <p>{t.keys.once}</p>
      <p class="secret">
        <code>{value}</code>
        <CopyButton text={value} what={t.keys.one} />
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
