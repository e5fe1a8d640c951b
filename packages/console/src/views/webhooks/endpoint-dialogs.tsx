import type { EndpointStatus, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** Which dialog is open, if any. */
export type OpenDialog = 'test' | 'replay' | 'rotate' | 'disable' | 'delete' | undefined;

/** What the dialogs need. */
export interface EndpointDialogsProps {
  readonly open: OpenDialog;
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
  /** Called with the text to show when something was sent. */
  readonly onSent: (text: string) => void;
  readonly setStatus: (status: EndpointStatus) => Promise<void>;
  readonly rotate: (endFormer: boolean) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** The dialogs of an endpoint: what asks for more, and what asks whether it is meant. */
export function EndpointDialogs({ open, endpoint, onClose, onSent, setStatus, rotate, remove }: EndpointDialogsProps) {
  const { t } = useWords();
  const words = t.endpoint;
  switch (open) {
    case 'test':
      return <TestDialog endpointId={endpoint.endpoint_id} onClose={onClose} onSent={() => onSent(t.test.sent)} />;
    case 'replay':
      return <ReplayDialog endpointId={endpoint.endpoint_id} onClose={onClose} onSent={(count) => onSent(t.replay.done(count))} />;
    case 'rotate':
      return <RotateDialog endpoint={endpoint} onRotate={rotate} onClose={onClose} />;
    case 'disable': {
      const disable = (): Promise<void> => setStatus('disabled');
      return (
        <ConfirmDialog
          title={words.disableTitle}
          text={words.disableText}
          confirm={words.disable}
          danger
          onConfirm={disable}
          onClose={onClose}
        />
      );
    }
    case 'delete':
      return (
        <ConfirmDialog
          title={words.deleteTitle}
          text={words.deleteText}
          confirm={words.delete}
          danger
          onConfirm={remove}
          onClose={onClose}
        />
      );
    case undefined:
      return null;
  }
}
