import type { ParcelSearchResult } from '@parcelway/contracts/parcel-search-api';
import { useLoad } from '@parcelway/page/data/use-load';
import { SearchForm } from '../forms.tsx';
import { useWords } from '../messages/language.ts';
import { Heading, LoadedBody, Refresh, Table, Time } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useClient } from '../session.tsx';
import { goTo } from '../use-route.ts';

type Parcel = ParcelSearchResult['parcels'][number];

function measured({ weighing }: Parcel): string {
  if (weighing === null) return '–';
  return `${weighing.weight_kg} kg, ${weighing.length_cm} × ${weighing.width_cm} × ${weighing.height_cm} cm`;
}

const tracked = ({ dispatch, tracking }: Parcel): string =>
  dispatch === null ? '–' : [dispatch.carrier_code, dispatch.tracking_number, tracking?.latest_status].filter(Boolean).join(' ');

function Found({ parcels, has_more }: ParcelSearchResult) {
  const { t } = useWords();
  return (
    <>
      <Table
        caption={t.parcels.title}
        items={parcels}
        idOf={({ tenant_id, forecast_no }) => `${tenant_id} ${forecast_no}`}
        none={t.parcels.none}
        columns={[
          { head: t.parcels.forecast, cell: ({ forecast_no }) => <code>{forecast_no}</code> },
          { head: t.parcels.poNumber, cell: ({ po_number }) => po_number },
          {
            head: t.tenants.tenant,
            cell: ({ tenant_id, tenant_name }) => <a href={hrefOf({ view: 'tenant', id: tenant_id })}>{tenant_name ?? tenant_id}</a>,
          },
          { head: t.common.status, cell: ({ status_name }) => t.tenant.statuses[status_name] ?? status_name },
          { head: t.unclaimed.warehouse, kind: 'wide', cell: ({ warehouse_code }) => warehouse_code },
          { head: t.parcels.weighing, kind: 'wide', cell: measured },
          { head: t.parcels.tracking, kind: 'wide', cell: tracked },
          { head: t.parcels.updated, kind: 'wide', cell: ({ update_time }) => <Time at={update_time} /> },
        ]}
      />
      {has_more && <p class="faint">{t.parcels.some}</p>}
    </>
  );
}

/** Finds the parcels of any tenant by one of their numbers. @param number nothing is searched while it is empty */
export function ParcelsView({ number }: { readonly number: string }) {
  const { t } = useWords();
  const client = useClient();
  const loaded = useLoad<ParcelSearchResult | null>(`parcels ${number}`, async (signal) =>
    number === '' ? null : client.call('/admin/v1/parcels', { query: { number }, signal }),
  );
  return (
    <>
      <Heading title={t.parcels.title} actions={number !== '' && <Refresh loaded={loaded} />} />
      <search class="filters">
        <SearchForm
          label={t.parcels.search}
          text={number}
          find={t.common.find}
          onFind={(text) => goTo({ view: 'parcels', number: text })}
        />
      </search>
      <LoadedBody loaded={loaded}>{(found) => (found === null ? <p class="faint">{t.parcels.hint}</p> : <Found {...found} />)}</LoadedBody>
    </>
  );
}
