import type { CreatedTenant, Tenant } from '@parcelway/contracts/admin-api';
import type { ListedNumbers, TenantNumbersList } from '@parcelway/contracts/declared-numbers-api';
import { RequestKeys } from '@parcelway/page/api/client';
import { useAction, useLoad } from '@parcelway/page/data/use-load';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { useRef, useState } from 'preact/hooks';
import { ConfirmDialog, Field, SearchForm, SecretDialog } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Badge, Card, FailureNotice, Heading, LoadedBody, LoadedTable, Refresh, Table, Time } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useClient, useMay, useRead } from '../session.tsx';
import { goTo } from '../use-route.ts';

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
    <ConfirmDialog title={t.numbers.limit} text={t.numbers.limitText} submit={t.numbers.save} onSubmit={save} onClose={onClose}>
      <div class="field">
        <label for="limit">{t.numbers.limit}</label>
        <input id="limit" type="number" min={1} max={100_000_000} ref={field} defaultValue={String(of.limit ?? '')} />
      </div>
    </ConfirmDialog>
  );
}

/** Tenants with the most logistics numbers that no warehouse has seen, suspect ones first. */
function DeclaredNumbers() {
  const { t, locale } = useWords();
  const mayLimit = useMay('admin');
  const announce = useAnnounce();
  const [asked, setAsked] = useState<ListedNumbers>();
  const loaded = useRead('declared numbers', (client, signal) =>
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
    cell: (of: ListedNumbers) => <Button onClick={() => setAsked(of)} text={t.numbers.limit} />,
  };
  return (
    <Card title={t.numbers.title} actions={<Refresh loaded={loaded} />}>
      <LoadedTable
        loaded={loaded}
        itemsOf={({ tenants }) => tenants}
        caption={t.numbers.title}
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
      {asked && <LimitDialog of={asked} onDone={done} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}

const PAGE = 50;

interface Page {
  readonly tenants: readonly Tenant[];
  readonly next_cursor?: string | null;
}

function Search({ search }: { readonly search: string }) {
  const { t } = useWords();
  return (
    <search class="filters">
      <SearchForm label={t.tenants.search} text={search} find={t.common.find} onFind={(text) => goTo({ view: 'tenants', search: text })} />
      {search !== '' && <a href={hrefOf({ view: 'tenants', search: '' })}>{t.tenants.all}</a>}
    </search>
  );
}

function TenantTable({ tenants, none }: { readonly tenants: readonly Tenant[]; readonly none: string }) {
  const { t } = useWords();
  return (
    <Table
      caption={t.tenants.title}
      items={tenants}
      idOf={({ id }) => id}
      none={none}
      columns={[
        { head: t.common.name, cell: ({ id, name }) => <a href={hrefOf({ view: 'tenant', id })}>{name}</a> },
        { head: t.tenants.tenant, kind: 'wide', cell: ({ id }) => <code>{id}</code> },
        { head: t.common.status, cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'quiet'}>{t.tenants[status]}</Badge> },
        { head: t.common.created, kind: 'wide', cell: ({ create_time }) => <Time at={create_time} /> },
      ]}
    />
  );
}

function CreateTenant({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const client = useClient();
  const [name, setName] = useState('');
  const [created, setCreated] = useState<CreatedTenant>();
  const [requestKeys] = useState(() => new RequestKeys());
  const create = async (): Promise<void> => {
    const body = { name: name.trim(), with_key: true };
    const send = (idempotencyKey: string) => client.call<CreatedTenant>('/admin/v1/tenants', { method: 'POST', body, idempotencyKey });
    setCreated(await requestKeys.send(body.name, send));
  };
  if (created?.key !== undefined)
    return <SecretDialog title={t.tenant.keyTitle} secret={created.key.key} onClose={() => goTo({ view: 'tenant', id: created.id })} />;
  return (
    <ConfirmDialog title={t.tenants.create} text={t.tenants.createText} submit={t.tenants.create} onSubmit={create} onClose={onClose}>
      <Field id="tenant-name" label={t.common.name} maxLength={200} value={name} onValue={setName} required />
    </ConfirmDialog>
  );
}

/** The tenants, oldest first and page by page, or what a search finds. */
export function TenantsView({ search }: { readonly search: string }) {
  const { t } = useWords();
  const client = useClient();
  const more = useAction();
  const mayCreate = useMay('admin');
  const [creating, setCreating] = useState(false);
  const [further, setFurther] = useState<Page>();
  const loaded = useLoad(`tenants ${search}`, (signal) => {
    setFurther(undefined);
    return client.call<Page>('/admin/v1/tenants', { query: search === '' ? { limit: PAGE } : { search }, signal });
  });
  const next = (further ?? loaded.data)?.next_cursor;
  const readMore = (cursor: string): void =>
    more.run(async () => {
      const page = await client.call<Page>('/admin/v1/tenants', { query: { limit: PAGE, cursor } });
      setFurther({ ...page, tenants: [...(further?.tenants ?? []), ...page.tenants] });
    });
  return (
    <>
      <Heading
        title={t.tenants.title}
        actions={
          <>
            <Refresh loaded={loaded} />
            {mayCreate && <Button class="primary" onClick={() => setCreating(true)} text={t.tenants.create} />}
          </>
        }
      />
      <Search search={search} />
      <LoadedBody loaded={loaded}>
        {({ tenants }) => (
          <TenantTable tenants={[...tenants, ...(further?.tenants ?? [])]} none={search === '' ? t.tenants.none : t.tenants.noMatch} />
        )}
      </LoadedBody>
      <FailureNotice failure={more.failure} />
      {typeof next === 'string' && (
        <p class="more">
          <Button aria-disabled={more.busy} onClick={() => readMore(next)} text={more.busy ? t.common.working : t.common.more} />
        </p>
      )}
      {creating && <CreateTenant onClose={() => setCreating(false)} />}
      {search === '' && <DeclaredNumbers />}
    </>
  );
}
