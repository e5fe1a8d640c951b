import type { EndpointStatus, WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { useAction } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { useState } from 'preact/hooks';
import { deleteEndpoint, rotateSecret, updateEndpoint } from '../../api/webhooks.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/forms.tsx';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';
import { EndpointDialogs, EndpointSecretDialog, type OpenDialog } from './endpoint-dialogs.tsx';

export interface EndpointActionsProps {
  readonly endpoint: WebhookEndpoint;
  readonly onChange: (endpoint: WebhookEndpoint) => void;
  readonly onSent: () => void;
}

function Switch({
  status,
  busy,
  onSwitch,
}: {
  readonly status: EndpointStatus;
  readonly busy: boolean;
  readonly onSwitch: (to: EndpointStatus) => void;
}) {
  const { t } = useWords();
  const running = status === 'enabled';
  const text = running ? t.endpoint.pause : status === 'paused' ? t.endpoint.resume : t.endpoint.enable;
  return (
    <Button
      class={running ? undefined : 'primary'}
      aria-disabled={busy}
      onClick={() => onSwitch(running ? 'paused' : 'enabled')}
      text={text}
    />
  );
}

export function EndpointActions({ endpoint, onChange, onSent }: EndpointActionsProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const action = useAction();
  const [open, setOpen] = useState<OpenDialog>();
  const [made, setMade] = useState<{ readonly secret: string; readonly alone: boolean }>();
  const { endpoint_id: id, status } = endpoint;
  const close = (): void => setOpen(undefined);

  const setStatus = async (next: EndpointStatus): Promise<void> => {
    onChange(await updateEndpoint(client, id, { status: next }));
    close();
    announce(t.endpoint.changedTo(t.endpoints.states[next] ?? next));
  };
  const rotate = async (endFormer: boolean): Promise<void> => {
    const { secret, warnings: _none, ...changed } = await rotateSecret(client, id, endFormer);
    close();
    onChange(changed);
    setMade({ secret, alone: endFormer });
  };
  const remove = async (): Promise<void> => {
    await deleteEndpoint(client, id);
    announce(t.endpoint.deleted);
    goTo({ view: 'endpoints' });
  };
  const sent = (text: string): void => {
    close();
    announce(text);
    onSent();
  };
  return (
    <>
      {status === 'enabled' && <Button onClick={() => setOpen('test')} text={t.endpoint.test} />}
      {status === 'enabled' && <Button onClick={() => setOpen('replay')} text={t.endpoint.replay} />}
      <Switch status={status} busy={action.busy} onSwitch={(to) => action.run(() => setStatus(to))} />
      <Button onClick={() => setOpen('rotate')} text={t.endpoint.rotate} />
      {status !== 'disabled' && <Button onClick={() => setOpen('disable')} text={t.endpoint.disable} />}
      <Button class="danger-quiet" onClick={() => setOpen('delete')} text={t.endpoint.delete} />
      <FailureNotice failure={action.failure} />
      <EndpointDialogs
        open={open}
        endpoint={endpoint}
        onClose={close}
        onSent={sent}
        setStatus={setStatus}
        rotate={rotate}
        remove={remove}
      />
      {made && (
        <EndpointSecretDialog
          secret={made.secret}
          note={made.alone ? t.secret.alone : t.secret.rotated}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}
