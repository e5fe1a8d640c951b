import { useState } from 'preact/hooks';
import { type ForecastFilter, listForecasts } from '../../api/parcels.ts';
import { usePages } from '../../data/use-pages.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, forecastTone } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ListBody } from '../../parts/list-body.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useClient } from '../../session/session.tsx';

function Filters({ filter }: { readonly filter: ForecastFilter }) {
  const { t } = useWords();
  const [poNumber, setPoNumber] = useState(filter.poNumber);
  const { status } = filter;
  const search = (event: Event): void => {
    event.preventDefault();
    goTo({ view: 'parcels', status, poNumber: poNumber.trim() });
  };
  return (
    <search class="filters">
      <form onSubmit={search}>
        <input
          type="search"
          aria-label={t.parcels.poFilter}
          placeholder={t.parcels.poFilter}
          title={t.parcels.poFilterHint}
          maxLength={64}
          value={poNumber}
          onInput={(event) => setPoNumber(event.currentTarget.value)}
        />
        <button type="submit">{t.common.filter}</button>
      </form>
      <select
        aria-label={t.parcels.statusFilter}
        value={status}
        onChange={(event) => goTo({ view: 'parcels', status: event.currentTarget.value, poNumber: filter.poNumber })}
      >
        <option value="">{`${t.parcels.statusFilter}: ${t.common.all}`}</option>
        {Object.entries(t.parcels.statuses).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {(status !== '' || filter.poNumber !== '') && <a href={hrefOf({ view: 'parcels', status: '', poNumber: '' })}>{t.common.clear}</a>}
    </search>
  );
}

/** The merchant's forecasts, newest first. */
export function ParcelsView({ filter }: { readonly filter: ForecastFilter }) {
  const { t } = useWords();
  const client = useClient();
  const { status, poNumber } = filter;
  const pages = usePages(
    JSON.stringify([status, poNumber]),
    (cursor, signal) => listForecasts(client, { status, poNumber }, { cursor, signal }),
    (forecast) => forecast.forecast_no,
  );
  const filtered = status !== '' || poNumber !== '';
  const empty = filtered ? (
    <Empty title={t.parcels.noMatch} hint={t.parcels.noMatchHint} />
  ) : (
    <Empty title={t.parcels.empty} hint={t.parcels.emptyHint}>
      <a class="button" href="docs">
        {t.nav.reference}
      </a>
    </Empty>
  );
  return (
    <>
      <PageHeading
        title={t.parcels.title}
        actions={
          <button type="button" onClick={pages.refresh} aria-disabled={pages.loading}>
            {t.common.refresh}
          </button>
        }
      />
      <Filters key={poNumber} filter={filter} />
      <ListBody pages={pages} empty={empty}>
        {(forecasts) => (
          <Table
            caption={t.parcels.title}
            items={forecasts}
            idOf={(forecast) => forecast.forecast_no}
            columns={[
              {
                head: t.parcels.poNumber,
                cell: (each) => (
                  <a class="row-link" href={hrefOf({ view: 'parcel', poNumber: each.po_number })}>
                    {each.po_number}
                  </a>
                ),
              },
              {
                head: t.common.status,
                cell: (each) => <Badge tone={forecastTone(each.status)}>{t.parcels.statuses[each.status] ?? each.status_name}</Badge>,
              },
              { head: t.parcels.type, kind: 'wide', cell: (each) => t.parcels.types[each.forecast_type] ?? each.forecast_type },
              { head: t.parcels.warehouse, kind: 'wide', cell: (each) => each.warehouse_code },
              { head: t.parcels.items, kind: 'wide', cell: (each) => each.item_count },
              { head: t.parcels.due, kind: 'wide', cell: (each) => each.due_date ?? '–' },
              { head: t.parcels.updated, cell: (each) => <Time at={each.update_time} /> },
            ]}
          />
        )}
      </ListBody>
    </>
  );
}
