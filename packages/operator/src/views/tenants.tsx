import type { CreatedTenant, Tenant } from '@parcelway/contracts/admin-api';
import type { ListedNumbers, TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import { pathOf, RequestKeys } from '@parcelway/page/api/client';
import { type Question, useAsk } from '@parcelway/page/parts/form-dialog';
import { ListTable } from '@parcelway/page/parts/table';
import { Badge, Button, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useState } from 'preact/hooks';
import { useWords } from '../messages/language.ts';
import { SearchForm, TableCard, Time } from '../parts.tsx';
import { goTo, hrefOf } from '../route.ts';
import { useClient, useGet, useList, useMay } from '../session.tsx';

const PATH = '/admin/v1/tenants';

/** Tenants with the most logistics numbers that no warehouse has seen, suspect ones first. */
function DeclaredNumbers() {
  const { t, locale } = useWords();
  const mayLimit = useMay('admin');
  const client = useClient();
  const [dialog, ask] = useAsk();
  const loaded = useGet<TenantNumbersList<ListedNumbers>>('/admin/v1/declared-numbers');
  const number = (value: number): string => new Intl.NumberFormat(locale).format(value);
  const setLimit = ({ tenant_id, limit }: ListedNumbers): void =>
    ask({
      title: t.numbers.limit,
      text: t.numbers.limitText,
      submit: t.numbers.save,
      fields: { limit: { label: t.numbers.limit, type: 'number', min: 1, max: 100_000_000, defaultValue: String(limit ?? '') } },
      run: async ({ limit: typed = '' }) => {
        const body = { limit: typed === '' ? null : Number(typed) };
        await client.call(pathOf('/admin/v1/tenants/{id}/declared-numbers', tenant_id), { method: 'PATCH', body });
        loaded.reload();
        return t.numbers.saved;
      },
    });
  const actions = {
    head: t.common.actions,
    cell: (of: ListedNumbers) => <Button onClick={() => setLimit(of)} text={t.numbers.limit} />,
  };
  return (
    <>
      <TableCard
        title={t.numbers.title}
        loaded={loaded}
        itemsOf={({ tenants }) => tenants}
        idOf={({ tenant_id }) => tenant_id}
        none={t.numbers.none}
        columns={[
          {
            head: t.common.name,
            cell: ({ tenant_id, tenant_name }) => <a href={hrefOf({ view: 'tenant', id: tenant_id })}>{tenant_name ?? tenant_id}</a>,
          },
          {
            head: t.common.status,
            cell: ({ is_suspect }) => <Badge tone={is_suspect ? 'bad' : 'good'}>{is_suspect ? t.numbers.suspect : t.numbers.usual}</Badge>,
          },
          { head: t.numbers.unseen, cell: ({ unseen }) => number(unseen) },
          { head: t.numbers.seen, kind: 'wide', cell: ({ seen_30_days }) => number(seen_30_days) },
          { head: t.numbers.limit, cell: ({ limit }) => (limit === null ? '–' : number(limit)) },
          ...(mayLimit ? [actions] : []),
        ]}
      />
      {dialog}
    </>
  );
}

const PAGE = 50;

/** The tenants, oldest first and page by page, or what a search finds. */
export function TenantsView({ search }: { readonly search: string }) {
  const { t } = useWords();
  const client = useClient();
  const mayCreate = useMay('admin');
  const [dialog, ask] = useAsk();
  const [requestKeys] = useState(() => new RequestKeys());
  const pages = useList<Tenant>(PATH, 'tenants', search === '' ? { limit: PAGE } : { search }, 'id');
  const create: Question = {
    title: t.tenants.create,
    text: t.tenants.createText,
    submit: t.tenants.create,
    fields: { name: { label: t.common.name, maxLength: 200, required: true } },
    run: async ({ name = '' }) => {
      const { id, key } = await requestKeys.send(name, (idempotencyKey) =>
        client.call<CreatedTenant>(PATH, { method: 'POST', body: { name, with_key: true }, idempotencyKey }),
      );
      const onSaved = (): void => goTo({ view: 'tenant', id });
      return { title: t.tenant.keyTitle, once: t.common.secretText, secret: key?.key ?? '', what: t.tenant.key, onSaved };
    },
  };
  return (
    <>
      <PageHeading
        title={t.nav.tenants}
        actions={
          <>
            <Refresh loaded={{ reload: pages.refresh, loading: pages.loading }} />
            {mayCreate && <Button class="primary" onClick={() => ask(create)} text={t.tenants.create} />}
          </>
        }
      />
      <search class="filters">
        <SearchForm label={t.tenants.search} text={search} onFind={(text) => goTo({ view: 'tenants', search: text })} />
        {search !== '' && <a href={hrefOf({ view: 'tenants', search: '' })}>{t.tenants.all}</a>}
      </search>
      <ListTable
        pages={pages}
        caption={t.nav.tenants}
        empty={<p class="faint">{search === '' ? t.tenants.none : t.tenants.noMatch}</p>}
        columns={[
          { head: t.common.name, cell: ({ id, name }) => <a href={hrefOf({ view: 'tenant', id })}>{name}</a> },
          { head: t.tenants.tenant, kind: 'wide', cell: ({ id }) => <code>{id}</code> },
          { head: t.common.status, cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'quiet'}>{t.tenants[status]}</Badge> },
          { head: t.common.created, kind: 'wide', cell: ({ create_time }) => <Time at={create_time} /> },
        ]}
      />
      {dialog}
      {search === '' && <DeclaredNumbers />}
    </>
  );
}
