import type { CreatedTenant, Tenant } from '@parcelway/contracts/admin-api';
import { RequestKeys } from '@parcelway/page/api/request-keys';
import { useState } from 'preact/hooks';
import { ConfirmDialog, Field, SearchForm, SecretDialog } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Badge, FailureNotice, Heading, LoadedBody, Refresh, Table, Time } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useClient, useMay } from '../session.tsx';
import { useAction, useLoad } from '../use-load.ts';
import { goTo } from '../use-route.ts';
import { DeclaredNumbers } from './declared-numbers.tsx';

const PAGE = 50;

interface Page {
  readonly tenants: readonly Tenant[];
  /** Absent from what a search finds. */
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

/** Creates a tenant with a key, shows the key this once, and goes to the tenant. */
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
    <ConfirmDialog title={t.tenants.create} text={t.tenants.createText} confirm={t.tenants.create} onConfirm={create} onClose={onClose}>
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
            {mayCreate && (
              <button type="button" class="primary" onClick={() => setCreating(true)}>
                {t.tenants.create}
              </button>
            )}
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
          <button type="button" aria-disabled={more.busy} onClick={() => readMore(next)}>
            {more.busy ? t.common.working : t.common.more}
          </button>
        </p>
      )}
      {creating && <CreateTenant onClose={() => setCreating(false)} />}
      {search === '' && <DeclaredNumbers />}
    </>
  );
}
