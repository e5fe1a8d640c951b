import type { ApiKey, IssuedKey } from '@parcelway/contracts/admin-api';
import { useLoad } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { useState } from 'preact/hooks';
import { ConfirmDialog, Field, SecretDialog } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Badge, Card, LoadedTable, Time } from '../parts.tsx';
import { useClient, useMay } from '../session.tsx';

const SHOWN = 100;

function stateOf({ revoke_time, expire_time }: ApiKey): 'valid' | 'revoked' | 'expired' {
  if (revoke_time !== null) return 'revoked';
  return expire_time !== null && Date.parse(expire_time) <= Date.now() ? 'expired' : 'valid';
}

/** Creates a key with the usual scopes for a tenant or a warehouse, and shows it this once. */
export function CreateKey(props: {
  readonly holder: { readonly tenant_id: string } | { readonly warehouse_code: string };
  readonly onClose: () => void;
}) {
  const { t } = useWords();
  const client = useClient();
  const [description, setDescription] = useState('');
  const [issued, setIssued] = useState<IssuedKey>();
  const create = async (): Promise<void> => {
    const body = { ...props.holder, description: description.trim() };
    setIssued(await client.call<IssuedKey>('/admin/v1/keys', { method: 'POST', body }));
  };
  if (issued) return <SecretDialog title={t.tenant.keyTitle} secret={issued.key} onClose={props.onClose} />;
  return (
    <ConfirmDialog
      title={t.tenant.createKey}
      text={t.tenant.createKeyText}
      submit={t.tenant.createKey}
      onSubmit={create}
      onClose={props.onClose}
    >
      <Field id="key-description" label={t.tenant.description} maxLength={200} value={description} onValue={setDescription} />
    </ConfirmDialog>
  );
}

/** The keys of a tenant, newest first. Support creates and revokes them. */
export function TenantKeys({ tenantId }: { readonly tenantId: string }) {
  const { t } = useWords();
  const client = useClient();
  const maySupport = useMay('support');
  const announce = useAnnounce();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [creating, setCreating] = useState(false);
  const loaded = useLoad(`keys ${tenantId}`, (signal) =>
    client.call<{ keys: ApiKey[]; next_cursor: string | null }>('/admin/v1/keys', { query: { tenant_id: tenantId, limit: SHOWN }, signal }),
  );
  const revoke = async ({ key_id }: ApiKey): Promise<void> => {
    await client.call(`/admin/v1/keys/${encodeURIComponent(key_id)}/revoke`, { method: 'POST' });
    setRevoking(undefined);
    announce(t.tenant.revoked);
    loaded.reload();
  };
  const actions = {
    head: t.common.actions,
    cell: (key: ApiKey) =>
      stateOf(key) === 'valid' && <Button class="danger-quiet" onClick={() => setRevoking(key)} text={t.tenant.revoke} />,
  };
  return (
    <Card title={t.tenant.keys} actions={maySupport && <Button onClick={() => setCreating(true)} text={t.tenant.createKey} />}>
      <LoadedTable
        loaded={loaded}
        itemsOf={({ keys }) => keys}
        caption={t.tenant.keys}
        idOf={({ key_id }) => key_id}
        none={t.tenant.noKeys}
        note={({ next_cursor }) => next_cursor !== null && t.tenant.someKeys}
        columns={[
          { head: t.tenant.key, cell: ({ prefix }) => <code>{prefix}…</code> },
          {
            head: t.common.status,
            cell: (key) => <Badge tone={stateOf(key) === 'valid' ? 'good' : 'quiet'}>{t.tenant.states[stateOf(key)]}</Badge>,
          },
          { head: t.tenant.description, kind: 'wide', cell: ({ description }) => description },
          { head: t.tenant.scopes, kind: 'wide', cell: ({ scopes }) => scopes.join(', ') },
          { head: t.common.lastUse, cell: ({ last_use_time }) => <Time at={last_use_time} /> },
          ...(maySupport ? [actions] : []),
        ]}
      />
      {creating && (
        <CreateKey
          holder={{ tenant_id: tenantId }}
          onClose={() => {
            setCreating(false);
            loaded.reload();
          }}
        />
      )}
      {revoking && (
        <ConfirmDialog
          title={t.tenant.revokeTitle}
          text={t.tenant.revokeText(`${revoking.prefix}…`)}
          submit={t.tenant.revoke}
          onSubmit={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Card>
  );
}
