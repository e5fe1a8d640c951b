import type { ApiKey, IssuedKey } from '@parcelway/contracts/admin-api';
import { fill } from '@parcelway/page/languages';
import { type Question, useAsk } from '@parcelway/page/parts/form-dialog';
import { Badge, Button } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { TableCard, Time } from '../parts.tsx';
import { useClient, useGet, useMay } from '../session.tsx';

const SHOWN = 100;
const PATH = '/admin/v1/keys';

function stateOf({ revoke_time, expire_time }: ApiKey): 'valid' | 'revoked' | 'expired' {
  if (revoke_time !== null) return 'revoked';
  return expire_time !== null && Date.parse(expire_time) <= Date.now() ? 'expired' : 'valid';
}

/** The question that creates a key with the usual scopes, and shows it this once. @returns the question for a tenant or a warehouse */
export function useKeyQuestion() {
  const { t } = useWords();
  const client = useClient();
  return (holder: { readonly tenant_id: string } | { readonly warehouse_code: string }, onDone?: () => void): Question => ({
    title: t.tenant.createKey,
    text: t.tenant.createKeyText,
    submit: t.tenant.createKey,
    fields: { description: { label: t.tenant.description, maxLength: 200 } },
    run: async (values) => {
      const { key } = await client.call<IssuedKey>(PATH, { method: 'POST', body: { ...holder, ...values } });
      onDone?.();
      return { title: t.tenant.keyTitle, once: t.common.secretText, secret: key, what: t.tenant.key };
    },
  });
}

/** The keys of a tenant, newest first. Support creates and revokes them. */
export function TenantKeys({ tenantId }: { readonly tenantId: string }) {
  const { t } = useWords();
  const client = useClient();
  const maySupport = useMay('support');
  const [dialog, ask] = useAsk();
  const keyQuestion = useKeyQuestion();
  const loaded = useGet<{ keys: ApiKey[]; next_cursor: string | null }>(PATH, { tenant_id: tenantId, limit: SHOWN });
  const revoke = ({ key_id, prefix }: ApiKey): void =>
    ask({
      title: t.tenant.revokeTitle,
      text: fill(t.tenant.revokeText, `${prefix}…`),
      submit: t.common.revoke,
      run: async () => {
        await client.call(`${PATH}/${encodeURIComponent(key_id)}/revoke`, { method: 'POST' });
        loaded.reload();
        return t.tenant.revoked;
      },
    });
  const actions = {
    head: t.common.actions,
    cell: (key: ApiKey) => stateOf(key) === 'valid' && <Button class="danger-quiet" onClick={() => revoke(key)} text={t.common.revoke} />,
  };
  const create = keyQuestion({ tenant_id: tenantId }, loaded.reload);
  return (
    <>
      <TableCard
        title={t.tenant.keys}
        beside={maySupport && <Button onClick={() => ask(create)} text={t.tenant.createKey} />}
        loaded={loaded}
        itemsOf={({ keys }) => keys}
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
      {dialog}
    </>
  );
}
