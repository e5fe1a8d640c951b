import { useState } from 'preact/hooks';
import { type ForecastFilter, isFiltered } from '../../api/forecast-filter.ts';
import { exportForecasts, findForecasts } from '../../api/parcels.ts';
import { useDownload } from '../../data/use-download.ts';
import { usePages } from '../../data/use-pages.ts';
import { useWords } from '../../messages/language.ts';
import { Badge, forecastTone } from '../../parts/badge.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { ListBody } from '../../parts/list-body.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, usePermissions } from '../../session/session.tsx';
import { ParcelFilters } from './parcel-filters.tsx';
import { StatusCounts } from './status-counts.tsx';

/** Characters of a number that stays on one line on a telephone. */
const LONGEST_UNBROKEN = 16;

/** The merchant's forecasts, newest first. */
export function ParcelsView({ filter }: { readonly filter: ForecastFilter }) {
  const { t } = useWords();
  const client = useClient();
  const { can } = usePermissions();
  const { busy, failure, download } = useDownload();
  const pages = usePages(
    JSON.stringify(filter),
    (cursor, signal) => findForecasts(client, filter, { cursor, signal }),
    (forecast) => forecast.forecast_no,
  );
  const [turn, setTurn] = useState(0);
  const refresh = (): void => {
    pages.refresh();
    setTurn((count) => count + 1);
  };
  const submits = can('forecasts:write');
  const empty = isFiltered(filter) ? (
    <Empty title={t.parcels.noMatch} hint={t.parcels.noMatchHint} />
  ) : (
    <Empty title={t.parcels.empty} hint={t.parcels.emptyHint}>
      {submits && (
        <a class="button" href={hrefOf({ view: 'new-import' })}>
          {t.imports.create}
        </a>
      )}
    </Empty>
  );
  return (
    <>
      <PageHeading
        title={t.parcels.title}
        actions={
          <>
            <button type="button" onClick={refresh} aria-disabled={pages.loading}>
              {t.common.refresh}
            </button>
            <button type="button" aria-disabled={busy} onClick={() => download(() => exportForecasts(client, filter), 'forecasts.csv')}>
              {busy ? t.common.working : t.parcels.export}
            </button>
            {submits && (
              <a class="button primary" href={hrefOf({ view: 'new-parcel' })}>
                {t.parcelForm.submitTitle}
              </a>
            )}
          </>
        }
      />
      <StatusCounts turn={turn} />
      <ParcelFilters filter={filter} />
      <FailureNotice failure={failure} />
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
                  <a
                    class={each.po_number.length <= LONGEST_UNBROKEN ? 'row-link unbroken' : 'row-link'}
                    href={hrefOf({ view: 'parcel', poNumber: each.po_number })}
                  >
                    {each.po_number}
                  </a>
                ),
              },
              {
                head: t.common.status,
                cell: (each) => (
                  <span class="links">
                    <Badge tone={forecastTone(each.status)}>{t.parcels.statuses[each.status] ?? each.status_name}</Badge>
                    {each.has_exception && <Badge tone="bad">{t.parcels.conditions.hasException}</Badge>}
                    {each.on_hold && <Badge tone="warn">{t.parcels.conditions.onHold}</Badge>}
                  </span>
                ),
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
