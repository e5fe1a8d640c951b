import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { EndpointStatus, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useState } from 'preact/hooks';
import { testableTypes } from '../../api/event-types.ts';
import { replay, sendTestEvent } from '../../api/webhooks.ts';
import { useNow } from '../../data/hooks.ts';
import { absoluteTime, instantOfLocal, localOfInstant } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog, FormDialog, SelectField, TextField } from '../../parts/forms.tsx';
import { SecretDialog } from '../../parts/values.tsx';
import { useClient } from '../../session/session.tsx';

interface ReplayDialogProps {
  readonly endpointId: string;
  readonly onClose: () => void;
  readonly onSent: (count: number) => void;
}

const DAY_MS = 86_400_000;
const DAYS = { day: 1, week: 7, month: 30 } as const;
type Range = keyof typeof DAYS | 'custom';

function ReplayDialog({ endpointId, onClose, onSent }: ReplayDialogProps) {
  const { t } = useWords();
  const client = useClient();
  const [range, setRange] = useState<Range>('day');
  const [since, setSince] = useState(() => localOfInstant(Date.now() - DAY_MS));
  const [until, setUntil] = useState('');
  const [only, setOnly] = useState<ReplayChoice>('undelivered');
  const send = async (): Promise<void> => {
    const isTyped = range === 'custom';
    const from = isTyped ? instantOfLocal(since) : new Date(Date.now() - DAYS[range] * DAY_MS).toISOString();
    const to = isTyped ? instantOfLocal(until) : undefined;
    if (from === undefined) return;
    onSent(await replay(client, endpointId, { since: from, only, ...(to === undefined ? {} : { until: to }) }));
  };
  return (
    <FormDialog title={t.replay.title} text={t.replay.text} submit={t.replay.run} onSubmit={send} onClose={onClose}>
      <SelectField<Range> label={t.replay.range} value={range} options={t.replay.ranges} onValue={setRange} />
      {range === 'custom' && (
        <div class="pair">
          <TextField label={t.replay.since} type="datetime-local" required value={since} onValue={setSince} />
          <TextField label={t.replay.until} hint={t.replay.untilHint} type="datetime-local" value={until} onValue={setUntil} />
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
    </FormDialog>
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

function RotateDialog({ endpoint, onRotate, onClose }: RotateDialogProps) {
  const { t } = useWords();
  const words = t.endpoint;
  const [endFormer, setEndFormer] = useState(false);
  return (
    <ConfirmDialog
      title={words.rotateTitle}
      text={words.rotateText}
      submit={words.rotate}
      danger={endFormer}
      onSubmit={() => onRotate(endFormer)}
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

export function EndpointSecretDialog(props: { readonly secret: string; readonly note?: string; readonly onClose: () => void }) {
  const { t } = useWords();
  return <SecretDialog title={t.secret.title} once={t.secret.once} what={t.secret.label} {...props} />;
}

interface TestDialogProps {
  readonly endpointId: string;
  readonly onClose: () => void;
  readonly onSent: () => void;
}

function TestDialog({ endpointId, onClose, onSent }: TestDialogProps) {
  const { t } = useWords();
  const client = useClient();
  const [type, setType] = useState<(typeof testableTypes)[number]>('endpoint.test');
  const send = async (): Promise<void> => {
    await sendTestEvent(client, endpointId, { event_type: type });
    onSent();
  };
  return (
    <FormDialog title={t.test.title} text={t.test.text} submit={t.test.send} onSubmit={send} onClose={onClose}>
      <SelectField label={t.test.type} value={type} options={testableTypes.map((each) => [each, each])} onValue={setType} />
    </FormDialog>
  );
}

export type OpenDialog = 'test' | 'replay' | 'rotate' | 'disable' | 'delete' | undefined;

interface EndpointDialogsProps {
  readonly open: OpenDialog;
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
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
          submit={words.disable}
          danger
          onSubmit={disable}
          onClose={onClose}
        />
      );
    }
    case 'delete':
      return (
        <ConfirmDialog title={words.deleteTitle} text={words.deleteText} submit={words.delete} danger onSubmit={remove} onClose={onClose} />
      );
    case undefined:
      return null;
  }
}
