import type { ListedNumbers, TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Badge, Card, LoadedBody, Refresh, Table } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useClient, useMay } from '../session.tsx';
import { useLoad } from '../use-load.ts';

function LimitDialog(props: { readonly of: ListedNumbers; readonly onDone: () => void; readonly onClose: () => void }) {
  const { of, onDone, onClose } = props;
  const { t } = useWords();
  const client = useClient();
  const field = useRef<HTMLInputElement>(null);
  const save = async (): Promise<void> => {
    const text = field.current?.value.trim() ?? '';
    const path = `/admin/v1/tenants/${encodeURIComponent(of.tenant_id)}/declared-numbers`;
    await client.call(path, { method: 'PATCH', body: { limit: text === '' ? null : Number(text) } });
    onDone();
  };
  return (
    <ConfirmDialog title={t.numbers.limit} text={t.numbers.limitText} confirm={t.numbers.save} onConfirm={save} onClose={onClose}>
      <div class="field">
        <label for="limit">{t.numbers.limit}</label>
        <input id="limit" type="number" min={1} max={100_000_000} ref={field} defaultValue={String(of.limit ?? '')} />
      </div>
    </ConfirmDialog>
  );
}

/** Tenants with the most logistics numbers that no warehouse has seen, suspect ones first. */
export function DeclaredNumbers() {
  const { t, locale } = useWords();
  const client = useClient();
  const mayLimit = useMay('admin');
  const announce = useAnnounce();
  const [asked, setAsked] = useState<ListedNumbers>();
  const loaded = useLoad('declared numbers', (signal) =>
    client.call<TenantNumbersList<ListedNumbers>>('/admin/v1/declared-numbers', { signal }),
  );
  const number = (value: number): string => new Intl.NumberFormat(locale).format(value);
  const done = (): void => {
    announce(t.numbers.saved);
    setAsked(undefined);
    loaded.reload();
  };
  const actions = {
    head: t.common.actions,
    cell: (of: ListedNumbers) => (
      <button type="button" onClick={() => setAsked(of)}>
        {t.numbers.limit}
      </button>
    ),
  };
  return (
    <Card title={t.numbers.title} actions={<Refresh loaded={loaded} />}>
      <LoadedBody loaded={loaded}>
        {({ tenants }) => (
          <Table
            caption={t.numbers.title}
            items={tenants}
            idOf={({ tenant_id }) => tenant_id}
            none={t.numbers.none}
            columns={[
              {
                head: t.common.name,
                cell: ({ tenant_id, tenant_name }) => <a href={hrefOf({ view: 'tenant', id: tenant_id })}>{tenant_name ?? tenant_id}</a>,
              },
              {
                head: t.common.status,
                cell: ({ is_suspect }) => (
                  <Badge tone={is_suspect ? 'bad' : 'good'}>{is_suspect ? t.numbers.suspect : t.numbers.usual}</Badge>
                ),
              },
              { head: t.numbers.unseen, cell: ({ unseen }) => number(unseen) },
              { head: t.numbers.seen, wide: true, cell: ({ seen_30_days }) => number(seen_30_days) },
              { head: t.numbers.limit, cell: ({ limit }) => (limit === null ? '–' : number(limit)) },
              ...(mayLimit ? [actions] : []),
            ]}
          />
        )}
      </LoadedBody>
      {asked && <LimitDialog of={asked} onDone={done} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}
