import { Dialog } from '@parcelway/page/parts/dialog';
import { useState } from 'preact/hooks';
import { testableTypes } from '../../api/event-types.ts';
import { sendTestEvent } from '../../api/webhooks.ts';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { useClient } from '../../session/session.tsx';

/** What the dialog needs. */
export interface TestDialogProps {
  readonly endpointId: string;
  readonly onClose: () => void;
  readonly onSent: () => void;
}

/** Asks for the type of a test event and sends it. */
export function TestDialog({ endpointId, onClose, onSent }: TestDialogProps) {
  const { t } = useWords();
  const client = useClient();
  const action = useAction();
  const [type, setType] = useState<(typeof testableTypes)[number]>('endpoint.test');
  const submit = (event: Event): void => {
    event.preventDefault();
    action.run(async () => {
      await sendTestEvent(client, endpointId, { event_type: type });
      onSent();
    });
  };
  return (
    <Dialog title={t.test.title} onClose={onClose}>
      <form onSubmit={submit}>
        <p>{t.test.text}</p>
        <Field label={t.test.type}>
          {(ids) => (
            <select {...ids} value={type} onChange={(event) => setType(event.currentTarget.value as typeof type)}>
              {testableTypes.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
        <FailureNotice failure={action.failure} />
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={action.busy}>
            {action.busy ? t.common.working : t.test.send}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
