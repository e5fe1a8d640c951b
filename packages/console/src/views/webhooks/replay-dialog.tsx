import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useState } from 'preact/hooks';
import { replay } from '../../api/webhooks.ts';
import { useAction } from '../../data/use-action.ts';
import { instantOfLocal, localOfInstant } from '../../format/time.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { useClient } from '../../session/session.tsx';

/** What the dialog needs. */
export interface ReplayDialogProps {
  readonly endpointId: string;
  readonly onClose: () => void;
  /** Called with the number of deliveries that will be sent. */
  readonly onSent: (count: number) => void;
}

const DAY_MS = 86_400_000;
const DAYS = { day: 1, week: 7, month: 30 } as const;

/** A range of days up to now, or one that is typed. */
type Range = keyof typeof DAYS | 'custom';

/** Asks for a time range and which of its events to send again. */
export function ReplayDialog({ endpointId, onClose, onSent }: ReplayDialogProps) {
  const { t } = useWords();
  const client = useClient();
  const action = useAction();
  const [range, setRange] = useState<Range>('day');
  const [since, setSince] = useState(() => localOfInstant(Date.now() - DAY_MS));
  const [until, setUntil] = useState('');
  const [only, setOnly] = useState<ReplayChoice>('undelivered');
  const submit = (event: Event): void => {
    event.preventDefault();
    const isTyped = range === 'custom';
    const from = isTyped ? instantOfLocal(since) : new Date(Date.now() - DAYS[range] * DAY_MS).toISOString();
    const to = isTyped ? instantOfLocal(until) : undefined;
    if (from === undefined) return;
    action.run(async () => onSent(await replay(client, endpointId, { since: from, only, ...(to === undefined ? {} : { until: to }) })));
  };
  return (
    <Dialog title={t.replay.title} onClose={onClose}>
      <form onSubmit={submit}>
        <p>{t.replay.text}</p>
        <Field label={t.replay.range}>
          {(ids) => (
            <select {...ids} value={range} onChange={(event) => setRange(event.currentTarget.value as Range)}>
              {Object.entries(t.replay.ranges).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {range === 'custom' && (
          <div class="pair">
            <Field label={t.replay.since}>
              {(ids) => (
                <input {...ids} type="datetime-local" required value={since} onInput={(event) => setSince(event.currentTarget.value)} />
              )}
            </Field>
            <Field label={t.replay.until} hint={t.replay.untilHint}>
              {(ids) => <input {...ids} type="datetime-local" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />}
            </Field>
          </div>
        )}
        <fieldset>
          <legend>{t.replay.only}</legend>
          {Object.entries(t.replay.choices).map(([value, text]) => (
            <label key={value} class="check">
              <input type="radio" name="only" checked={only === value} onChange={() => setOnly(value as ReplayChoice)} />
              {text}
            </label>
          ))}
        </fieldset>
        <FailureNotice failure={action.failure} />
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={action.busy}>
            {action.busy ? t.common.working : t.replay.run}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
