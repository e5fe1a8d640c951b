import type { ReplayChoice, TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import type { EndpointStatus, SecretRotated, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { pathOf } from '@parcelway/page/api/client';
import { useAction } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { FormDialog, useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, FailureNotice, SecretDialog } from '@parcelway/page/parts/view';
import { useState } from 'preact/hooks';
import { ENDPOINT, replay, testableTypes } from '../../api/webhooks.ts';
import { useNow } from '../../data/hooks.ts';
import { absoluteTime, instantOfLocal, localOfInstant } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { SelectField, TextField } from '../../parts/forms.tsx';
import { goTo } from '../../routing/use-route.ts';
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
    <FormDialog title={t.replay.title} text={t.replay.text} submit={t.endpoint.replay} onSubmit={send} onClose={onClose}>
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

function RotateDialog({ endpoint, onRotate, onClose }: RotateDialogProps) {
  const { t, locale } = useWords();
  const words = t.endpoint;
  const now = useNow();
  const [endFormer, setEndFormer] = useState(false);
  const end = Date.parse(endpoint.former_secret_end_time ?? '');
  return (
    <FormDialog
      isQuestion
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
      <p role="status">{endFormer ? words.rotateAlone : end > now ? words.rotateAgain(absoluteTime(end, locale)) : words.rotateBoth}</p>
    </FormDialog>
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
  const [type, setType] = useState<(typeof testableTypes)[number]>('endpoint.test');
  const send = async (): Promise<void> => {
    const body = { event_type: type } satisfies TestRequest;
    await client.call(pathOf(`${ENDPOINT}/test`, endpointId), { method: 'POST', body });
    onSent();
  };
  return (
    <FormDialog title={t.test.title} text={t.test.text} submit={t.test.send} onSubmit={send} onClose={onClose}>
      <SelectField label={t.test.type} value={type} options={testableTypes.map((each) => [each, each])} onValue={setType} />
    </FormDialog>
  );
}

interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChange: (endpoint: WebhookEndpoint) => void;
  readonly onSent: () => void;
}

/** What can be done with an endpoint: what asks for more, and what asks whether it is meant. */
export function EndpointActions({ endpoint, onChange, onSent }: EndpointActionsProps) {
  const { t } = useWords();
  const words = t.endpoint;
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const [dialog, ask] = useAsk();
  const [open, setOpen] = useState<'test' | 'replay' | 'rotate'>();
  const [made, setMade] = useState<{ readonly secret: string; readonly note: string }>();
  const { endpoint_id: id, status } = endpoint;
  const path = pathOf(ENDPOINT, id);
  const close = (): void => setOpen(undefined);

  const setStatus = async (next: EndpointStatus): Promise<string> => {
    onChange(await client.call<WebhookEndpoint>(path, { method: 'PATCH', body: { status: next } }));
    return words.changedTo(t.endpoints.states[next] ?? next);
  };
  const disable = (): void =>
    ask({ title: words.disableTitle, text: words.disableText, submit: words.disable, danger: true, run: () => setStatus('disabled') });
  const remove = async (): Promise<string> => {
    await client.call(path, { method: 'DELETE' });
    goTo({ view: 'endpoints' });
    return words.deleted;
  };
  const rotate = async (endFormer: boolean): Promise<void> => {
    const body = endFormer ? { body: { end_former_secret: true } } : {};
    const { secret, warnings: _none, ...changed } = await client.call<SecretRotated>(`${path}/rotate-secret`, { method: 'POST', ...body });
    close();
    onChange(changed);
    setMade({ secret, note: endFormer ? t.secret.alone : t.secret.rotated });
  };
  const sent = (text: string): void => {
    close();
    announce(text);
    onSent();
  };
  return (
    <>
      {status === 'enabled' && <Button onClick={() => setOpen('test')} text={words.test} />}
      {status === 'enabled' && <Button onClick={() => setOpen('replay')} text={words.replay} />}
      <Button
        class={status === 'enabled' ? undefined : 'primary'}
        aria-disabled={action.busy}
        onClick={() => action.run(async () => announce(await setStatus(status === 'enabled' ? 'paused' : 'enabled')))}
        text={status === 'enabled' ? words.pause : status === 'paused' ? words.resume : words.enable}
      />
      <Button onClick={() => setOpen('rotate')} text={words.rotate} />
      {status !== 'disabled' && <Button onClick={disable} text={words.disable} />}
      <Button
        class="danger-quiet"
        onClick={() => ask({ title: words.deleteTitle, text: words.deleteText, submit: t.common.delete, danger: true, run: remove })}
        text={t.common.delete}
      />
      <FailureNotice failure={action.failure} />
      {open === 'test' && <TestDialog endpointId={id} onClose={close} onSent={() => sent(t.test.sent)} />}
      {open === 'replay' && <ReplayDialog endpointId={id} onClose={close} onSent={(count) => sent(t.replay.done(count))} />}
      {open === 'rotate' && <RotateDialog endpoint={endpoint} onRotate={rotate} onClose={close} />}
      {dialog}
      {made && (
        <SecretDialog title={t.secret.title} once={t.secret.once} what={t.secret.label} {...made} onClose={() => setMade(undefined)} />
      )}
    </>
  );
}
