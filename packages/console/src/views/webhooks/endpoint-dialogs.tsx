import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { EndpointStatus, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useState } from 'preact/hooks';
import { testableTypes } from '../../api/event-types.ts';
import { replay, sendTestEvent } from '../../api/webhooks.ts';
import { useAction, useNow } from '../../data/hooks.ts';
import { absoluteTime, instantOfLocal, localOfInstant } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog, FailureNotice, Field } from '../../parts/forms.tsx';
import { CopyButton } from '../../parts/values.tsx';
import { useClient } from '../../session/session.tsx';

interface ReplayDialogProps {
  readonly endpointId: string;
  readonly onClose: () => void;
  readonly onSent: (count: number) => void;
}

const DAY_MS = 86_400_000;
const DAYS = { day: 1, week: 7, month: 30 } as const;

/** A range of days up to now, or one that is typed. */
type Range = keyof typeof DAYS | 'custom';

/** Asks for a time range and which of its events to send again. */
function ReplayDialog({ endpointId, onClose, onSent }: ReplayDialogProps) {
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

interface RotateDialogProps {
  readonly endpoint: WebhookEndpoint;
  /** @param endFormer whether the present secret ends at once */
  readonly onRotate: (endFormer: boolean) => Promise<void>;
  readonly onClose: () => void;
}

function Consequence({ endFormer, until }: { readonly endFormer: boolean; readonly until: string | null }) {
  const { t, locale } = useWords();
  const now = useNow();
  if (endFormer) return t.endpoint.rotateAlone;
  const end = until === null ? 0 : Date.parse(until);
  return end > now ? t.endpoint.rotateAgain(absoluteTime(end, locale)) : t.endpoint.rotateBoth;
}

/** Asks before a secret is rotated, and whether the present one has leaked. */
function RotateDialog({ endpoint, onRotate, onClose }: RotateDialogProps) {
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

interface SecretDialogProps {
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

interface TestDialogProps {
  readonly endpointId: string;
  readonly onClose: () => void;
  readonly onSent: () => void;
}

function TestDialog({ endpointId, onClose, onSent }: TestDialogProps) {
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

/** Which dialog is open, if any. */
export type OpenDialog = 'test' | 'replay' | 'rotate' | 'disable' | 'delete' | undefined;

interface EndpointDialogsProps {
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
