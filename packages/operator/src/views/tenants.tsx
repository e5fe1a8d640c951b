import type { Tenant } from '@parcelway/contracts/admin-api';
import { useState } from 'preact/hooks';
import { useWords } from '../messages/language.ts';
import { Badge, FailureNotice, Heading, LoadedBody, Refresh, Table, Time } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useClient } from '../session.tsx';
import { useAction, useLoad } from '../use-load.ts';
import { goTo } from '../use-route.ts';

const PAGE = 50;

interface Page {
  readonly tenants: readonly Tenant[];
  /** Absent from what a search finds. */
  readonly next_cursor?: string | null;
}

function Search({ search }: { readonly search: string }) {
  const { t } = useWords();
  const [text, setText] = useState(search);
  return (
    <search class="filters">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          goTo({ view: 'tenants', search: text.trim() });
        }}
      >
        <input
          type="search"
          aria-label={t.tenants.search}
          placeholder={t.tenants.search}
          maxLength={200}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{t.tenants.find}</button>
      </form>
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
        { head: t.tenants.tenant, wide: true, cell: ({ id }) => <code>{id}</code> },
        {
          head: t.common.status,
          cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'quiet'}>{t.tenants[status]}</Badge>,
        },
        { head: t.common.created, wide: true, cell: ({ create_time }) => <Time at={create_time} /> },
      ]}
    />
  );
}

/** The tenants, oldest first and page by page, or what a search finds. */
export function TenantsView({ search }: { readonly search: string }) {
  const { t } = useWords();
  const client = useClient();
  const more = useAction();
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
      <Heading title={t.tenants.title} actions={<Refresh loaded={loaded} />} />
      <Search search={search} />
      <LoadedBody loaded={loaded}>
        {({ tenants }) => (
          <TenantTable tenants={[...tenants, ...(further?.tenants ?? [])]} none={search === '' ? t.tenants.none : t.tenants.noMatch} />
        )}
      </LoadedBody>
      <FailureNotice failure={more.failure} />
      {typeof next === 'string' && (
        <p class="more">
          <button type="button" aria-disabled={more.busy} onClick={() => readMore(next)}>
            {more.busy ? t.common.working : t.common.more}
          </button>
        </p>
      )}
    </>
  );
}
