import { useState } from 'preact/hooks';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { overlaps } from './key-values.ts';

/** What the dialog needs. */
export interface RotateKeyDialogProps {
  /** True for the key that this page is signed in with. */
  readonly isOwn: boolean;
  /** @param overlapSeconds for which the former key still works */
  readonly onRotate: (overlapSeconds: number) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for how long the former key still works, and rotates it. */
export function RotateKeyDialog({ isOwn, onRotate, onClose }: RotateKeyDialogProps) {
  const { t } = useWords();
  const [overlap, setOverlap] = useState<number>(overlaps[0]);
  return (
    <ConfirmDialog
      title={t.keys.rotateTitle}
      text={isOwn ? `${t.keys.rotateText} ${t.keys.rotateOwn}` : t.keys.rotateText}
      confirm={t.keys.rotate}
      danger={overlap === 0}
      onConfirm={() => onRotate(overlap)}
      onClose={onClose}
    >
      <Field label={t.keys.overlap}>
        {(ids) => (
          <select {...ids} value={overlap} onChange={(event) => setOverlap(Number(event.currentTarget.value))}>
            {overlaps.map((seconds) => (
              <option key={seconds} value={seconds}>
                {t.keys.overlaps[seconds]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </ConfirmDialog>
  );
}
