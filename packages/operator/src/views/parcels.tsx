import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ParcelSearchResult } from '@parcelway/contracts/parcel-search-api';
import { PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { LoadedTable, SearchForm, Time } from '../parts.tsx';
import { goTo, hrefOf } from '../route.ts';
import { useRead } from '../session.tsx';

type Parcel = ParcelSearchResult['parcels'][number];

function measured({ weighing }: Parcel): string {
  if (weighing === null) return '–';
  return `${weighing.weight_kg} kg, ${weighing.length_cm} × ${weighing.width_cm} × ${weighing.height_cm} cm`;
}

const tracked = ({ dispatch, tracking }: Parcel): string =>
  dispatch === null ? '–' : [dispatch.carrier_code, dispatch.tracking_number, tracking?.latest_status].filter(Boolean).join(' ');

/** Finds the parcels of any tenant by one of their numbers. @param number nothing is searched while it is empty */
export function ParcelsView({ number }: { readonly number: string }) {
  const { t } = useWords();
  const loaded = useRead<ParcelSearchResult>(`parcels ${number}`, async (client, signal) =>
    number === '' ? { number, parcels: [], has_more: false } : client.call('/admin/v1/parcels', { query: { number }, signal }),
  );
  return (
    <>
      <PageHeading title={t.nav.parcels} actions={number !== '' && <Refresh loaded={loaded} />} />
      <search class="filters">
        <SearchForm label={t.parcels.search} text={number} onFind={(text) => goTo({ view: 'parcels', number: text })} />
      </search>
      <LoadedTable
        loaded={loaded}
        itemsOf={({ parcels }) => parcels}
        caption={t.nav.parcels}
        idOf={({ tenant_id, forecast_no }) => `${tenant_id} ${forecast_no}`}
        none={number === '' ? t.parcels.hint : t.parcels.none}
        note={({ has_more }) => has_more && t.parcels.some}
        columns={[
          { head: t.parcels.forecast, cell: ({ forecast_no }) => <code>{forecast_no}</code> },
          { head: t.parcels.poNumber, cell: ({ po_number }) => po_number },
          {
            head: t.tenants.tenant,
            cell: ({ tenant_id, tenant_name }) => <a href={hrefOf({ view: 'tenant', id: tenant_id })}>{tenant_name ?? tenant_id}</a>,
          },
          { head: t.common.status, cell: ({ status_name }) => t.statuses[forecastStatuses[status_name]] ?? status_name },
          { head: t.unclaimed.warehouse, kind: 'wide', cell: ({ warehouse_code }) => warehouse_code },
          { head: t.parcels.weighing, kind: 'wide', cell: measured },
          { head: t.parcels.tracking, kind: 'wide', cell: tracked },
          { head: t.parcels.updated, kind: 'wide', cell: ({ update_time }) => <Time at={update_time} /> },
        ]}
      />
    </>
  );
}
