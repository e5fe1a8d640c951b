import type { ReplayChoice, TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import type { EndpointStatus, SecretRotated, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { pathOf } from '@parcelway/page/api/client';
import { useAction } from '@parcelway/page/data/use-load';
import { fill } from '@parcelway/page/languages';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { type Question, type Typed, useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, FailureNotice } from '@parcelway/page/parts/view';
import { ENDPOINT, replay, testableTypes } from '../../api/webhooks.ts';
import { useNow } from '../../data/hooks.ts';
import { absoluteTime, instantOfLocal, localOfInstant } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { SelectField, TextField } from '../../parts/forms.tsx';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';

const DAY_MS = 86_400_000;
const DAYS = { day: 1, week: 7, month: 30 } as const;

interface ReplayValues {
  readonly range: keyof typeof DAYS | 'custom';
  readonly since: string;
  readonly until: string;
  readonly only: ReplayChoice;
}

function ReplayForm({ values: { range, since, until, only }, change }: Typed<ReplayValues>) {
  const { t } = useWords();
  return (
    <>
      <SelectField<typeof range> label={t.replay.range} value={range} options={t.replay.ranges} onValue={(to) => change({ range: to })} />
      {range === 'custom' && (
        <div class="pair">
          <TextField label={t.replay.since} type="datetime-local" required value={since} onValue={(to) => change({ since: to })} />
          <TextField
            label={t.replay.until}
            hint={t.replay.untilHint}
            type="datetime-local"
            value={until}
            onValue={(to) => change({ until: to })}
          />
        </div>
      )}
      <fieldset>
        <legend>{t.replay.only}</legend>
        {Object.entries(t.replay.choices).map(([value, text]) => (
          <label key={value} class="check">
            <input type="radio" name="only" checked={only === value} onChange={() => change({ only: value as ReplayChoice })} />
            {text}
          </label>
        ))}
      </fieldset>
    </>
  );
}

interface RotateFormProps extends Typed<{ readonly endFormer: boolean }> {
  /** When the secret before the present one ends; epoch milliseconds. */
  readonly end: number;
}

function RotateForm({ values: { endFormer }, change, end }: RotateFormProps) {
  const { t, locale } = useWords();
  const words = t.endpoint;
  const now = useNow();
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={endFormer} onChange={(event) => change({ endFormer: event.currentTarget.checked })} />
        {words.endFormer}
      </label>
      {/* Read out when it changes with the choice. */}
      <p role="status">
        {endFormer ? words.rotateAlone : end > now ? fill(words.rotateAgain, absoluteTime(end, locale)) : words.rotateBoth}
      </p>
    </>
  );
}

interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChange: (endpoint: WebhookEndpoint) => void;
  readonly onSent: () => void;
}

/** What asks for more before something is sent, or a secret made. */
function useSending({ endpoint, onChange, onSent }: EndpointActionsProps) {
  const { t } = useWords();
  const client = useClient();
  const { endpoint_id: id } = endpoint;
  const test: Question<TestRequest> = {
    title: t.test.title,
    text: t.test.text,
    submit: t.test.send,
    first: { event_type: 'endpoint.test' },
    draw: ({ values, change }) => (
      <SelectField
        label={t.test.type}
        value={values.event_type ?? 'endpoint.test'}
        options={testableTypes.map((each) => [each, each])}
        onValue={(event_type) => change({ event_type })}
      />
    ),
    async run(body) {
      await client.call(pathOf(`${ENDPOINT}/test`, id), { method: 'POST', body });
      onSent();
      return t.test.sent;
    },
  };
  const again: Question<ReplayValues> = {
    title: t.replay.title,
    text: t.replay.text,
    submit: t.endpoint.replay,
    first: { range: 'day', since: localOfInstant(Date.now() - DAY_MS), until: '', only: 'undelivered' },
    draw: (typed) => <ReplayForm {...typed} />,
    async run({ range, since, until, only }) {
      const isTyped = range === 'custom';
      const from = isTyped ? (instantOfLocal(since) ?? since) : new Date(Date.now() - DAYS[range] * DAY_MS).toISOString();
      const to = isTyped ? instantOfLocal(until) : undefined;
      const count = await replay(client, id, { since: from, only, ...(to === undefined ? {} : { until: to }) });
      onSent();
      return count === 0 ? t.replay.none : fill(t.replay.done, count);
    },
  };
  const rotate: Question<{ readonly endFormer: boolean }> = {
    isQuestion: true,
    title: t.endpoint.rotateTitle,
    text: t.endpoint.rotateText,
    submit: t.endpoint.rotate,
    first: { endFormer: false },
    isDanger: ({ endFormer }) => endFormer,
    draw: (typed) => <RotateForm {...typed} end={Date.parse(endpoint.former_secret_end_time ?? '')} />,
    async run({ endFormer }) {
      const call = { method: 'POST', ...(endFormer ? { body: { end_former_secret: true } } : {}) } as const;
      const { secret, warnings: _none, ...changed } = await client.call<SecretRotated>(pathOf(`${ENDPOINT}/rotate-secret`, id), call);
      onChange(changed);
      const { title, once, label: what } = t.secret;
      return { title, once, what, secret, note: endFormer ? t.secret.alone : t.secret.rotated };
    },
  };
  return { test, again, rotate };
}

/** What can be done with an endpoint: what asks for more, and what asks whether it is meant. */
export function EndpointActions(props: EndpointActionsProps) {
  const { endpoint, onChange } = props;
  const { t } = useWords();
  const words = t.endpoint;
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const [dialog, ask] = useAsk();
  const { test, again, rotate } = useSending(props);
  const { endpoint_id: id, status } = endpoint;
  const path = pathOf(ENDPOINT, id);

  const setStatus = async (next: EndpointStatus): Promise<string> => {
    onChange(await client.call<WebhookEndpoint>(path, { method: 'PATCH', body: { status: next } }));
    return fill(words.changedTo, t.endpoints.states[next].toLowerCase());
  };
  const disable = (): void =>
    ask({ title: words.disableTitle, text: words.disableText, submit: words.disable, danger: true, run: () => setStatus('disabled') });
  const remove = async (): Promise<string> => {
    await client.call(path, { method: 'DELETE' });
    goTo({ view: 'endpoints' });
    return words.deleted;
  };
  return (
    <>
      {status === 'enabled' && <Button onClick={() => ask(test)} text={words.test} />}
      {status === 'enabled' && <Button onClick={() => ask(again)} text={words.replay} />}
      <Button
        class={status === 'enabled' ? undefined : 'primary'}
        aria-disabled={action.busy}
        onClick={() => action.run(async () => announce(await setStatus(status === 'enabled' ? 'paused' : 'enabled')))}
        text={status === 'enabled' ? words.pause : status === 'paused' ? words.resume : words.enable}
      />
      <Button onClick={() => ask(rotate)} text={words.rotate} />
      {status !== 'disabled' && <Button onClick={disable} text={words.disable} />}
      <Button
        class="danger-quiet"
        onClick={() => ask({ title: words.deleteTitle, text: words.deleteText, submit: t.common.delete, danger: true, run: remove })}
        text={t.common.delete}
      />
      <FailureNotice failure={action.failure} />
      {dialog}
    </>
  );
}
