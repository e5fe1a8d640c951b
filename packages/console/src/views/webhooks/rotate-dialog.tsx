import type { WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useState } from 'preact/hooks';
import { useNow } from '../../data/use-now.ts';
import { absoluteTime } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';

/** What the dialog needs. */
export interface RotateDialogProps {
  readonly endpoint: WebhookEndpoint;
  /** @param endFormer whether the present secret ends at once */
  readonly onRotate: (endFormer: boolean) => Promise<void>;
  readonly onClose: () => void;
}

/** What becomes of the secrets that sign now. */
function Consequence({ endFormer, until }: { readonly endFormer: boolean; readonly until: string | null }) {
  const { t, locale } = useWords();
  const now = useNow();
  if (endFormer) return t.endpoint.rotateAlone;
  const end = until === null ? 0 : Date.parse(until);
  return end > now ? t.endpoint.rotateAgain(absoluteTime(end, locale)) : t.endpoint.rotateBoth;
}

/** Asks before a secret is rotated, and whether the present one has leaked. */
export function RotateDialog({ endpoint, onRotate, onClose }: RotateDialogProps) {
  const { t } = useWords();
  const words = t.endpoint;
  const [endFormer, setEndFormer] = useState(false);
  return (
    <ConfirmDialog
      title={words.rotateTitle}
      text={words.rotateText}
      confirm={words.rotate}
      danger={endFormer}
      onConfirm={() => onRotate(endFormer)}
      onClose={onClose}
    >
      <label class="check">
        <input type="checkbox" checked={endFormer} onChange={(event) => setEndFormer(event.currentTarget.checked)} />
        {words.endFormer}
      </label>
      {/* Read out when it changes with the choice. */}
      <p role="status">
        <Consequence endFormer={endFormer} until={endpoint.former_secret_end_time} />
      </p>
    </ConfirmDialog>
  );
}
